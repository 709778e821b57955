package import Crypto
import HTTPTypes
import Hummingbird
import Kernel
import Operations

/// Reads from a request what it proves: verifier, cookies, and as a last resort where it comes from.
package struct CallerReader: Sendable {
    private let fingerprints: KeyedHash
    /// Reads the proof of the key that whatever a request collects is to be bound to; used up by what hands that out.
    let gate: DPoPGate
    private let addresses: ClientAddresses

    package init(fingerprintKey: SymmetricKey, gate: DPoPGate, addresses: ClientAddresses) {
        fingerprints = KeyedHash(key: fingerprintKey)
        self.gate = gate
        self.addresses = addresses
    }

    /// The proofs that cost nothing to read: what a poll of a pending operation needs.
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
            deviceCookies: cookies.isEmpty ? [] : SignInCookies.brought(request).digests,
            returnCode: (returnCode ?? request.headers[our: .xReturnCode]).map { Digest256(sha256: $0) }
        )
    }

    /// The same, with the digest of address and user agent.
    func withFingerprint(_ caller: Caller, of request: Request, in context: APIContext) -> Caller {
        var caller = caller
        caller.fingerprint = fingerprints.digest(
            addresses.client(of: request, context)?.bytes ?? [],
            [0],
            Array((request.headers[.userAgent] ?? "-").utf8)
        )
        return caller
    }

    /// The cookie that ties an operation to the client that started it.
    ///
    /// Each operation has a name of its own, so that two logins in one browser don't overwrite each other.
    func bindingCookie(_ begun: BegunOperation, isSecure: Bool) -> OutgoingCookie {
        let policy = begun.operation.policy
        return OutgoingCookie(
            name: Self.bindingCookieName(begun.operation.publicID),
            value: begun.bindingCookie,
            path: "/",
            maxAge: policy.lifetime + policy.approvalWindow + policy.redemptionWindow,
            isSecure: isSecure
        )
    }

    private static func bindingCookieName(_ publicID: Digest256) -> String {
        "vst_op_" + String(publicID.prefixWord, radix: 36)
    }

    /// RFC 7636 §4.1: 43 to 128 characters; §4.6: its SHA-256 must be the challenge.
    private static func challenge(_ verifier: String) -> Digest256? {
        guard (43...128).contains(verifier.utf8.count) else { return nil }
        return Digest256(sha256: verifier)
    }
}
