package import Kernel

/// The proofs that a request presents, read by the HTTP layer and evaluated by ``Visibility``.
package struct Caller: Sendable, Equatable {
    /// SHA-256 of the presented code verifier, to compare with the code challenge (RFC 7636 §4.6).
    package var challenge: Digest256?
    /// SHA-256 of the binding cookie for this operation.
    package var bindingCookie: Digest256?
    /// SHA-256 of each secret in the presented device cookie.
    package var deviceCookies: [Digest256]
    /// A keyed digest of the request's address and user agent.
    package var fingerprint: Digest256?
    /// SHA-256 of the presented return code.
    package var returnCode: Digest256?
    /// The session of the presented valid access token.
    package var session: SessionID?
    /// The thumbprint of the key in the request's valid DPoP proof (RFC 9449), to which a collected session is bound.
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

    /// The caller's identity among the waiters of an operation: its proof, or else the source of the request.
    package var waitsAs: Digest256 {
        challenge ?? bindingCookie ?? session.map { Digest256(sha256: $0.bits) } ?? fingerprint ?? Self.unknown
    }

    /// The identity of every caller that presents no proof and has no known source.
    private static let unknown = Digest256(sha256: "unknown")

    /// Whether the client keeps cookies, because it sends one of this server's.
    package var keepsCookies: Bool { bindingCookie != nil || !deviceCookies.isEmpty }
}
