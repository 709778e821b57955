package import Kernel

/// What a person has granted a client, however it came about: by a code, a backchannel request, or a device's code.
///
/// Tokens are made of it and of nothing else.
package struct AuthorizedGrant: Sendable, Equatable {
    package let account: AccountID
    package let clientID: String
    package let scopes: ScopeSet
    /// The resources that tokens may be for (RFC 8707); empty: the client's own audience.
    package let resources: [String]
    package let authentication: AuthenticationContext
    /// `nonce` of the authorization request, for the id token.
    package let nonce: String?
    /// `urn:openid:params:jwt:claim:auth_req_id` of a pushed id token (CIBA Core §10.3.1).
    package let backchannelRequest: String?
    /// What the request asked the id token to say of the person.
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

/// How and when a person proved who they are.
package struct AuthenticationContext: Sendable, Equatable {
    /// RFC 8176 values, as in a session.
    package let methods: [String]
    package let at: Instant
    /// The passkey among the proofs: with it goes whatever it has opened.
    package let passkey: PasskeyID?
    /// The session that the proof opened: whatever ends that session's sign-in ends what is granted on it.
    package let session: SessionID?

    package init(methods: [String], at: Instant, passkey: PasskeyID? = nil, session: SessionID? = nil) {
        self.methods = methods
        self.at = at
        self.passkey = passkey
        self.session = session
    }
}
