import HTTPTypes
import Hummingbird
import Kernel
import Operations
import SignIn
import Wire

extension FaceLoginAPI {
    /// `GET|POST /auth/biometric-login/poll/{operationId}`: always 200 for a known operation.
    func poll(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let brought =
            request.method == .post
            ? try await body.decodeIfPresent(OperationProofRequest.self, from: request) : nil
        let caller = callers.caller(
            request,
            of: publicID,
            verifier: brought?.codeVerifier,
            returnCode: brought?.returnCode
        )
        switch context.entrance {
        case .admitted: break
        case .deserted: return try await farewell(publicID, caller, request)
        case .refused(let problem): throw problem
        // A body had to be read first, or the path was written in a way of its own.
        case nil:
            guard let parked = try enter(publicID, caller, request, context) else { break }
            await parked.park(context)
            if parked.isDeserted { return try await farewell(publicID, caller, request) }
        }
        let polled = try await service.poll(publicID, as: caller) {
            let proof = try callers.gate.signIn(request)
            var known = callers.withFingerprint(caller, request, context)
            known.proofKey = proof?.thumbprint
            return (known, { try proof?.use() })
        }
        guard let view = polled else { throw APIError.operationNotFound }
        return try reply(view, publicID, request)
    }

    /// Lets a poll in whose proofs are all in its head, and says for what it is to wait before it is answered.
    func enter(_ request: Request, _ context: inout APIContext) -> ParkedPoll? {
        // Who doesn't wait is let in by the handler, which reads the same proofs.
        guard Following.hasQuery(request) else { return nil }
        do throws(APIError) {
            let publicID = try publicID(context)
            let parked = try enter(publicID, callers.caller(request, of: publicID), request, context)
            context.entrance = .admitted
            return parked
        } catch {
            context.entrance = .refused(error)
            return nil
        }
    }

    private func enter(
        _ publicID: Digest256,
        _ caller: Caller,
        _ request: Request,
        _ context: APIContext
    ) throws(APIError) -> ParkedPoll? {
        let recognised = { (caller: Caller) in callers.withFingerprint(caller, request, context) }
        try following.admit(publicID, caller, isPoll: true, request, context, recognised: recognised)
        return try following.parked(publicID, request) { recognised(caller) }
    }

    /// `GET /auth/biometric-login/events/{operationId}`: where the login stands, until it ends.
    func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let caller = callers.withFingerprint(callers.caller(request, of: publicID), request, context)
        try following.admit(publicID, caller, isPoll: true, request, context)
        return try await following.stream(publicID, caller, request, context)
    }

    /// For a client that has gone away; one that only closed its side of the connection reads it.
    private func farewell(_ publicID: Digest256, _ caller: Caller, _ request: Request) async throws -> Response {
        guard let view = try await service.farewell(publicID, caller) else { throw APIError.operationNotFound }
        return PollReply.encode(view, interval: following.pollInterval, for: request)
    }

    /// The operation that the path names, by the digest it is kept under.
    func publicID(_ context: APIContext) throws(APIError) -> Digest256 {
        let id = context.operationID ?? context.parameters.get("operationId").flatMap { UUIDBits($0) }
        guard let id else { throw APIError.operationNotFound }
        return Digest256(sha256: id)
    }

    private func reply(_ view: PollView, _ publicID: Digest256, _ request: Request) throws -> Response {
        guard case .completed(let grant, let delivery, let seq) = view else {
            return PollReply.encode(view, interval: following.pollInterval, for: request)
        }
        guard let policy = service.cache.card(publicID)?.operation.policy else { throw APIError.operationNotFound }
        let claims = SessionClaims(grant, of: delivery.person.account, boundTo: delivery.proofKey)
        let pair = try tokens.first(claims, under: policy, isRepeated: delivery.isRepeated)
        var response = PollReply.encode(LoginTokens(pair), delivery.person, seq: seq)
        cookies.set(
            delivery.deviceCookie,
            of: grant.session,
            policy.clientID,
            refreshToken: pair.refresh,
            until: pair.refreshExpiresAt,
            on: &response,
            for: request
        )
        return response
    }
}
