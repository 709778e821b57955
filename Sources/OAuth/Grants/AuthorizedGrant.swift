package import Kernel

/// The grant of a person to a client, by an authorization code, a backchannel request or a device code.
///
/// Tokens are issued only from such a grant.
package struct AuthorizedGrant: Sendable, Equatable {
    package let account: AccountID
    package let clientID: String
    package let scopes: ScopeSet
    /// The resources for which tokens may be issued (RFC 8707).
    ///
    /// If empty, tokens are for the client's own audience.
    package let resources: [String]
    package let authentication: AuthenticationContext
    /// `nonce` of the authorization request, for the id token.
    package let nonce: String?
    /// The claim `urn:openid:params:jwt:claim:auth_req_id` of a pushed id token (CIBA Core §10.3.1).
    package let backchannelRequest: String?
    /// The claims about the person that the request asked for in the id token.
    package let identityClaims: Set<IdentityClaim>

    package init(
        account: AccountID,
        clientID: String,
        scopes: ScopeSet,
        resources: [String],
        authentication: AuthenticationContext,
        nonce: String? = nil,
        backchannelRequest: String? = nil,
        identityClaims: Set<IdentityClaim> = []
    ) {
        self.account = account
        self.clientID = clientID
        self.scopes = scopes
        self.resources = resources
        self.authentication = authentication
        self.nonce = nonce
        self.backchannelRequest = backchannelRequest
        self.identityClaims = identityClaims
    }
}

/// The methods and the time of a person's authentication.
package struct AuthenticationContext: Sendable, Equatable {
    /// The methods as RFC 8176 values.
    package let methods: [String]
    package let at: Instant
    /// The passkey that the person used, if any.
    ///
    /// Deleting it ends its sessions.
    package let passkey: PasskeyID?
    /// The session in which the person authenticated.
    ///
    /// Ending it ends the grants that are based on it.
    package let session: SessionID?

    package init(methods: [String], at: Instant, passkey: PasskeyID? = nil, session: SessionID? = nil) {
        self.methods = methods
        self.at = at
        self.passkey = passkey
        self.session = session
    }
}
