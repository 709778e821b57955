package import Kernel
package import OAuth
package import Operations

/// The claims of the first two tokens of a session.
package struct SessionClaims: Sendable {
    package let account: AccountID
    package let session: SessionID
    /// The client's own name for its device, unchanged.
    package let deviceID: String?
    package let accessTokenID: UUIDBits
    package let refreshTokenID: UUIDBits
    package let issuedAt: Instant
    package let authentication: AuthenticationContext
    /// The key that the tokens are bound to, by its thumbprint.
    package let proofKey: Digest256?

    package init(
        account: AccountID,
        session: SessionID,
        deviceID: String?,
        accessTokenID: UUIDBits,
        refreshTokenID: UUIDBits,
        issuedAt: Instant,
        authentication: AuthenticationContext,
        proofKey: Digest256?
    ) {
        self.account = account
        self.session = session
        self.deviceID = deviceID
        self.accessTokenID = accessTokenID
        self.refreshTokenID = refreshTokenID
        self.issuedAt = issuedAt
        self.authentication = authentication
        self.proofKey = proofKey
    }
}

extension SessionClaims {
    /// Creates the claims of a login by face.
    package init(_ grant: Grant, of account: AccountID, boundTo proofKey: Digest256?) {
        self.init(
            account: account,
            session: grant.session,
            deviceID: nil,
            accessTokenID: grant.accessTokenID,
            refreshTokenID: grant.refreshTokenID,
            issuedAt: grant.issuedAt,
            authentication: AuthenticationContext(
                methods: AuthenticationProof.face.methods,
                at: grant.authenticatedAt,
                session: grant.session
            ),
            proofKey: proofKey
        )
    }
}
