package import Kernel

/// The claims of an access token (RFC 9068 §2.2), except `iss`, which is the server's own.
///
/// Times are whole seconds, as in the token. The initialiser drops milliseconds, so that a token that is read again
/// equals the signed claims.
package struct AccessClaims: Sendable, Hashable {
    /// `sub`.
    package let account: AccountID
    /// `aud`: the audience of the client.
    package let audience: String
    /// `client_id`.
    package let clientID: String
    /// `sid`.
    package let session: SessionID
    /// `deviceId`: the client's own name for its device, unchanged.
    package let deviceID: String?
    /// `jti`.
    package let tokenID: String
    package let issuedAt: Instant
    package let expiresAt: Instant
    /// `auth_time`: the time of the person's last authentication.
    package let authenticatedAt: Instant
    /// `amr` (RFC 8176).
    package let methods: [String]
    /// `acr`.
    package let contextClass: String?
    /// `jkt` of `cnf` (RFC 9449 §6.1): the key whose proof must be presented with the token; `nil` in a bearer token.
    package let confirmation: KeyID?
    /// `scope` (RFC 8693 §4.2): the limits of the token; `nil` in a token for everything that the account may do.
    package let scopes: Set<String>?

    package init(
        account: AccountID,
        audience: String,
        clientID: String,
        session: SessionID,
        deviceID: String?,
        tokenID: String,
        issuedAt: Instant,
        expiresAt: Instant,
        authenticatedAt: Instant,
        methods: [String],
        contextClass: String?,
        confirmation: KeyID? = nil,
        scopes: Set<String>? = nil
    ) {
        self.account = account
        self.audience = audience
        self.clientID = clientID
        self.session = session
        self.deviceID = deviceID
        self.tokenID = tokenID
        self.issuedAt = issuedAt.wholeSecond
        self.expiresAt = expiresAt.wholeSecond
        self.authenticatedAt = authenticatedAt.wholeSecond
        self.methods = methods
        self.contextClass = contextClass
        self.confirmation = confirmation
        self.scopes = scopes
    }
}

extension AccessClaims {
    /// The value of the `type` claim, which existing clients check.
    package static let type = "access"

    package init(_ claims: ClaimReader) throws(TokenError) {
        self.init(
            account: try claims.id("sub"),
            audience: try claims.string("aud"),
            clientID: try claims.string("client_id"),
            session: try claims.id("sid"),
            deviceID: try claims.optionalString("deviceId"),
            tokenID: try claims.string("jti"),
            issuedAt: try claims.instant("iat"),
            expiresAt: try claims.instant("exp"),
            authenticatedAt: try claims.instant("auth_time"),
            methods: try claims.strings("amr"),
            contextClass: try claims.optionalString("acr"),
            confirmation: try claims.confirmation(),
            scopes: try claims.scopes()
        )
    }
}

extension ClaimReader {
    /// Returns the key that `cnf` names.
    ///
    /// Any confirmation other than a thumbprint is refused.
    fileprivate func confirmation() throws(TokenError) -> KeyID? {
        guard let method = try optionalObject("cnf") else { return nil }
        guard let key = KeyID(try method.string("jkt")) else { throw .claims }
        return key
    }

    /// Returns the scope tokens of `scope` (RFC 6749 §3.3), which one space separates and of which none is repeated.
    ///
    /// A token that only identifies its account has an empty set.
    fileprivate func scopes() throws(TokenError) -> Set<String>? {
        guard let text = try optionalString("scope") else { return nil }
        let words = text.isEmpty ? [] : text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        let scopes = Set(words)
        guard words.count == scopes.count, words.allSatisfy(Self.isScope) else { throw .claims }
        return scopes
    }

    private static func isScope(_ word: String) -> Bool {
        !word.isEmpty && word.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}

extension Instant {
    /// The instant without its milliseconds.
    package var wholeSecond: Instant { Instant(seconds: seconds) }
}
