package import Kernel
import Synchronization

/// A backchannel request that clients can ask about, in memory: what polls are answered from.
///
/// One instance for as long as it is remembered, so that a poll copies a pointer.
package final class PendingBackchannel: Sendable {
    /// SHA-256 of `auth_req_id`: what its operation goes by as well.
    package let id: Digest256
    package let operation: OperationRowID
    package let clientID: String
    package let delivery: OAuthClient.Backchannel.Delivery
    package let scopes: ScopeSet
    package let resources: [String]
    package let interval: Duration
    /// From when on it is forgotten.
    package let keptUntil: Instant
    private let pacing = Mutex(PollPacing())

    package init(_ record: BackchannelRecord) {
        id = record.id
        operation = record.operation
        clientID = record.clientID
        delivery = record.delivery
        scopes = record.scopes
        resources = record.resources
        interval = record.interval
        keptUntil = record.keptUntil
    }

    /// Whether a poll comes in time.
    package func takePoll(at now: Uptime) -> Bool {
        pacing.withLock { $0.take(at: now, interval: interval) }
    }

    /// What the client brings to its operation: nobody else's collects, whoever has learnt the id.
    package var proof: Digest256 { Self.proof(id, clientID) }

    /// The same, of a request that is about to begin.
    package static func proof(_ id: Digest256, _ clientID: String) -> Digest256 {
        Digest256(sha256: Array("backchannel\n".utf8) + id.bytes + Array(clientID.utf8))
    }

    /// What the tokens are made of, once the person has approved.
    package func grant(
        to account: AccountID,
        _ authentication: AuthenticationContext,
        authReqID: String? = nil
    ) -> AuthorizedGrant {
        AuthorizedGrant(
            account: account,
            clientID: clientID,
            scopes: scopes,
            resources: resources,
            authentication: authentication,
            backchannelRequest: authReqID
        )
    }
}

/// The backchannel requests that are open or have lately been, by their ids.
///
/// A cache of the store, sharded so that cores don't meet, and of bounded size.
package final class BackchannelCache: Sendable {
    private typealias Page = [Digest256: PendingBackchannel]

    private final class Shard: Sendable {
        let page = Mutex<Page>([:])
    }

    private let shards: [Shard]
    /// The requests whose clients are sent notices, by their operations.
    private let notified = Mutex<[OperationRowID: PendingBackchannel]>([:])
    private let capacity: Int

    /// `capacity`: how many requests there may be at one time.
    package init(capacity: Int = 500_000, shardCount: Int = 64) {
        self.capacity = capacity
        shards = (0..<shardCount).map { _ in Shard() }
    }

    package var count: Int { shards.reduce(0) { $0 + $1.page.withLock(\.count) } }

    package func find(_ id: Digest256) -> PendingBackchannel? { shard(id).page.withLock { $0[id] } }

    /// The request of that operation, if its client wants to be sent a notice.
    package func notified(of operation: OperationRowID) -> PendingBackchannel? {
        notified.withLock { $0[operation] }
    }

    /// `false` if there is no room for it.
    package func put(_ pending: PendingBackchannel) -> Bool {
        let room = capacity / shards.count
        let isPut = shard(pending.id).page.withLock { page in
            guard page.count < room else { return false }
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

    /// Forgets those whose time is over.
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
