import Crypto
import HTTPTypes
import Hummingbird
import Kernel
import Operations

/// Reads the proofs of a request: code verifier, cookies, and as a last resort the client's address and user agent.
///
/// It is an object, because each poll passes it on several times: a copy of a structure retained eight references.
final class CallerReader: Sendable {
    let fingerprints: KeyedHash
    /// Reads the DPoP proof of the key to which the collected tokens are bound; delivering them uses it up.
    let gate: DPoPGate
    let addresses: ClientAddresses

    init(fingerprints: KeyedHash, gate: DPoPGate, addresses: ClientAddresses) {
        self.fingerprints = fingerprints
        self.gate = gate
        self.addresses = addresses
    }

    /// Returns the proofs that are cheap to read, which are enough for a poll of a pending operation.
    func caller(
        _ request: Request,
        of publicID: Digest256,
        verifier text: String? = nil,
        returnCode: String? = nil
    ) -> Caller {
        let cookies = IncomingCookies(request)
        return Caller(
            challenge: (text ?? request.headers[our: .xCodeVerifier]).flatMap(Self.challenge),
            bindingCookie: cookies.isEmpty
                ? nil : cookies[Self.bindingCookieName(publicID)].map { Digest256(sha256: $0.expose()) },
            deviceCookies: cookies.isEmpty ? [] : SignInCookies.deviceCookies(of: request).digests,
            returnCode: (returnCode ?? request.headers[our: .xReturnCode]).map { Digest256(sha256: $0) }
        )
    }

    /// Returns the same caller, with the digest of address and user agent.
    func withFingerprint(_ caller: Caller, of request: Request, in context: APIContext) -> Caller {
        var caller = caller
        caller.fingerprint = fingerprints.digest(
            addresses.client(of: request, context)?.bytes ?? [],
            [0],
            Array((request.headers[.userAgent] ?? "-").utf8)
        )
        return caller
    }

    /// Returns the cookie that ties an operation to the client that started it.
    ///
    /// Each operation has its own cookie name, so that two logins in one browser don't overwrite each other.
    func bindingCookie(_ begun: BegunOperation, isSecure: Bool) -> OutgoingCookie {
        let policy = begun.operation.request.policy
        return OutgoingCookie(
            name: Self.bindingCookieName(begun.operation.credentials.publicID),
            value: begun.bindingCookie,
            path: "/",
            maxAge: policy.timing.lifetime + policy.timing.approvalWindow + policy.timing.redemptionWindow,
            isSecure: isSecure
        )
    }

    private static func bindingCookieName(_ publicID: Digest256) -> String {
        "vst_op_" + String(publicID.prefixWord, radix: 36)
    }

    /// Returns the code challenge of a verifier with 43 to 128 characters: its SHA-256 (RFC 7636 §4.1, §4.6).
    private static func challenge(_ verifier: String) -> Digest256? {
        guard (43...128).contains(verifier.utf8.count) else { return nil }
        return Digest256(sha256: verifier)
    }
}
