internal import Crypto
package import Kernel
internal import TokenReading

/// What a refresh token says.
///
/// The row that it stands for says the rest, so that policy can change under it.
///
/// Times are whole seconds, as in ``AccessClaims``.
package struct RefreshClaims: Sendable, Hashable {
    /// `sub`.
    package let account: AccountID
    /// `sid`.
    package let session: SessionID
    /// `deviceId`: the client's own name for its device, as it came.
    package let deviceID: String?
    /// `jti`: names the row, by ``rowKey``.
    package let tokenID: String
    package let issuedAt: Instant
    package let expiresAt: Instant

    package init(
        account: AccountID,
        session: SessionID,
        deviceID: String?,
        tokenID: String,
        issuedAt: Instant,
        expiresAt: Instant
    ) {
        self.account = account
        self.session = session
        self.deviceID = deviceID
        self.tokenID = tokenID
        self.issuedAt = issuedAt.wholeSecond
        self.expiresAt = expiresAt.wholeSecond
    }

    /// What the token's row is found by.
    package var rowKey: Digest256 { refreshRowKey(tokenID) }
}

/// The SHA-256 of a refresh token's `jti`: what the store keeps, so that a stolen copy of it names no token.
package func refreshRowKey(_ tokenID: String) -> Digest256 {
    SHA256.hash(data: Array(tokenID.utf8)).withUnsafeBytes { Digest256($0) } ?? .zero
}

extension RefreshClaims {
    /// The `type` claim.
    static let type = "refresh"

    /// The claims as JSON, always in this order.
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
        }
        return json.bytes
    }

    init(_ claims: ClaimReader) throws(TokenRefusal) {
        self.init(
            account: try claims.id("sub"),
            session: try claims.id("sid"),
            deviceID: try claims.optionalString("deviceId"),
            tokenID: try claims.string("jti"),
            issuedAt: try claims.instant("iat"),
            expiresAt: try claims.instant("exp")
        )
    }
}
