import Hummingbird
import Kernel
import Operations

extension FaceLoginAPI {
    /// What a client that polls too fast has to add to its interval (RFC 8628 §3.5).
    private static let slowDownStep = 5

    /// Lets a request about a login in, or refuses it with the advice to come back later.
    func admit(
        _ publicID: Digest256,
        _ caller: Caller,
        isPoll: Bool,
        _ request: Request,
        _ context: APIContext
    ) throws(Problem) {
        do throws(LimitExceeded) {
            try desk.admit(publicID, caller, isPoll: isPoll) { source(of: request, context) }
        } catch {
            guard error.limit == .pollsPerOperation else { throw Problem(error, bodyLimit: settings.bodyLimit) }
            throw Problem.slowDown(interval: settings.pollInterval + Self.slowDownStep)
        }
    }

    /// What a device may be known by again: its cookies, its credential.
    func deviceSecrets(_ request: Request) -> [Digest256] {
        let credential = request.headers[our: .xDeviceCredential].map { Digest256(sha256: $0) }
        return callers.deviceCookies(request).digests + (credential.map { [$0] } ?? [])
    }

    /// Whom the limits count.
    func source(of request: Request, _ context: APIContext) -> RequestSource {
        desk.limits.source(of: callers.addresses.client(of: request, context)?.counted.bytes ?? [])
    }
}
