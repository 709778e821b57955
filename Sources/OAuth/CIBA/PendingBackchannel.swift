package import Kernel
import Synchronization

/// A backchannel request in the cache, from which polls are answered.
///
/// All users share one instance, so that a poll copies only a reference.
package final class PendingBackchannel: Sendable {
    /// SHA-256 of `auth_req_id`.
    package let id: Digest256
    package let operation: OperationRowID
    package let access: RequestedAccess
    package let delivery: OAuthClient.Backchannel.Delivery
    package let interval: Duration
    /// The time from which the request can be deleted.
    package let keptUntil: Instant
    private let pacing = Mutex(PollPacing())

    package init(_ record: BackchannelRecord) {
        id = record.id
        operation = record.operation
        access = record.access
        delivery = record.delivery
        interval = record.interval
        keptUntil = record.keptUntil
    }

    /// Whether a poll keeps to the interval.
    ///
    /// The poll is counted.
    package func takePoll(at now: Uptime) -> Bool {
        pacing.withLock { $0.take(at: now, interval: interval) }
    }

    /// The client's proof towards its operation.
    ///
    /// Another client cannot collect the tokens, even with the id.
    package var proof: Digest256 { Self.proof(id, access.clientID) }

    /// Returns the proof of a request that has not begun.
    package static func proof(_ id: Digest256, _ clientID: String) -> Digest256 {
        Digest256(sha256: Array("backchannel\n".utf8) + id.bytes + Array(clientID.utf8))
    }

    /// Returns the grant that the tokens are issued for, after the person's approval.
    package func grant(
        to account: AccountID,
        _ authentication: AuthenticationContext,
        authReqID: String? = nil
    ) -> AuthorizedGrant {
        access.granted(by: account, authentication, backchannelRequest: authReqID)
    }
}

/// Caches the open and recent backchannel requests of the database by their ids.
///
/// The cache has shards against lock contention, and its size is bounded.
package final class BackchannelCache: Sendable {
    private typealias Page = [Digest256: PendingBackchannel]

    private final class Shard: Sendable {
        let page = Mutex<Page>([:])
    }

    private let shards: [Shard]
    /// The requests of clients that get notices, by their operations.
    private let notified = Mutex<[OperationRowID: PendingBackchannel]>([:])
    private let capacity: Int

    /// `capacity` is the most requests that are cached at one time.
    package init(capacity: Int = 500_000, shardCount: Int = 64) {
        self.capacity = capacity
        shards = (0..<shardCount).map { _ in Shard() }
    }

    package var count: Int { shards.reduce(0) { $0 + $1.page.withLock(\.count) } }

    package func find(_ id: Digest256) -> PendingBackchannel? { shard(id).page.withLock { $0[id] } }

    /// Returns the request of that operation, if its client gets notices.
    package func notified(of operation: OperationRowID) -> PendingBackchannel? {
        notified.withLock { $0[operation] }
    }

    /// Adds a request; returns `false` if the cache is full.
    package func put(_ pending: PendingBackchannel) -> Bool {
        let limit = capacity / shards.count
        let isPut = shard(pending.id).page.withLock { page in
            guard page.count < limit else { return false }
            page[pending.id] = pending
            return true
        }
        guard isPut else { return false }
        switch pending.delivery {
        case .poll: break
        case .ping, .push: notified.withLock { $0[pending.operation] = pending }
        }
        return true
    }

    package func remove(_ pending: PendingBackchannel) {
        shard(pending.id).page.withLock { $0[pending.id] = nil }
        notified.withLock { $0[pending.operation] = nil }
    }

    /// Deletes expired requests from the cache.
    package func sweep(at now: Instant) {
        for shard in shards {
            let over = shard.page.withLock { $0.values.filter { $0.keptUntil <= now } }
            for pending in over { remove(pending) }
        }
    }

    private func shard(_ id: Digest256) -> Shard {
        shards[Int(truncatingIfNeeded: id.prefixWord % UInt64(shards.count))]
    }
}
