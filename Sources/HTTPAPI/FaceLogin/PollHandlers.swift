import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn
import Web
import Wire

extension FaceLoginAPI {
    /// `GET|POST /auth/biometric-login/poll/{operationId}`: always 200 for a known operation.
    func poll(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let presented =
            request.method == .post
            ? try await server.body.decodeIfPresent(OperationProofRequest.self, from: request) : nil
        let caller = callers.caller(
            request,
            of: publicID,
            verifier: presented?.codeVerifier,
            returnCode: presented?.returnCode
        )
        var (parked, loaded): (ParkedPoll?, LoadedOperation?) = (nil, nil)
        switch context.pollAdmission {
        case .admitted: break
        case .unread: (parked, loaded) = try await parkedAfterReading(caller, of: publicID, for: request, in: context)
        case .deserted: return try await viewOnDisconnect(of: publicID, for: caller, request, context)
        case .refused(let error): throw error
        // The poll was not intercepted: its body had to be read first, or its path is not in the usual form.
        case nil:
            parked = try admit(caller, to: publicID, for: request, in: context)
            if parked == nil {
                (parked, loaded) = try await parkedAfterReading(caller, of: publicID, for: request, in: context)
            }
        }
        if let parked {
            await parked.park(context)
            if parked.isDeserted { return try await viewOnDisconnect(of: publicID, for: caller, request, context) }
        }
        let polled = try await service.poll(publicID, as: caller, after: loaded) { [callers, following] in
            let proof = try callers.gate.signIn(request)
            var known = callers.withFingerprint(caller, of: request, in: context)
            known.proofKey = proof?.thumbprint
            try following.checkIssued(operationID(context), publicID)
            return (known, proof?.presented.use)
        }
        guard let view = polled else { throw APIError.operationNotFound }
        return try reply(view, for: request, in: context.language.texts(for: request))
    }

    /// Admits a poll whose proofs are all in its head, and returns it if it has to wait for its answer.
    func intercept(_ request: Request, _ context: inout APIContext) -> ParkedPoll? {
        // For a poll without a query, which cannot wait, the handler reads the same proofs and admits it.
        guard Following.hasQuery(request) else { return nil }
        do throws(APIError) {
            let publicID = try publicID(context)
            let parked = try admit(callers.caller(request, of: publicID), to: publicID, for: request, in: context)
            context.pollAdmission = parked == nil && service.cache.card(publicID) == nil ? .unread : .admitted
            return parked
        } catch {
            context.pollAdmission = .refused(error)
            return nil
        }
    }

    /// Returns a poll that waits for a login of another daemon, after reading that, or what was read if it does not wait.
    ///
    /// Neither for a plain poll, and for a login that is known here.
    private func parkedAfterReading(
        _ caller: Caller,
        of publicID: Digest256,
        for request: Request,
        in context: APIContext
    ) async throws -> (ParkedPoll?, LoadedOperation?) {
        guard Following.hasQuery(request), service.cache.card(publicID) == nil else { return (nil, nil) }
        // A read that fails is repeated for the answer, which then tells why.
        let loaded = try? await service.load(operationID(context))
        let parked = try following.parked(publicID, request) {
            callers.withFingerprint(caller, of: request, in: context)
        }
        // While a poll waits its login moves on.
        return (parked, parked == nil ? loaded : nil)
    }

    private func admit(
        _ caller: Caller,
        to publicID: Digest256,
        for request: Request,
        in context: APIContext
    ) throws(APIError) -> ParkedPoll? {
        let recognised = { [callers] (caller: Caller) in callers.withFingerprint(caller, of: request, in: context) }
        try following.admit(caller, to: publicID, isPoll: true, for: request, in: context, recognised: recognised)
        return try following.parked(publicID, request) { recognised(caller) }
    }

    /// `GET /auth/biometric-login/events/{operationId}`: streams the login's state, until it ends.
    func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let caller = callers.withFingerprint(callers.caller(request, of: publicID), of: request, in: context)
        try following.admit(caller, to: publicID, isPoll: true, for: request, in: context)
        try following.checkIssued(operationID(context), publicID)
        return try await following.stream(of: publicID, to: .caller(caller), for: request, in: context)
    }

    /// Returns the answer for a client that closed its connection, or only its own side and still reads.
    private func viewOnDisconnect(
        of publicID: Digest256,
        for caller: Caller,
        _ request: Request,
        _ context: APIContext
    ) async throws -> Response {
        guard let view = try await service.viewOnDisconnect(publicID, caller) else { throw APIError.operationNotFound }
        return PollReply.encode(view, interval: following.pollInterval, in: context.language.texts(for: request))
    }

    /// Returns the SHA-256 of the operation's id in the path, by which the operation is stored.
    func publicID(_ context: APIContext) throws(APIError) -> Digest256 { Digest256(sha256: try operationID(context)) }

    /// Returns the operation's id in the path.
    func operationID(_ context: APIContext) throws(APIError) -> UUIDBits {
        let id = context.operationID ?? context.parameters.get("operationId").flatMap { UUIDBits($0) }
        guard let id else { throw APIError.operationNotFound }
        return id
    }

    /// Encodes the view with the tokens that this poll collected, whatever the cache has by then.
    func reply(
        _ view: PollView,
        for request: Request,
        in texts: @autoclosure () -> LocalizedStrings
    ) throws -> Response {
        guard case .completed(let grant, let delivery, let seq) = view else {
            return PollReply.encode(view, interval: following.pollInterval, in: texts())
        }
        let claims = SessionClaims(grant, of: delivery.person.account, boundTo: delivery.proofKey)
        let pair = try replies.tokens.first(claims, under: delivery.policy, isRepeated: delivery.isRepeated)
        var response = PollReply.encode(LoginTokens(pair), delivery.person, seq: seq)
        replies.cookies.set(
            delivery.deviceCookie,
            of: grant.session,
            delivery.policy.clientID,
            refreshToken: pair.refresh,
            until: pair.refreshExpiresAt,
            on: &response,
            for: request
        )
        return response
    }
}
