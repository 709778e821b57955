package import Kernel

/// The use cases of pushed authorization requests (RFC 9126): the client sends the request, the browser only refers to
/// it.
package struct PushedRequests: Sendable {
    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any PushedRequestStore
    private let reader: AuthorizationRequestReader
    package let lifetime: Duration
    private let inProgress = InProgress()

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any PushedRequestStore,
        reader: AuthorizationRequestReader,
        lifetime: Duration
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.reader = reader
        self.lifetime = lifetime
    }

    /// The fixed part of `request_uri` (RFC 9126 §2.2).
    ///
    /// The rest must not be guessable (RFC 9101 §10.2).
    package static let prefix = "urn:ietf:params:oauth:request_uri:"

    /// Stores a request and returns its `request_uri`.
    ///
    /// `proofKey` is the thumbprint of the key of the request's DPoP proof. The code is then bound to that key (RFC
    /// 9449 §10.1). `proof` uses that proof up, in the unit of work that stores the request.
    /// - Throws: ``OAuthError`` for a request that the authorization endpoint would refuse as well;
    ///   ``TooManyPushedRequestsError`` if the client already has the most unused requests.
    package func push(
        _ parameters: AuthorizationParameters,
        by authenticated: AuthenticatedClient,
        proofKey: Digest256? = nil,
        using proof: (@Sendable (borrowing Transaction) throws -> Void)? = nil
    ) async throws -> String {
        let parameters = try checked(parameters, by: authenticated, proofKey: proofKey)
        let (reference, now) = (environment.newSecret(), environment.now())
        let request = PushedRequest(
            digest: Digest256(sha256: reference.expose()),
            clientID: authenticated.client.id,
            parameters: parameters,
            createdAt: now,
            expiresAt: now + lifetime
        )
        try await keep(request, using: proof)
        return Self.prefix + reference.expose()
    }

    private func keep(
        _ request: PushedRequest,
        using proof: (@Sendable (borrowing Transaction) throws -> Void)?
    ) async throws {
        try await inProgress.counting(request.clientID) { others in
            let free = AuthorizationPolicy.pushedOfClient - others
            // Read before the unit, in which each of the client's requests would contradict those that are stored at the
            // same time.
            let isFull = try await unitOfWork.read { [store] transaction in
                try free <= 0 || store.has(free, of: request.clientID, at: request.createdAt, in: transaction)
            }
            guard !isFull else { throw TooManyPushedRequestsError(retryAfter: TooManyPushedRequestsError.wait) }
            try await unitOfWork.run { [store] transaction in
                try proof?(transaction)
                try store.insert(request, keepingInAll: AuthorizationPolicy.openInAll, in: transaction)
            }
        }
    }

    /// Deletes the request of a `request_uri` and returns its parameters.
    ///
    /// Only the client that pushed it can do so, once.
    ///
    /// - Returns: `nil` for a request that was used, has expired, or never existed.
    package func take(_ uri: String, of clientID: String) async throws -> AuthorizationParameters? {
        guard uri.hasPrefix(Self.prefix) else { return nil }
        let digest = Digest256(sha256: String(uri.dropFirst(Self.prefix.count)))
        let now = environment.now()
        return try await unitOfWork.run { [store] transaction in
            try store.take(digest, of: clientID, at: now, in: transaction)?.parameters
        }
    }

    private func checked(
        _ parameters: AuthorizationParameters,
        by authenticated: AuthenticatedClient,
        proofKey: Digest256?
    ) throws(OAuthError) -> AuthorizationParameters {
        // RFC 9126 §2.1: a pushed request must not refer to another pushed request.
        guard parameters["request_uri"] == nil else {
            throw OAuthError(.invalidRequest, "A pushed request can't have a request_uri.")
        }
        var parameters = parameters
        // RFC 9126 §2.1 step 1: the client is the authenticated one, and `client_id` must agree.
        let id = authenticated.client.id
        guard parameters["client_id"] == nil || parameters["client_id"] == id else {
            throw OAuthError(.invalidRequest, "The client_id is not the client that pushes the request.")
        }
        parameters["client_id"] = id
        let found: ClientAuthorizationRequest
        do throws(AuthorizationError) {
            found = try reader.read(parameters, by: .pushed, at: environment.now())
        } catch { throw error.error }
        parameters = found.parameters.kept
        guard let proofKey else { return parameters }
        guard found.request.binding.proofKey == nil || found.request.binding.proofKey == proofKey else {
            throw OAuthError(.invalidRequest, "The dpop_jkt is not the key of the DPoP proof.")
        }
        parameters["dpop_jkt"] = Base64URL.encode(proofKey.bytes)
        return parameters
    }
}

/// The error of a client that already has the most unused pushed requests (RFC 9126 §2.3).
///
/// The new request is refused and no old one is deleted, because a browser may be about to present each old one.
package struct TooManyPushedRequestsError: Error, Sendable, Equatable {
    package let retryAfter: Duration

    /// The wait after which browsers have used some of the requests.
    fileprivate static let wait: Duration = .seconds(5)
}

extension AuthorizationParameters {
    /// The parameters that are ``understood``.
    ///
    /// The client's credentials are left out. So are unknown parameters, which would fill the database (RFC 6749 §3.1).
    fileprivate var kept: AuthorizationParameters {
        AuthorizationParameters(values: values.filter { Self.understood.contains($0.key) }, resources: resources)
    }
}
