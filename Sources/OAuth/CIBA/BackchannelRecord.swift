package import Kernel

/// A backchannel request as it is stored: the contents of its tokens, and the notification of its client.
///
/// The person and the outcome are in the row of its operation.
package struct BackchannelRecord: Sendable, Equatable {
    /// SHA-256 of `auth_req_id`.
    package let id: Digest256
    package let operation: OperationRowID
    package let access: RequestedAccess
    package let delivery: OAuthClient.Backchannel.Delivery
    package let interval: Duration
    /// The notification of the client; `nil` for a client that polls, and after the delivery.
    package var callback: Callback?
    package let createdAt: Instant
    /// The time from which the database row can be deleted.
    package let keptUntil: Instant

    package init(
        id: Digest256,
        operation: OperationRowID,
        access: RequestedAccess,
        delivery: OAuthClient.Backchannel.Delivery,
        interval: Duration,
        callback: Callback?,
        createdAt: Instant,
        keptUntil: Instant
    ) {
        self.id = id
        self.operation = operation
        self.access = access
        self.delivery = delivery
        self.interval = interval
        self.callback = callback
        self.createdAt = createdAt
        self.keptUntil = keptUntil
    }

    /// The endpoint of a notice, as registered when the request began, and the encrypted contents.
    package struct Callback: Sendable, Equatable {
        package let endpoint: String
        /// The name of the key that encrypts ``encrypted``.
        package let encryptionKey: String
        /// The encrypted `auth_req_id` and notification token, two secrets that the notice must repeat.
        package let encrypted: [UInt8]

        package init(endpoint: String, encryptionKey: String, encrypted: [UInt8]) {
            self.endpoint = endpoint
            self.encryptionKey = encryptionKey
            self.encrypted = encrypted
        }
    }
}

/// A notice to a client that a worker has claimed.
package struct QueuedNotice: QueuedDelivery, Equatable {
    package let request: BackchannelRecord
    /// The number of failed attempts.
    package let attempts: Int
    /// The time from which the notice is dropped.
    package let expiresAt: Instant

    package var concurrencyGroup: String? { request.access.clientID }

    package init(request: BackchannelRecord, attempts: Int, expiresAt: Instant) {
        self.request = request
        self.attempts = attempts
        self.expiresAt = expiresAt
    }
}

/// Port: stores backchannel requests and the queue of the notices about them.
package protocol BackchannelStore: WaitingNoticeStore {
    func insert(_ record: BackchannelRecord, in transaction: borrowing Transaction) throws

    /// Returns the requests whose id is greater than `id` and whose ``BackchannelRecord/keptUntil`` is after `instant`,
    /// by id.
    func following(_ id: Digest256?, keptAfter instant: Instant, limit: Int) async throws -> [BackchannelRecord]

    /// Returns a request by its id, or by its operation in a unit of work, where several daemons share the database.
    func find(_ id: Digest256) async throws -> BackchannelRecord?
    func find(operation: OperationRowID, in transaction: borrowing Transaction) throws -> BackchannelRecord?

    /// Queues the notice about a request, due now. Does nothing if the request has no notice, or a queued one.
    func enqueue(_ id: Digest256, at now: Instant, expiresAt: Instant, in transaction: borrowing Transaction) throws

    /// Claims due notices within the limits of each client and of all clients, the longest due first.
    ///
    /// A claimed notice is postponed to the end of the lease, so that no other worker claims it earlier.
    func claim(
        _ lease: DeliveryLease,
        capacity: DeliveryCapacity,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> [QueuedNotice]

    /// Returns the time at which the next notice is due; `nil` if the queue is empty.
    func nextDue(in transaction: borrowing Transaction) throws -> Instant?

    /// Takes a finished notice out of the queue and erases its secrets; returns `false` if the lease was lost.
    func finish(_ id: Digest256, lease: DeliveryLease, in transaction: borrowing Transaction) throws -> Bool

    /// Postpones a notice after a failed attempt, and counts the attempt; returns `false` if the lease was lost.
    func putOff(
        _ id: Digest256,
        to due: Instant,
        lease: DeliveryLease,
        in transaction: borrowing Transaction
    ) throws -> Bool
}

/// The secrets of a request that are stored encrypted.
package struct BackchannelSecrets: Sendable, Equatable {
    let authReqID: Secret
    let notificationToken: Secret

    /// The two secrets joined by a line break, a character that neither secret contains.
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
