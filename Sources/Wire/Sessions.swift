/// The answer to a refresh.
public struct RefreshResponse: Codable, Sendable, Equatable {
    /// A sentence for the person.
    public var message: String
    /// The new access token.
    public var accessToken: String
    /// The refresh token to use next; absent if the existing one stays in use, or if it came in a cookie.
    public var refreshToken: String?
    /// Seconds until the access token expires.
    public var expiresIn: Int
    /// `Bearer`; `DPoP` if the tokens are bound to a key (RFC 9449).
    public var tokenType: String

    /// Creates an answer with those tokens.
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

/// The answer with the signed-in user.
public struct SignedInUserResponse: Codable, Sendable, Equatable {
    /// The signed-in user.
    public var user: SignedInUser

    /// Creates an answer with that user.
    public init(user: SignedInUser) { self.user = user }
}

/// The user, with all members that apps in the field read.
///
/// Dates are left out, because apps read them differently.
public struct SignedInUser: Codable, Sendable, Equatable {
    /// The account's id, a UUID.
    public var id: String
    /// The name that the person signs in with.
    public var username: String
    /// The name to show.
    public var displayName: String
    /// Whether ``role`` is `admin`.
    public var isAdmin: Bool
    /// The same as ``displayName``.
    public var name: String
    /// The e-mail address; may be empty.
    public var email: String
    /// One of `admin`, `manager`, `technician`, `user`.
    public var role: String
    /// One of `basic`, `standard`, `elevated`, `admin`.
    public var accessLevel: String
    /// The department; may be empty.
    public var department: String
    /// The name of the account's wallet.
    public var walletId: String
    /// Whether ``email`` is verified (`email_verified`, OpenID Connect Core §5.1).
    public var emailVerified: Bool

    private enum CodingKeys: String, CodingKey {
        case id, username, displayName, isAdmin, name, email, role, accessLevel, department, walletId
        case emailVerified = "email_verified"
    }

    /// Creates a user with the account's attributes.
    ///
    /// `walletId`: `nil` for the account's id. `username`: `nil` for the e-mail address.
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
