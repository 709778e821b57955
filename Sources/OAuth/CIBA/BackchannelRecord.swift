package import Kernel

/// A backchannel request as the store has it: what its tokens are to be, and how its client is told.
///
/// Who is asked, and what came of it, is in the row of its operation.
package struct BackchannelRecord: Sendable, Equatable {
    /// SHA-256 of `auth_req_id`.
    package let id: Digest256
    package let operation: OperationRowID
    package let clientID: String
    package let delivery: OAuthClient.Backchannel.Delivery
    package let scopes: ScopeSet
    package let resources: [String]
    package let interval: Duration
    /// How the client is told; `nil` for one that polls, and erased when it has been told.
    package var callback: Callback?
    package let createdAt: Instant
    /// From when on the row is of no use to anybody.
    package let keptUntil: Instant

    package init(
        id: Digest256,
        operation: OperationRowID,
        clientID: String,
        delivery: OAuthClient.Backchannel.Delivery,
        scopes: ScopeSet,
        resources: [String],
        interval: Duration,
        callback: Callback?,
        createdAt: Instant,
        keptUntil: Instant
    ) {
        self.id = id
        self.operation = operation
        self.clientID = clientID
        self.delivery = delivery
        self.scopes = scopes
        self.resources = resources
        self.interval = interval
        self.callback = callback
        self.createdAt = createdAt
        self.keptUntil = keptUntil
    }

    /// Where a notice goes, as it was registered when the request began, and what it says.
    package struct Callback: Sendable, Equatable {
        package let endpoint: String
        /// Names the key that ``sealed`` is sealed with.
        package let sealingKey: String
        /// `auth_req_id` and the client's notification token, sealed: both are secrets that have to be said again.
        package let sealed: [UInt8]

        package init(endpoint: String, sealingKey: String, sealed: [UInt8]) {
            self.endpoint = endpoint
            self.sealingKey = sealingKey
            self.sealed = sealed
        }
    }
}

/// A notice that a client is to be sent, as it was claimed.
package struct QueuedNotice: QueuedDelivery, Equatable {
    package let request: BackchannelRecord
    /// How often it was tried in vain.
    package let attempts: Int
    /// From when on it is pointless, and is dropped.
    package let expiresAt: Instant

    package var concurrencyGroup: String? { request.clientID }

    package init(request: BackchannelRecord, attempts: Int, expiresAt: Instant) {
        self.request = request
        self.attempts = attempts
        self.expiresAt = expiresAt
    }
}

/// Port: where backchannel requests are kept, and the notices about them.
package protocol BackchannelStore: Sendable {
    func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws

    /// Requests in ascending order of their ids behind `id` that are kept until after `instant`.
    func following(_ id: Digest256?, keptAfter instant: Instant, limit: Int) async throws -> [BackchannelRecord]

    /// Puts the notice about a request in the queue, due now; nothing for a request that has none to send, or has one
    /// queued.
    func enqueue(
        _ id: Digest256,
        at now: Instant,
        expiresAt: Instant,
        in transaction: borrowing Transaction
    ) throws

    /// Takes notices that are due, as far as there is room for each client and in all, the longest due first, and puts them off
    /// to the lease's end, so that nobody else takes them until then.
    func claim(
        _ lease: DeliveryLease,
        room: DeliveryRoom,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice]

    /// When the next notice is due; `nil` while there is none.
    func nextDue(in transaction: borrowing Transaction) throws -> Instant?

    /// Ends a notice that was delivered or given up, and erases its secrets; `false` if the lease was lost.
    func finish(_ id: Digest256, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool

    /// Puts a notice off after a failure, which counts as an attempt; `false` if the lease was lost.
    func putOff(
        _ id: Digest256,
        to due: Instant,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Deletes up to so many requests that were kept until before that instant; returns how many.
    func purge(keptBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int
}

/// What is encrypted of a request.
package struct BackchannelSecrets: Sendable, Equatable {
    let authReqID: Secret
    let notificationToken: Secret

    /// Neither of the two has a line break in it.
    var bytes: [UInt8] { Array("\(authReqID.expose())\n\(notificationToken.expose())".utf8) }

    init(authReqID: Secret, notificationToken: Secret) {
        self.authReqID = authReqID
        self.notificationToken = notificationToken
    }

    init?(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(authReqID: Secret(String(parts[0])), notificationToken: Secret(String(parts[1])))
    }
}

extension EncryptionContext {
    package static func backchannelRequest(_ id: Digest256) -> Self { "backchannel/\(Base64URL.encode(id.bytes))" }
}
