/// A means by which a request proves a right.
///
/// A proof with a location of its own in requests has the name of its security scheme in docs/openapi.yaml. A test
/// compares the `security` lines there with the routes. The other proofs are in the path or the body, for which OpenAPI
/// has no scheme.
package enum Proof: String, Sendable, CaseIterable {
    case accessToken, refreshToken, refreshCookie, codeVerifier, bindingCookie, deviceCookie, deviceCredential
    case browserCookie, webhookSignature
    /// The cookie of a browser's session (`yapt.sid`; over https with its companion).
    case webSession
    /// The cookie of the browser that sent an authorization request (`vst_oauth`; over https with its companion).
    case interactionCookie
    /// The cookie of a browser that was sent to a bank (`vst_enroll`; over https with its companion).
    case enrollmentCookie
    /// The cookie of a browser that was asked whose wallet gets a bank's cards (`vst_question`; over https with its
    /// companion).
    case questionCookie
    /// The proof of a key in the header DPoP (RFC 9449), to which existing or new tokens are bound.
    case dpop
    /// A refresh token in the body.
    case refreshTokenInBody
    /// A password, a mailed code, or the signature of a device's key or a passkey, in the body.
    case credentials
    /// A token in the body that represents a card in one confirmed payment.
    case cardToken
    /// The proof of an OAuth client: a secret (Basic, or in the body) or an assertion (RFC 6749 §2.3, RFC 7523 §2.2).
    case clientAuthentication
    /// The token in the header Authorization with which an OAuth client registers itself (RFC 7591 §3).
    case initialAccessToken
    /// The secret of a link, in the path, the query or a page's form.
    ///
    /// The answer to a login's start has such a link. A provider, an upstream or a bank sends a browser back by one.
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
