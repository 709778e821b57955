package import Kernel

/// A request that is about to begin: its id, which nobody has been told yet, and its row.
package struct BackchannelDraft: Sendable {
    /// `auth_req_id`: 256 random bits (CIBA Core §7.3 asks for 128, and recommends 160).
    package let authReqID: Secret
    package let record: BackchannelRecord
    /// What stands for it in memory.
    package let pending: PendingBackchannel
}

/// The use cases of backchannel requests, beside those of their operations: keep, find, tell.
package struct BackchannelService: Sendable {
    package let cache: BackchannelCache
    package let policy: BackchannelPolicy
    let signal = WorkSignal()
    private let environment: Environment
    let store: any BackchannelStore
    private let encryptor: any Encryptor

    package init(
        environment: Environment,
        cache: BackchannelCache = BackchannelCache(),
        store: any BackchannelStore,
        encryptor: any Encryptor,
        policy: BackchannelPolicy
    ) {
        self.environment = environment
        self.cache = cache
        self.store = store
        self.encryptor = encryptor
        self.policy = policy
    }

    /// A new request of that client, which nothing is kept of yet.
    package func draft(_ request: BackchannelRequest, of client: OAuthClient) throws -> BackchannelDraft {
        guard let backchannel = client.backchannel else {
            throw OAuthError(.unauthorizedClient, "This client is not registered for backchannel authentication.")
        }
        let (authReqID, now) = (environment.newSecret(), environment.now())
        let id = Digest256(sha256: authReqID.expose())
        let delivery = backchannel.delivery
        let windows = BackchannelPolicy.collectionWindow(delivery) + BackchannelPolicy.redeliveryWindow(delivery)
        let record = BackchannelRecord(
            id: id,
            operation: environment.newID(),
            clientID: client.id,
            delivery: delivery,
            scopes: request.scopes,
            resources: request.resources,
            interval: policy.interval,
            callback: try callback(of: id, authReqID: authReqID, request: request, backchannel: backchannel),
            createdAt: now,
            keptUntil: now + request.lifetime + windows + BackchannelPolicy.memory
        )
        return BackchannelDraft(authReqID: authReqID, record: record, pending: PendingBackchannel(record))
    }

    /// Lets polls find the request, before anybody can know its id.
    /// - Throws: ``OAuthError`` `temporarily_unavailable` where there are too many.
    package func open(_ draft: BackchannelDraft) throws(OAuthError) {
        guard cache.put(draft.pending) else {
            throw OAuthError(.temporarilyUnavailable, "Too many requests are open. Come back later.", retryAfter: 30)
        }
    }

    /// Keeps its row, in the unit of work that begins its operation.
    package func keep(_ draft: BackchannelDraft, in transaction: borrowing Transaction) throws {
        try store.insert(draft.record, in: transaction)
    }

    /// Its operation could not be begun.
    package func drop(_ draft: BackchannelDraft) { cache.remove(draft.pending) }

    /// The request that a poll of that client asks about, by memory alone.
    /// - Throws: ``OAuthError`` `unauthorized_client` for one that is pushed its tokens (CIBA Core §11), `invalid_grant` for an
    ///   id that was not given to this very client.
    package func find(
        _ authReqID: String,
        of client: AuthenticatedClient
    ) throws(OAuthError) -> PendingBackchannel {
        guard client.method != .none, let backchannel = client.client.backchannel, backchannel.delivery != .push else {
            throw OAuthError(.unauthorizedClient, "This client does not ask for its tokens: they are sent to it.")
        }
        guard authReqID.utf8.count <= Self.longestID, let pending = cache.find(Digest256(sha256: authReqID)),
            pending.clientID == client.client.id
        else { throw Self.unknown }
        guard pending.delivery != .push else {
            throw OAuthError(.unauthorizedClient, "The tokens of this request are sent to the client.")
        }
        return pending
    }

    /// The answer to an id that is not the client's, or that nothing is left of.
    package static let unknown = OAuthError(
        .invalidGrant,
        "auth_req_id is none that this client was given, or it is long over."
    )

    /// An operation was approved, or ended without: its client is told, if it wants to be.
    ///
    /// In the unit of work of that very step, so that the notice is as durable as what it is about. Costs a look in memory for
    /// every other operation.
    package func noteDecided(_ operation: OperationRowID, in transaction: borrowing Transaction) throws {
        guard let pending = cache.notified(of: operation) else { return }
        let now = environment.now()
        let end = now + BackchannelPolicy.collectionWindow(pending.delivery)
        try store.enqueue(pending.id, at: now, expiresAt: end, in: transaction)
        // Units are durable in the order in which they were begun: the worker's next claim is behind this one.
        signal.raise()
    }

    /// Reads the requests back that were open when the daemon stopped: before anything is polled or decided.
    package func restore() async throws {
        var last: Digest256?
        while true {
            let records = try await store.following(last, keptAfter: environment.now(), limit: Self.batch)
            for record in records { _ = cache.put(PendingBackchannel(record)) }
            guard records.count == Self.batch else { return }
            last = records.last?.id
        }
    }

    /// Forgets the requests whose time is over, every half minute until the task is cancelled.
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
            sealingKey: encryptor.currentKey,
            sealed: try encryptor.encrypt(secrets.bytes, as: .backchannelRequest(id))
        )
    }

    /// `nil` if its key is gone or it was changed.
    func secrets(of record: BackchannelRecord) -> BackchannelSecrets? {
        guard let callback = record.callback else { return nil }
        return encryptor.decrypt(
            callback.sealed,
            key: callback.sealingKey,
            as: .backchannelRequest(record.id)
        ).flatMap { BackchannelSecrets($0) }
    }

    private static let longestID = 256
    private static let batch = 1000
}
