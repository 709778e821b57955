package import Kernel

/// An authorization code as it is stored: by its digest, with its grant and its bindings.
package struct AuthorizationCode: Sendable, Equatable {
    /// SHA-256 of the code.
    package let digest: Digest256
    package let grant: AuthorizedGrant
    package let binding: Binding
    package let issuedAt: Instant
    package let expiresAt: Instant
    package let redeemedAt: Instant?
    /// The session that was opened with the code; `nil` before the redemption.
    package let session: SessionID?

    package init(
        digest: Digest256,
        grant: AuthorizedGrant,
        binding: Binding,
        issuedAt: Instant,
        expiresAt: Instant,
        redeemedAt: Instant? = nil,
        session: SessionID? = nil
    ) {
        self.digest = digest
        self.grant = grant
        self.binding = binding
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.redeemedAt = redeemedAt
        self.session = session
    }

    /// The values that the code was issued for.
    ///
    /// The token request must match them.
    package struct Binding: Sendable, Equatable {
        /// The redirect URI that the code was sent to.
        package let redirectURI: String
        /// Whether the authorization request named the redirect URI.
        ///
        /// See ``AuthorizationRequest/Target/namesRedirectURI``.
        package let namesRedirectURI: Bool
        /// The S256 challenge (RFC 7636 §4.4); with `nil` every verifier is refused.
        package let codeChallenge: Digest256?
        /// The thumbprint of the key that the code is bound to (RFC 9449 §10).
        package let proofKey: Digest256?

        package init(redirectURI: String, namesRedirectURI: Bool, codeChallenge: Digest256?, proofKey: Digest256?) {
            self.redirectURI = redirectURI
            self.namesRedirectURI = namesRedirectURI
            self.codeChallenge = codeChallenge
            self.proofKey = proofKey
        }
    }
}

/// The grant of a code that was redeemed just now.
package struct RedeemedCode: Sendable, Equatable {
    package let grant: AuthorizedGrant
    /// The digest of the code, for ``AuthorizationService/note(session:for:in:)``.
    package let code: Digest256
}

/// The error of a code that its client presents a second time, with every binding: one of the two presenters is an
/// attacker.
///
/// The caller must revoke the session that was opened with the code (RFC 6749 §4.1.2, RFC 9700 §4.2.4).
package struct CodeReplayedError: Error, Sendable, Equatable {
    package let session: SessionID?
}

/// A person's consent to a client's access, until they are asked again.
package struct Consent: Sendable, Equatable {
    package let account: AccountID
    package let clientID: String
    /// The session that the consent was given in.
    ///
    /// The consent ends if that session turns out to be an attacker's.
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
