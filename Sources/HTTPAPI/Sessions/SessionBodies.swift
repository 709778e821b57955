/// The optional body of a refresh, which most clients do not send.
struct RefreshRequest: Codable, Sendable, Equatable {
    /// The refresh token, if the route takes it in the body.
    var refreshToken: String?
    /// The id that the client gave its device; required beside ``deviceSignature``.
    var deviceId: String?
    /// The signature of this refresh by the device's key, in base64.
    var deviceSignature: String?
    /// A number that grows with every signature of the device.
    var deviceCount: Int64?
}

/// The answer to a sign-out, the same if no session was active.
struct SignOutResponse: Codable, Sendable, Equatable {
    var message: String
    /// Always true: afterwards no session is active with the tokens that were sent.
    var success = true
}

/// The sessions of an account, as its owner sees them.
struct OwnedSessionsResponse: Codable, Sendable, Equatable {
    /// The newest first.
    var sessions: [OwnedSessionView]
}

/// One session of an account, as its owner sees it.
struct OwnedSessionView: Codable, Sendable, Equatable {
    /// The session's id (`sid` in tokens).
    var id: String
    /// The client (app) of the session.
    var client: String
    /// UTC, `2026-01-31T09:05:00Z`.
    var startedAt: String
    /// The last refresh.
    var refreshedAt: String
    /// The time at which the session ends unless it is refreshed.
    var expiresAt: String
    /// Whether the session still gets tokens.
    var open: Bool
    /// Whether the request came with a token of this session.
    var current: Bool
    /// The place and browser of the sign-in, if they are known.
    var origin: OriginView?
    /// The time of the revocation.
    var endedAt: String?
    /// The reason of the revocation.
    ///
    /// One of `signed_out`, `signed_out_everywhere`, `refresh_reuse`, `not_me`, `account_disabled`, `password_changed`,
    /// `address_proved`, `device_revoked`, `passkey_removed`, `revoked_by_operator`.
    var reason: String?
}
