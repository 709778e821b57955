/// Something that a request can show a right with.
///
/// Those that have a place of their own in a request are named as the security schemes of docs/openapi.yaml, and a test
/// compares its `security` lines with the routes. The others stand in the path or in the body, where OpenAPI has none.
package enum Proof: String, Sendable, CaseIterable {
    case accessToken, refreshToken, refreshCookie, codeVerifier, bindingCookie, deviceCookie, deviceCredential
    case browserCookie, webhookSignature
    /// A browser's session, by its cookie (`yapt.sid`; over https with its twin).
    case webSession
    /// The cookie of the browser whose authorization request waits for a person (`vst_oauth`; over https with its twin).
    case interactionCookie
    /// The cookie of the browser that went to a bank (`vst_enroll`; over https with its twin).
    case enrollmentCookie
    /// The cookie of the browser that was asked whose wallet a bank's cards are to go into (`vst_question`; over https with
    /// its twin).
    case questionCookie
    /// In the header DPoP: the key that an access token or a session is bound to, or that new tokens are to be bound to
    /// (RFC 9449).
    case dpop
    /// In the body.
    case refreshTokenInBody
    /// In the body: a password, a code that came by mail, or the signature of a device's key or of a passkey.
    case credentials
    /// In the body: what stands for a card in one payment that was confirmed.
    case cardToken
    /// An OAuth client's own: its secret (Basic, or in the body) or its assertion (RFC 6749 §2.3, RFC 7523 §2.2).
    case clientAuthentication
    /// In the header Authorization: what lets an OAuth client register itself (RFC 7591 §3).
    case initialAccessToken
    /// In the path, the query or a page's form: the secret of a link that a login's start answered with, or that a provider,
    /// an upstream or a bank sends a browser back by.
    case ticket
    /// In the path: the secret of a link in a mail.
    case mailLink

    /// The security scheme of docs/openapi.yaml; `nil` where it has none.
    package var scheme: String? {
        switch self {
        case .accessToken, .refreshToken, .refreshCookie, .codeVerifier, .bindingCookie, .deviceCookie,
            .deviceCredential, .browserCookie, .webhookSignature, .webSession, .interactionCookie, .enrollmentCookie,
            .questionCookie, .dpop, .initialAccessToken:
            rawValue
        case .clientAuthentication: "clientBasic"
        case .refreshTokenInBody, .credentials, .cardToken, .ticket, .mailLink: nil
        }
    }
}
