import Hummingbird
import Kernel
import Operations
import TokenReading

extension FaceLoginAPI {
    /// `POST /auth/biometric-login/ack/{operationId}`: the client has the tokens, which are never delivered again.
    func acknowledge(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        let (publicID, caller) = try await provenCaller(request, context, by: guest)
        return try PollReply.receipt(
            await service.acknowledge(publicID, caller),
            in: context.language.texts(for: request)
        )
    }

    /// `POST /auth/biometric-login/cancel/{operationId}`: the person has given up.
    func cancel(_ request: Request, _ context: APIContext, by guest: Guest) async throws -> Response {
        let (publicID, caller) = try await provenCaller(request, context, by: guest)
        return try PollReply.receipt(
            await service.cancel(publicID, caller),
            in: context.language.texts(for: request)
        )
    }

    private func provenCaller(
        _ request: Request,
        _ context: APIContext,
        by guest: Guest
    ) async throws -> (Digest256, Caller) {
        let publicID = try publicID(context)
        let proof = try await server.body.decodeIfPresent(OperationProofRequest.self, from: request)
        var caller = callers.caller(request, of: publicID, verifier: proof?.codeVerifier)
        try following.admit(caller, to: publicID, isPoll: false, for: request, in: context) {
            callers.withFingerprint($0, of: request, in: context)
        }
        caller.session = try await guest.claims()?.session
        try following.checkIssued(operationID(context), publicID)
        return (publicID, caller)
    }
}
