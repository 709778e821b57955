package import Sessions
package import Tokens

/// A refresh token that a request presents: correctly signed and not expired.
///
/// The token's row shows whether it was replaced or revoked.
package struct PresentedRefreshToken: Sendable {
    package let text: String
    package let claims: RefreshClaims
    package let carrier: RefreshCarrier

    package init(text: String, claims: RefreshClaims, carrier: RefreshCarrier) {
        self.text = text
        self.claims = claims
        self.carrier = carrier
    }
}
