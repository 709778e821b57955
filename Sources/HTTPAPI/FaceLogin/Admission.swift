import Hummingbird
import Kernel
import Operations

extension FaceLoginAPI {
    /// Lets a request about a login in, or refuses it with the advice to come back later.
    func admit(
        _ publicID: Digest256,
        _ caller: Caller,
        isPoll: Bool,
        _ request: Request,
        _ context: APIContext
    ) throws(Problem) {
        try following.admit(publicID, caller, isPoll: isPoll, request, context)
    }

    /// What a device may be known by again: its cookies, its credential.
    func deviceSecrets(_ request: Request) -> [Digest256] {
        let credential = request.headers[our: .xDeviceCredential].map { Digest256(sha256: $0) }
        return callers.deviceCookies(request).digests + (credential.map { [$0] } ?? [])
    }

    /// Whom the limits count.
    func source(of request: Request, _ context: APIContext) -> RequestSource { following.source(of: request, context) }
}
