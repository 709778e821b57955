// Wire: the bodies that the SDK and other clients in Swift share with HTTPAPI, which keeps its other bodies itself.
// Owns requests and answers as apps in the field read them.
// Has no logic, and imports nothing.
// Survives old apps: members are added, never renamed.
// Names and null are those of docs/openapi.yaml.

/// The answer to every sign-in but a face login: the tokens in the members that each generation of apps reads.
public struct SignInResponse: Codable, Sendable, Equatable {
    /// A sentence for the person.
    public var message: String
    /// The user; without dates.
    public var user: SignedInUser
    /// The tokens.
    public var tokens: LoginTokens
    /// The same as in ``tokens``, like the next three members, for clients that read them here.
    public var accessToken: String
    /// See ``tokens``.
    public var refreshToken: String
    /// Seconds until the access token expires.
    public var expiresIn: Int
    /// See ``tokens``.
    public var tokenType: String

    /// Creates an answer with those tokens.
    public init(message: String, user: SignedInUser, tokens: LoginTokens) {
        self.message = message
        self.user = user
        self.tokens = tokens
        accessToken = tokens.accessToken
        refreshToken = tokens.refreshToken
        expiresIn = tokens.expiresIn
        tokenType = tokens.tokenType
    }
}
