package import Kernel

/// A request before it begins: its id, which nobody knows yet, and its database row.
package struct BackchannelDraft: Sendable {
    /// `auth_req_id`: 256 random bits (CIBA Core §7.3 asks for 128, and recommends 160).
    package let authReqID: Secret
    package let record: BackchannelRecord
    /// The request's entry in the cache.
    package let pending: PendingBackchannel
    /// The mark of the signed request that begins it; `nil` for one that is not signed.
    let mark: UsedMark?
}

/// The use cases of backchannel requests apart from those of their operations: store, find and notify.
package struct BackchannelService: Sendable {
    package let cache: BackchannelCache
    package let policy: BackchannelPolicy
    let signal = WorkSignal()
    private let environment: Environment
    let store: any BackchannelStore
    private let marks: any UsedMarkStore
    private let encryptor: any Encryptor
    /// Whether other daemons begin requests on the same database, so that the cache does not have all of them.
    private let isShared: Bool

    package init(
        environment: Environment,
        cache: BackchannelCache = BackchannelCache(),
        store: any BackchannelStore,
        marks: any UsedMarkStore,
        encryptor: any Encryptor,
        policy: BackchannelPolicy,
        isShared: Bool = false
    ) {
        self.environment = environment
        self.cache = cache
        self.store = store
        self.marks = marks
        self.encryptor = encryptor
        self.policy = policy
        self.isShared = isShared
    }

    /// Creates a request of the client without storing it.
    package func draft(_ request: BackchannelRequest, of client: OAuthClient) throws -> BackchannelDraft {
        guard let backchannel = client.authorization.backchannel else {
            throw OAuthError(.unauthorizedClient, "This client is not registered for backchannel authentication.")
        }
        let (authReqID, now) = (environment.newSecret(), environment.now())
        let id = Digest256(sha256: authReqID.expose())
        let delivery = backchannel.delivery
        let windows = BackchannelPolicy.collectionWindow(delivery) + BackchannelPolicy.redeliveryWindow(delivery)
        let record = BackchannelRecord(
            id: id,
            operation: operationID(for: request.hint),
            access: request.access,
            delivery: delivery,
            interval: policy.interval,
            callback: try callback(of: id, authReqID: authReqID, request: request, backchannel: backchannel),
            createdAt: now,
            keptUntil: now + request.lifetime + windows + BackchannelPolicy.memory
        )
        return BackchannelDraft(
            authReqID: authReqID,
            record: record,
            pending: PendingBackchannel(record),
            mark: request.mark
        )
    }

    /// An address is not looked up before the request is stored, so that its operation has a random bucket.
    private func operationID(for hint: BackchannelRequest.Hint) -> OperationRowID {
        switch hint {
        case .account(let account): environment.newID(of: account)
        case .email: environment.newID()
        }
    }

    /// Adds the request to the cache, where polls find it.
    ///
    /// Nobody knows its id yet.
    /// - Throws: ``OAuthError`` `temporarily_unavailable` if too many requests are open.
    package func open(_ draft: BackchannelDraft) throws(OAuthError) {
        guard cache.put(draft.pending) else {
            throw OAuthError(.temporarilyUnavailable, "Too many requests are open. Try again later.", retryAfter: 30)
        }
    }

    /// Stores the request's database row and uses a signed request up, in the unit of work that begins its operation.
    /// - Throws: ``OAuthError`` `invalid_request_object` if the signed request was used before; ``StoreError``.
    package func keep(_ draft: BackchannelDraft, in transaction: borrowing Transaction) throws {
        if let mark = draft.mark, try !marks.use(mark, in: transaction) { throw SignedBackchannelText.used }
        try store.insert(draft.record, in: transaction)
    }

    /// Removes a request from the cache if its operation could not begin.
    package func drop(_ draft: BackchannelDraft) { cache.remove(draft.pending) }

    /// Returns the request that a client polls for: from the cache, or from the database if another daemon began it.
    /// - Throws: ``OAuthError`` `unauthorized_client` for a client that gets pushes (CIBA Core §11), `invalid_grant`
    ///   for an id that was not given to this client; ``StoreError``.
    package func find(
        _ authReqID: String,
        of authenticated: AuthenticatedClient
    ) async throws -> PendingBackchannel {
        guard authenticated.method != .none, let backchannel = authenticated.client.authorization.backchannel,
            backchannel.delivery != .push
        else {
            throw OAuthError(.unauthorizedClient, "This client does not ask for its tokens: they are sent to it.")
        }
        guard authReqID.utf8.count <= Self.longestID, let pending = try await known(Digest256(sha256: authReqID)),
            pending.access.clientID == authenticated.client.id
        else { throw Self.unknown }
        guard pending.delivery != .push else {
            throw OAuthError(.unauthorizedClient, "The tokens of this request are sent to the client.")
        }
        return pending
    }

    private func known(_ id: Digest256) async throws -> PendingBackchannel? {
        if let pending = cache.find(id) { return pending }
        guard isShared, let record = try await store.find(id), record.keptUntil > environment.now() else { return nil }
        let pending = PendingBackchannel(record)
        // Where the cache is full, the next poll reads again.
        return cache.put(pending) ? cache.find(id) ?? pending : pending
    }

    /// The error for an id that was not given to the client, or whose request has been deleted.
    package static let unknown = OAuthError(
        .invalidGrant,
        "auth_req_id is none that this client was given, or it is long over."
    )

    /// Queues the notice of an operation that was approved or has ended, if its client gets notices.
    ///
    /// It runs in the unit of work of the approval or end, so that the notice is as durable as the decision. It is called
    /// for operations that a client's server began, on whichever daemon.
    package func noteDecided(_ operation: OperationRowID, in transaction: borrowing Transaction) throws {
        guard let pending = try cache.notified(of: operation) ?? begunElsewhere(operation, in: transaction) else {
            return
        }
        let now = environment.now()
        let end = now + BackchannelPolicy.collectionWindow(pending.delivery)
        try store.enqueue(pending.id, at: now, expiresAt: end, in: transaction)
        // The worker's next claim has to see this notice.
        transaction.whenDurable { [signal] in signal.raise() }
    }

    private func begunElsewhere(
        _ operation: OperationRowID,
        in transaction: borrowing Transaction
    ) throws -> PendingBackchannel? {
        guard isShared else { return nil }
        return try store.find(operation: operation, in: transaction).map { PendingBackchannel($0) }
    }

    /// Fills the cache with the open requests of the database, before the first poll or decision.
    package func restore() async throws {
        var last: Digest256?
        while true {
            let records = try await store.following(last, keptAfter: environment.now(), limit: Self.batch)
            for record in records { _ = cache.put(PendingBackchannel(record)) }
            guard records.count == Self.batch else { return }
            last = records.last?.id
        }
    }

    /// Deletes expired requests from the cache, every half minute until the task is cancelled.
    package func forgetEnded() async {
        while (try? await environment.clock.sleep(until: environment.clock.now + .seconds(30))) != nil {
            cache.sweep(at: environment.now())
        }
    }

    private func callback(
        of id: Digest256,
        authReqID: Secret,
        request: BackchannelRequest,
        backchannel: OAuthClient.Backchannel
    ) throws -> BackchannelRecord.Callback? {
        guard let endpoint = backchannel.notificationEndpoint, let token = request.notificationToken else { return nil }
        let secrets = BackchannelSecrets(authReqID: authReqID, notificationToken: token)
        return BackchannelRecord.Callback(
            endpoint: endpoint,
            encryptionKey: encryptor.currentKey,
            encrypted: try encryptor.encrypt(secrets.bytes, as: .backchannelRequest(id))
        )
    }

    /// Decrypts the secrets of a request; returns `nil` if the key is unknown or the ciphertext was changed.
    func secrets(of record: BackchannelRecord) -> BackchannelSecrets? {
        guard let callback = record.callback else { return nil }
        return encryptor.decrypt(
            callback.encrypted,
            key: callback.encryptionKey,
            as: .backchannelRequest(record.id)
        ).flatMap { BackchannelSecrets($0) }
    }

    private static let longestID = 256
    private static let batch = 1000
}
