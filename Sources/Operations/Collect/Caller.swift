package import Kernel

/// What a request proves about its sender.
///
/// Made by the HTTP layer, judged by ``Visibility``.
package struct Caller: Sendable, Equatable {
    /// SHA-256 of the code verifier that it brought: what the challenge must be (RFC 7636 §4.6).
    package var challenge: Digest256?
    /// SHA-256 of the binding cookie that it brought for this operation.
    package var bindingCookie: Digest256?
    /// SHA-256 of each secret of the device cookie that it brought.
    package var deviceCookies: [Digest256]
    /// A keyed digest of its address and user agent.
    package var fingerprint: Digest256?
    /// SHA-256 of the return code that it brought.
    package var returnCode: Digest256?
    /// The session of a valid access token that it brought.
    package var session: SessionID?
    /// The thumbprint of the key whose proof came with the request, which was found good: what a session that it
    /// collects is bound to (RFC 9449).
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

    /// Who it is among those that wait for one operation: by its proof, or else by where it comes from.
    package var waitsAs: Digest256 {
        challenge ?? bindingCookie ?? session.map { Digest256(sha256: $0.bits) } ?? fingerprint ?? Self.unknown
    }

    /// Shared by the callers that show nothing at all.
    private static let unknown = Digest256(sha256: "unknown")

    /// A client that sends any of our cookies keeps cookies.
    package var keepsCookies: Bool { bindingCookie != nil || !deviceCookies.isEmpty }
}
