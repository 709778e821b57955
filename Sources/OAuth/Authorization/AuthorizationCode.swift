package import Kernel

/// An authorization code as it is kept: by its digest, with what it stands for and what it is bound to.
package struct AuthorizationCode: Sendable, Equatable {
    /// SHA-256 of the code.
    package let digest: Digest256
    package let grant: AuthorizedGrant
    /// Where it was sent.
    package let redirectURI: String
    /// See ``AuthorizationRequest/namesRedirectURI``.
    package let namesRedirectURI: Bool
    /// The S256 challenge (RFC 7636 §4.4); `nil`: no verifier fits.
    package let codeChallenge: Digest256?
    /// The key that it is bound to (RFC 9449 §10).
    package let proofKey: Digest256?
    package let issuedAt: Instant
    package let expiresAt: Instant
    package let redeemedAt: Instant?
    /// What it has opened.
    package let session: SessionID?

    package init(
        digest: Digest256,
        grant: AuthorizedGrant,
        redirectURI: String,
        namesRedirectURI: Bool,
        codeChallenge: Digest256?,
        proofKey: Digest256?,
        issuedAt: Instant,
        expiresAt: Instant,
        redeemedAt: Instant? = nil,
        session: SessionID? = nil
    ) {
        self.digest = digest
        self.grant = grant
        self.redirectURI = redirectURI
        self.namesRedirectURI = namesRedirectURI
        self.codeChallenge = codeChallenge
        self.proofKey = proofKey
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.redeemedAt = redeemedAt
        self.session = session
    }
}

/// A code that was redeemed just now.
package struct RedeemedCode: Sendable, Equatable {
    package let grant: AuthorizedGrant
    /// For ``AuthorizationService/note(session:for:in:)``.
    package let code: Digest256
}

/// A code came a second time, from its client and with all that it is bound to: one of the two is not who they say.
///
/// What it has opened has to be revoked (RFC 6749 §4.1.2, RFC 9700 §4.2.4).
package struct CodeReplayedError: Error, Sendable, Equatable {
    package let session: SessionID?
}

/// What somebody has agreed that a client gets, until they are asked again.
package struct Consent: Sendable, Equatable {
    package let account: AccountID
    package let clientID: String
    /// The session that it was given in: it counts until that turns out to be somebody else's.
    package let origin: SessionID?
    package let scopes: ScopeSet
    package let resources: Set<String>
    package let grantedAt: Instant
    package let expiresAt: Instant

    package init(
        account: AccountID,
        clientID: String,
        origin: SessionID? = nil,
        scopes: ScopeSet,
        resources: Set<String>,
        grantedAt: Instant,
        expiresAt: Instant
    ) {
        self.account = account
        self.clientID = clientID
        self.origin = origin
        self.scopes = scopes
        self.resources = resources
        self.grantedAt = grantedAt
        self.expiresAt = expiresAt
    }
}
