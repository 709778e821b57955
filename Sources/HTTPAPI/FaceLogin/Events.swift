import HTTPTypes
import Hummingbird
import Kernel
import Operations

extension FaceLoginAPI {
    /// `GET /auth/biometric-login/events/{operationId}`: where the login stands, until it ends.
    @Sendable func events(_ request: Request, _ context: APIContext) async throws -> Response {
        let publicID = try publicID(context)
        let caller = callers.withFingerprint(callers.caller(request, of: publicID), request, context)
        try admit(publicID, caller, isPoll: true, request, context)
        return try await following.stream(publicID, caller, request, context)
    }
}
