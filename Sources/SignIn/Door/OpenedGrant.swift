package import Kernel
package import OAuth
package import Sessions

/// A session of the authorization server, with the grant that opened it.
package struct OpenedGrant: Sendable {
    package let session: SessionID
    let grant: AuthorizedGrant
    let issuedAt: Instant
    /// The `jti` of the session's first refresh token.
    let refreshTokenID: String
    /// The key that the session's access tokens are bound to (RFC 9449 §6).
    let proofKey: Digest256?

    /// Returns the limits that a token request sets within the grant, or without a request those of the grant.
    ///
    /// - Throws: ``OAuthError`` `invalid_scope`, `invalid_target`.
    package func limits(
        _ request: TokenLimitsRequest = TokenLimitsRequest(),
        of client: OAuthClient
    ) throws(OAuthError) -> TokenLimits {
        try grant.limits(request, of: client)
    }
}

extension AuthorizedGrant {
    /// Combines the grant from a session and its limits.
    package init(_ limits: SessionGrant, of session: Session) {
        self.init(
            account: session.account,
            clientID: limits.clientID,
            scopes: limits.scopes,
            resources: limits.resources,
            authentication: AuthenticationContext(of: session),
            nonce: limits.nonce,
            backchannelRequest: limits.backchannelRequest,
            identityClaims: limits.identityClaims
        )
    }
}

extension AuthenticationContext {
    /// Creates the context in which the person of the session authenticated.
    package init(of session: Session) {
        self.init(
            methods: session.authentication.methods,
            at: session.authentication.at,
            passkey: session.authentication.passkey,
            session: session.id
        )
    }
}
