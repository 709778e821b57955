package import Kernel
internal import TokenReading

/// The claims of a refresh token.
///
/// The other data of the token is in its database row, so that limits can change while the token is in use. Times are
/// whole seconds, as in ``AccessClaims``.
package struct RefreshClaims: Sendable, Hashable {
    /// `sub`.
    package let account: AccountID
    /// `sid`.
    package let session: SessionID
    /// `deviceId`: the client's own name for its device, unchanged.
    package let deviceID: String?
    /// `jti`, which identifies the database row (``rowKey``).
    package let tokenID: String
    package let issuedAt: Instant
    package let expiresAt: Instant
    /// The endpoint that accepts the token.
    package let use: Use

    /// The endpoint that a refresh token is for.
    ///
    /// A token for a client of the authorization server is limited to what the person granted. It must not be exchanged
    /// for an unlimited token at the app's endpoint.
    package enum Use: String, Sendable, CaseIterable {
        /// `/auth/refresh` and the like. The token has no claim `use`.
        case app
        /// The token endpoint of the authorization server.
        case oauth
    }

    package init(
        account: AccountID,
        session: SessionID,
        deviceID: String?,
        tokenID: String,
        issuedAt: Instant,
        expiresAt: Instant,
        use: Use = .app
    ) {
        self.account = account
        self.session = session
        self.deviceID = deviceID
        self.tokenID = tokenID
        self.issuedAt = issuedAt.wholeSecond
        self.expiresAt = expiresAt.wholeSecond
        self.use = use
    }

    /// The key of the token's database row.
    package var rowKey: Digest256 { refreshRowKey(tokenID) }
}

/// Returns the SHA-256 of a refresh token's `jti`.
///
/// Only the hash is stored, so that a stolen database contains no `jti`.
package func refreshRowKey(_ tokenID: String) -> Digest256 {
    Digest256(sha256: tokenID)
}

extension RefreshClaims {
    /// The value of the `type` claim.
    static let type = "refresh"

    /// Returns the claims as JSON, always in this order.
    func json() -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("sub", string: account.description)
            object.member("jti", string: tokenID)
            object.member("iat", integer: issuedAt.seconds)
            object.member("exp", integer: expiresAt.seconds)
            object.member("sid", string: session.description)
            if let deviceID { object.member("deviceId", string: deviceID) }
            object.member("type", string: Self.type)
            switch use {
            case .app: break
            case .oauth: object.member("use", string: use.rawValue)
            }
        }
        return json.bytes
    }

    private static func use(_ claims: ClaimReader) throws(TokenError) -> Use {
        guard let text = try claims.optionalString("use") else { return .app }
        guard let use = Use(rawValue: text) else { throw .claims }
        return use
    }

    init(_ claims: ClaimReader) throws(TokenError) {
        self.init(
            account: try claims.id("sub"),
            session: try claims.id("sid"),
            deviceID: try claims.optionalString("deviceId"),
            tokenID: try claims.string("jti"),
            issuedAt: try claims.instant("iat"),
            expiresAt: try claims.instant("exp"),
            use: try Self.use(claims)
        )
    }
}
