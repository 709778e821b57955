/// What may stand in the body of a refresh; most clients send none.
public struct RefreshRequest: Codable, Sendable, Equatable {
    /// The refresh token, where the route takes it in the body.
    public var refreshToken: String?
    /// The id that the client gave its device, with ``deviceSignature``.
    public var deviceId: String?
    /// The device key's signature about this refresh, base64.
    public var deviceSignature: String?
    /// A number that grows with every signature of the device.
    public var deviceCount: Int64?

    /// A request with that token.
    public init(refreshToken: String? = nil) { self.refreshToken = refreshToken }
}

/// The answer to a refresh.
public struct RefreshResponse: Codable, Sendable, Equatable {
    /// A sentence for people.
    public var message: String
    /// The new access token.
    public var accessToken: String
    /// The refresh token to use next; absent where the old one goes on, and where it came in a cookie.
    public var refreshToken: String?
    /// Seconds until the access token expires.
    public var expiresIn: Int
    /// `Bearer`; `DPoP` where the tokens are bound to a key (RFC 9449).
    public var tokenType: String

    /// An answer with those tokens.
    public init(
        message: String,
        accessToken: String,
        refreshToken: String?,
        expiresIn: Int,
        tokenType: String = "Bearer"
    ) {
        self.message = message
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.expiresIn = expiresIn
        self.tokenType = tokenType
    }
}

/// The answer to a sign-out, whether there was something to sign out of or not.
public struct SignOutResponse: Codable, Sendable, Equatable {
    /// A sentence for people.
    public var message: String
    /// Always true: nobody is signed in with what was sent.
    public var success: Bool

    /// An answer with that sentence.
    public init(message: String) {
        self.message = message
        success = true
    }
}

/// Who is signed in.
public struct SignedInUserResponse: Codable, Sendable, Equatable {
    /// The person.
    public var user: SignedInUser

    /// An answer with that person.
    public init(user: SignedInUser) { self.user = user }
}

/// A person in all members that apps in the field read; dates are left out, because they read them differently.
public struct SignedInUser: Codable, Sendable, Equatable {
    /// The account's id, a UUID.
    public var id: String
    /// What the person signs in with.
    public var username: String
    /// What the person is called.
    public var displayName: String
    /// Whether ``role`` is `admin`.
    public var isAdmin: Bool
    /// The same as ``displayName``.
    public var name: String
    /// The e-mail address, or nothing.
    public var email: String
    /// One of `admin`, `manager`, `technician`, `user`.
    public var role: String
    /// One of `basic`, `standard`, `elevated`, `admin`.
    public var accessLevel: String
    /// The department, or nothing.
    public var department: String
    /// What the account's wallet is called.
    public var walletId: String
    /// Whether ``email`` is known to be the person's (`email_verified`, OpenID Connect Core §5.1).
    public var emailVerified: Bool

    private enum CodingKeys: String, CodingKey {
        case id, username, displayName, isAdmin, name, email, role, accessLevel, department, walletId
        case emailVerified = "email_verified"
    }

    /// A person of that name, with what an operator said of them.
    ///
    /// `walletId`: `nil` where none was given; the account's id stands for it. `username`: `nil` where it is the address.
    public init(
        id: String,
        displayName: String,
        email: String,
        emailVerified: Bool,
        role: String,
        accessLevel: String,
        department: String,
        walletId: String?,
        username: String? = nil
    ) {
        self.id = id
        self.walletId = walletId ?? id
        self.emailVerified = emailVerified
        self.username = username ?? email
        self.displayName = displayName
        isAdmin = role == "admin"
        name = displayName
        self.email = email
        self.role = role
        self.accessLevel = accessLevel
        self.department = department
    }
}

/// The sessions of an account, as its owner sees them.
public struct OwnedSessionsResponse: Codable, Sendable, Equatable {
    /// The newest first.
    public var sessions: [OwnedSessionView]

    /// An answer with those sessions.
    public init(sessions: [OwnedSessionView]) { self.sessions = sessions }
}

/// One session of an account, as its owner sees it.
public struct OwnedSessionView: Codable, Sendable, Equatable {
    /// The session's id (`sid` in tokens).
    public var id: String
    /// The client (app) that it is of.
    public var client: String
    /// When the person signed in: UTC, `2026-01-31T09:05:00Z`.
    public var startedAt: String
    /// When it last got a new refresh token.
    public var refreshedAt: String
    /// When it ends unless it is refreshed.
    public var expiresAt: String
    /// Whether tokens can still be had for it.
    public var open: Bool
    /// Whether the request came with a token of it.
    public var current: Bool
    /// When it was revoked, if it was.
    public var endedAt: String?
    /// Why (`signed_out`, `signed_out_everywhere`, `refresh_reuse`, `not_me`, `account_disabled`, `password_changed`,
    /// `address_proved`, `device_revoked`, `passkey_removed`, `revoked_by_operator`).
    public var reason: String?

    /// A session that was not revoked.
    public init(
        id: String,
        client: String,
        startedAt: String,
        refreshedAt: String,
        expiresAt: String,
        open: Bool,
        current: Bool
    ) {
        self.id = id
        self.client = client
        self.startedAt = startedAt
        self.refreshedAt = refreshedAt
        self.expiresAt = expiresAt
        self.open = open
        self.current = current
    }
}
