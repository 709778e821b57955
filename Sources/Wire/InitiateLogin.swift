/// The request to start a face login: `POST /auth/biometric-login/initiate`.
public struct InitiateLoginRequest: Codable, Sendable, Equatable {
    /// The e-mail address of the person who signs in.
    public var email: String
    /// The client (app) of the login, by default the client in the server's config for this surface.
    public var clientId: String?
    /// The base64url SHA-256 of the code verifier (RFC 7636 §4.2).
    ///
    /// With it, only the holder of the verifier collects the result.
    public var codeChallenge: String?
    /// `S256`, the only method.
    public var codeChallengeMethod: String?
    /// `same-device` (the default) or `cross-device`.
    public var mode: String?
    /// The id that the app gave its registered device.
    public var deviceId: String?
    /// The device key's signature for this start, base64.
    ///
    /// ECDSA with P-256 and SHA-256, in DER or as 64 bytes. It signs five lines with a line feed between them:
    /// `vestibule-login-start-v1`, the client's id, ``deviceId``, ``codeChallenge`` and ``deviceCount``.
    public var deviceSignature: String?
    /// A number that grows with every start of the device, like milliseconds since 1970.
    public var deviceCount: Int64?
    /// The browser's address after the scan: one of those in the server's config for the client.
    public var returnUrl: String?
    /// The `operationId` of an earlier login to replace, whose verifier or cookie the request presents.
    public var supersedes: String?

    /// Creates a request for `email`, the only member that the wire requires.
    public init(
        email: String,
        clientId: String? = nil,
        codeChallenge: String? = nil,
        codeChallengeMethod: String? = nil,
        mode: String? = nil,
        deviceId: String? = nil,
        deviceSignature: String? = nil,
        deviceCount: Int64? = nil,
        returnUrl: String? = nil,
        supersedes: String? = nil
    ) {
        self.email = email
        self.clientId = clientId
        self.codeChallenge = codeChallenge
        self.codeChallengeMethod = codeChallengeMethod
        self.mode = mode
        self.deviceId = deviceId
        self.deviceSignature = deviceSignature
        self.deviceCount = deviceCount
        self.returnUrl = returnUrl
        self.supersedes = supersedes
    }
}

/// The answer to ``InitiateLoginRequest``: 200, also for an account that does not exist.
public struct InitiateLoginResponse: Codable, Sendable, Equatable {
    /// A random UUID, and a secret: its holder may poll the login.
    public var operationId: String
    /// The page to open in a browser for the face scan.
    public var authIdUrl: String
    /// The same page: clients in the field read one name or the other.
    public var authUrl: String
    /// Always `pending`.
    public var status: LoginStatus
    /// Seconds until the login expires.
    public var operationExpiresIn: Int
    /// Seconds between two polls.
    public var interval: Int
    /// The version of the operation, which grows with every change.
    public var seq: Int64
    /// The two digits that the person types on the page (`mode: cross-device`).
    public var number: String?

    /// Creates an answer with the page's address under both names.
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
