/// What an app sends to start a face login: `POST /auth/biometric-login/initiate`.
public struct InitiateLoginRequest: Codable, Sendable, Equatable {
    /// The e-mail address of the person who signs in.
    public var email: String
    /// The client (app) that asks; without it the one that the server's config names for this surface.
    public var clientId: String?
    /// The base64url SHA-256 of the code verifier (RFC 7636 §4.2).
    ///
    /// With it only the holder of the verifier collects.
    public var codeChallenge: String?
    /// `S256`, the one method there is.
    public var codeChallengeMethod: String?
    /// `same-device` (the default) or `cross-device`.
    public var mode: String?

    /// A request for `email`; the other members are optional on the wire.
    public init(
        email: String,
        clientId: String? = nil,
        codeChallenge: String? = nil,
        codeChallengeMethod: String? = nil,
        mode: String? = nil
    ) {
        self.email = email
        self.clientId = clientId
        self.codeChallenge = codeChallenge
        self.codeChallengeMethod = codeChallengeMethod
        self.mode = mode
    }
}

/// The answer to ``InitiateLoginRequest``: 200, also for an account that does not exist.
public struct InitiateLoginResponse: Codable, Sendable, Equatable {
    /// A random UUID, and a secret: whoever holds it may ask after the login.
    public var operationId: String
    /// The page to open in a browser for the face scan.
    public var authIdUrl: String
    /// The same page: clients in the field read one name or the other.
    public var authUrl: String
    /// Always `pending`.
    public var status: LoginStatus
    /// Seconds until the login expires.
    public var operationExpiresIn: Int
    /// Seconds to leave between two polls.
    public var interval: Int
    /// The version of the operation; it grows with every change.
    public var seq: Int64
    /// The two digits that the person types on the page (`mode: cross-device`).
    public var number: String?

    /// The answer with the page's address under both of its names.
    public init(
        operationId: String,
        url: String,
        operationExpiresIn: Int,
        interval: Int,
        seq: Int64,
        number: String? = nil
    ) {
        self.operationId = operationId
        authIdUrl = url
        authUrl = url
        status = .pending
        self.operationExpiresIn = operationExpiresIn
        self.interval = interval
        self.seq = seq
        self.number = number
    }
}
