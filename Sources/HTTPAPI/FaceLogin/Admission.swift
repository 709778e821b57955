import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Wire

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
            try desk.admit(publicID, caller, isPoll: isPoll) {
                callers.withFingerprint(caller, request, context)
            } from: {
                source(of: request, context)
            }
        } catch {
            guard error.limit == .pollsPerOperation else { throw Problem(error, bodyLimit: settings.bodyLimit) }
            throw Problem.slowDown(interval: settings.pollInterval + Self.slowDownStep)
        }
    }

    /// What a start may be known by again: device cookies, the credential, the device that signed.
    func broughtProofs(_ order: InitiateLoginRequest, _ request: Request) -> BroughtProofs {
        let cookies = callers.deviceCookies(request)
        let credential = request.headers[our: .xDeviceCredential].map { Digest256(sha256: $0) }
        let signer = order.deviceSignature == nil ? nil : order.deviceId.map { DeviceSignature.mark(of: $0) }
        return BroughtProofs(
            minted: cookies.digests { grants.deviceCookies.isMinted($0) },
            others: cookies.digests { !grants.deviceCookies.isMinted($0) } + [credential, signer].compactMap { $0 }
        )
    }

    /// Whom the limits count.
    func source(of request: Request, _ context: APIContext) -> RequestSource {
        desk.limits.source(of: counted(request, context))
    }

    /// Whom a person may say "This wasn't me" of.
    func initiator(of request: Request, _ context: APIContext) -> RequestSource {
        desk.limits.initiator(at: counted(request, context), agent: request.headers[.userAgent] ?? "")
    }

    private func counted(_ request: Request, _ context: APIContext) -> [UInt8] {
        callers.addresses.client(of: request, context)?.counted.bytes ?? []
    }
}
