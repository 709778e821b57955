package import Kernel
package import OAuth
import Tokens

/// The tokens that tell clients of the end of their sessions.
extension TokenSet {
    /// How long a logout token is valid: its recipient checks it at once (Back-Channel Logout §2.4).
    private static let logoutLifetime = Duration.seconds(120)

    /// Signs the logout token of a notice with an algorithm of id tokens; `nil` is that of access tokens.
    ///
    /// - Throws: ``SigningError``.
    package func logout(_ notice: LogoutNotice, by algorithm: IdentityAlgorithm?) throws -> Secret {
        let now = environment.now()
        let claims = LogoutClaims(
            account: notice.account,
            clientID: notice.client,
            session: notice.session,
            issuedAt: now,
            expiresAt: now + Self.logoutLifetime
        )
        return try issuer.sign(logout: claims, by: algorithm?.signing)
    }
}
