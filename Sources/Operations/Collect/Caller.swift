package import Kernel

/// The proofs that a request presents; the HTTP layer reads them and ``Visibility`` judges them.
package struct Caller: Sendable, Equatable {
    /// SHA-256 of the code verifier that was presented: what the challenge must be (RFC 7636 §4.6).
    package var challenge: Digest256?
    /// SHA-256 of the binding cookie that was presented for this operation.
    package var bindingCookie: Digest256?
    /// SHA-256 of each secret of the device cookie that was presented.
    package var deviceCookies: [Digest256]
    /// A keyed digest of its address and user agent.
    package var fingerprint: Digest256?
    /// SHA-256 of the return code that was presented.
    package var returnCode: Digest256?
    /// The session of a valid access token that was presented.
    package var session: SessionID?
    /// The thumbprint of the key whose valid proof came with the request; a collected session is bound to it (RFC
    /// 9449).
    package var proofKey: Digest256?

    package init(
        challenge: Digest256? = nil,
        bindingCookie: Digest256? = nil,
        deviceCookies: [Digest256] = [],
        fingerprint: Digest256? = nil,
        returnCode: Digest256? = nil,
        session: SessionID? = nil
    ) {
        self.challenge = challenge
        self.bindingCookie = bindingCookie
        self.deviceCookies = deviceCookies
        self.fingerprint = fingerprint
        self.returnCode = returnCode
        self.session = session
    }

    /// The identity among the waiters of one operation: the proof, or else the source of the request.
    package var waitsAs: Digest256 {
        challenge ?? bindingCookie ?? session.map { Digest256(sha256: $0.bits) } ?? fingerprint ?? Self.unknown
    }

    /// The identity of all callers that present nothing.
    private static let unknown = Digest256(sha256: "unknown")

    /// A client that sends any of our cookies keeps cookies.
    package var keepsCookies: Bool { bindingCookie != nil || !deviceCookies.isEmpty }
}
