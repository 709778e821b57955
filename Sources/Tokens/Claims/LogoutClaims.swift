package import Kernel
internal import TokenReading

/// The claims of a logout token (OpenID Connect Back-Channel Logout 1.0 §2.4): a session of the client has ended.
///
/// The token grants no access, because it has its own `typ`. It has no `nonce`, so that it never passes as an id token
/// (§2.4). Times are whole seconds, as in ``AccessClaims``.
package struct LogoutClaims: Sendable, Hashable {
    /// `sub`, as in the client's id tokens.
    package let account: AccountID
    /// `aud`: the client's id, as in its id tokens.
    package let clientID: String
    /// `sid`, as in the client's id tokens.
    package let session: SessionID
    package let issuedAt: Instant
    package let expiresAt: Instant

    package init(
        account: AccountID,
        clientID: String,
        session: SessionID,
        issuedAt: Instant,
        expiresAt: Instant
    ) {
        self.account = account
        self.clientID = clientID
        self.session = session
        self.issuedAt = issuedAt.wholeSecond
        self.expiresAt = expiresAt.wholeSecond
    }

    /// `jti`: a session ends once, so that its id makes the token's id unique.
    ///
    /// A token that is sent again has the same id.
    package var tokenID: String { "logout-\(session)" }
}

extension LogoutClaims {
    /// The event of a logout token, whose value is an empty object (§2.4).
    static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Returns the claims as JSON, always in this order.
    func json(issuer: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { object in
            object.member("iss", string: issuer)
            object.member("sub", string: account.description)
            object.member("aud", string: clientID)
            object.member("iat", integer: issuedAt.seconds)
            object.member("exp", integer: expiresAt.seconds)
            object.member("jti", string: tokenID)
            object.member("sid", string: session.description)
            object.nested("events") { events in events.nested(Self.event) { _ in } }
        }
        return json.bytes
    }
}
