import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations
import Wire

extension FaceLoginAPI {
    /// Lets a request about a login in, or refuses it with the advice to come back later.
    func admit(
        _ publicID: Digest256,
        _ caller: Caller,
        isPoll: Bool,
        _ request: Request,
        _ context: APIContext
    ) throws(APIError) {
        try following.admit(publicID, caller, isPoll: isPoll, request, context) {
            callers.withFingerprint(caller, request, context)
        }
    }

    /// What a start may be known by again: device cookies, the credential, a device's signature.
    func broughtProofs(_ order: InitiateLoginRequest, _ request: Request) -> BroughtProofs {
        let brought = callers.deviceCookies(request)
        let credential = request.deviceCredential
        return BroughtProofs(
            minted: brought.digests { cookies.isMinted($0) },
            others: brought.digests { !cookies.isMinted($0) } + [credential].compactMap { $0 },
            signed: signedStart(order, request)
        )
    }

    /// What can't be read proves nothing; its fault is told further on.
    private func signedStart(_ order: InitiateLoginRequest, _ request: Request) -> SignedStart? {
        guard order.deviceSignature != nil, let policy = try? client(order, request),
            let challenge = try? self.challenge(order, policy),
            let signature = try? deviceProof(order, request, challenge).signature
        else { return nil }
        return SignedStart(signature, client: policy.clientID)
    }

    /// Whom the limits count.
    func source(of request: Request, _ context: APIContext) -> RequestSource { following.source(of: request, context) }
}
