/// A means by which a request can prove a right.
///
/// A proof with its own location in a request is named as the security schemes of docs/openapi.yaml. A test compares
/// the `security` lines there with the routes. The others are in the path or in the body, where OpenAPI has no scheme.
package enum Proof: String, Sendable, CaseIterable {
    case accessToken, refreshToken, refreshCookie, codeVerifier, bindingCookie, deviceCookie, deviceCredential
    case browserCookie, webhookSignature
    /// A browser's session, by its cookie (`yapt.sid`; over https with its companion).
    case webSession
    /// The cookie of the browser whose authorization request waits for a person (`vst_oauth`; over https with its
    /// companion).
    case interactionCookie
    /// The cookie of the browser that went to a bank (`vst_enroll`; over https with its companion).
    case enrollmentCookie
    /// The cookie of the browser that was asked whose wallet a bank's cards are to go into (`vst_question`; over https
    /// with its companion).
    case questionCookie
    /// The key in the header DPoP (RFC 9449): an access token or a session is bound to it, or new tokens are to be.
    case dpop
    /// A refresh token in the body.
    case refreshTokenInBody
    /// A password, a mailed code, or a signature by a device's key or a passkey, in the body.
    case credentials
    /// A token in the body that represents a card in one confirmed payment.
    case cardToken
    /// An OAuth client's own proof: its secret (Basic, or in the body) or its assertion (RFC 6749 §2.3, RFC 7523 §2.2).
    case clientAuthentication
    /// The token in the header Authorization that lets an OAuth client register itself (RFC 7591 §3).
    case initialAccessToken
    /// The secret of a link, in the path, the query or a page's form. The answer to a login's start has such a link,
    /// and a provider, an upstream or a bank sends a browser back by one.
    case ticket
    /// The secret of a link in a mail, in the path.
    case mailLink

    /// The security scheme of docs/openapi.yaml; `nil` for a proof without a scheme.
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
