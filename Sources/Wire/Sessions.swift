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
