package import Kernel
internal import TokenReading

/// The claims of an id token (OpenID Connect Core §2): who signed in, when and how, for the client that asked.
///
/// The token grants no access, because it has its own `typ` and `type`. Times are whole seconds, as in
/// ``AccessClaims``.
package struct IDTokenClaims: Sendable, Hashable {
    /// `sub`, which is the same for every client (Core §8, `public`).
    package let account: AccountID
    /// `aud`: the client's id.
    package let clientID: String
    /// `sid` (OpenID Connect Session Management): the session that a logout with this token ends.
    package let session: SessionID
    package let issuedAt: Instant
    package let expiresAt: Instant
    /// `auth_time`: the time of the person's last authentication.
    package let authenticatedAt: Instant
    /// `amr` (RFC 8176).
    package let methods: [String]
    /// `acr`.
    package let contextClass: String?
    /// `nonce` of the authorization request; `nil` after a refresh (Core §12.2).
    package let nonce: String?
    /// `urn:openid:params:jwt:claim:auth_req_id` (CIBA Core §10.3.1).
    package let backchannelRequest: String?
    /// The person's data.
    ///
    /// It is not read from a token, because a hint only names the account.
    package let person: Person?

    /// The claims about the person, for a client that is configured to get them (Core §5.1).
    package struct Person: Sendable, Hashable {
        package let name: String?
        package let preferredUsername: String?
        package let email: String?
        package let isEmailVerified: Bool

        package init(name: String?, preferredUsername: String?, email: String?, isEmailVerified: Bool) {
            self.name = name
            self.preferredUsername = preferredUsername
            self.email = email
            self.isEmailVerified = isEmailVerified
        }
    }

    package init(
        account: AccountID,
        clientID: String,
        session: SessionID,
        issuedAt: Instant,
        expiresAt: Instant,
        authenticatedAt: Instant,
        methods: [String],
        contextClass: String?,
        nonce: String?,
        backchannelRequest: String? = nil,
        person: Person? = nil
    ) {
        self.account = account
        self.clientID = clientID
        self.session = session
        self.issuedAt = issuedAt.wholeSecond
        self.expiresAt = expiresAt.wholeSecond
        self.authenticatedAt = authenticatedAt.wholeSecond
        self.methods = methods
        self.contextClass = contextClass
        self.nonce = nonce
        self.backchannelRequest = backchannelRequest
        self.person = person
    }

    /// The hashes of the tokens that are issued with an id token, so that none of them can be replaced by another.
    struct SiblingTokens {
        /// `at_hash` (Core §3.1.3.6).
        let accessTokenHash: String
        /// `urn:openid:params:jwt:claim:rt_hash` (CIBA Core §10.3.1); `nil` unless the tokens are pushed.
        let refreshTokenHash: String?
    }
}

extension IDTokenClaims {
    /// The value of the `type` claim.
    static let type = "id"

    private static let requestName = "urn:openid:params:jwt:claim:auth_req_id"
    private static let refreshHashName = "urn:openid:params:jwt:claim:rt_hash"

    /// Returns the claims as JSON, always in this order.
    func json(issuer: String, beside: SiblingTokens) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("iss", string: issuer)
            object.member("sub", string: account.description)
            object.member("aud", string: clientID)
            object.member("iat", integer: issuedAt.seconds)
            object.member("exp", integer: expiresAt.seconds)
            object.member("auth_time", integer: authenticatedAt.seconds)
            object.member("sid", string: session.description)
            object.member("type", string: Self.type)
            object.member("amr", strings: methods)
            if let contextClass { object.member("acr", string: contextClass) }
            if let nonce { object.member("nonce", string: nonce) }
            object.member("at_hash", string: beside.accessTokenHash)
            if let hash = beside.refreshTokenHash { object.member(Self.refreshHashName, string: hash) }
            if let backchannelRequest { object.member(Self.requestName, string: backchannelRequest) }
            if let name = person?.name { object.member("name", string: name) }
            if let name = person?.preferredUsername { object.member("preferred_username", string: name) }
            if let person, let email = person.email {
                object.member("email", string: email)
                object.member("email_verified", flag: person.isEmailVerified)
            }
        }
        return json.bytes
    }

    init(_ claims: ClaimReader) throws(TokenError) {
        self.init(
            account: try claims.id("sub"),
            clientID: try claims.string("aud"),
            session: try claims.id("sid"),
            issuedAt: try claims.instant("iat"),
            expiresAt: try claims.instant("exp"),
            authenticatedAt: try claims.instant("auth_time"),
            methods: try claims.strings("amr"),
            contextClass: try claims.optionalString("acr"),
            nonce: try claims.optionalString("nonce"),
            backchannelRequest: try claims.optionalString(Self.requestName)
        )
    }
}
