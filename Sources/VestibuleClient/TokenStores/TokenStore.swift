public import Foundation

/// The storage of the SDK's data that must survive the process: tokens, the last e-mail address, cookies.
///
/// Use ``FileTokenStore`` for Linux and tools, `KeychainTokenStore` for Apple platforms, and ``MemoryTokenStore`` for
/// tests.
public protocol TokenStore: Sendable {
    /// Returns the stored credentials; empty ones before the first ``update(_:)``.
    func load() async throws -> StoredCredentials

    /// Changes the stored credentials in one step.
    ///
    /// No other writer may write between the reading and the writing. The new state is durable when this returns.
    func update(_ change: @escaping @Sendable (inout StoredCredentials) -> Void) async throws
}

/// The credentials that a ``TokenStore`` keeps.
public struct StoredCredentials: Sendable, Equatable, Codable {
    /// The tokens of the signed-in person; `nil` if nobody is signed in.
    public var tokens: StoredTokens?
    /// The e-mail address of the last sign-in.
    ///
    /// Signing out does not delete it.
    public var email: String?
    /// The server's cookies, including the one that proves this device.
    public var cookies: CookieJar
    /// The number of the last login start that this device's key signed (``FaceLogin/DeviceProof/key(_:)``).
    public var deviceCount: Int64?

    /// Creates empty credentials.
    public init() { cookies = CookieJar() }

    /// Reads credentials.
    ///
    /// A missing member is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tokens = try container.decodeIfPresent(StoredTokens.self, forKey: .tokens)
        email = try container.decodeIfPresent(String.self, forKey: .email)
        cookies = try container.decodeIfPresent(CookieJar.self, forKey: .cookies) ?? CookieJar()
        deviceCount = try container.decodeIfPresent(Int64.self, forKey: .deviceCount)
    }

    /// The name of the cookie that proves this device to the server.
    static let deviceCookie = "vst_device"

    /// Deletes the tokens and every cookie except the device's.
    mutating func signOut() {
        tokens = nil
        cookies.removeAll(exceptNamed: Self.deviceCookie)
    }
}

extension StoredCredentials {
    /// Returns the stored form: JSON with dates in milliseconds since 1970.
    func encoded() throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .millisecondsSince1970
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(self)
    }

    /// Reads the stored form.
    init(decoding data: Data) throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        self = try decoder.decode(StoredCredentials.self, from: data)
    }
}

/// The tokens of one session.
///
/// Printing a value shows no secret.
public struct StoredTokens: Sendable, Equatable, Codable {
    /// The access token, sent as `Authorization: Bearer` (RFC 6750 §2.1).
    public let accessToken: String
    /// The refresh token.
    public let refreshToken: String
    /// The token type, which is `Bearer`.
    public let tokenType: String
    /// The expiry of the access token, by this device's clock.
    public let expiresAt: Date

    /// Creates the tokens of one answer.
    public init(accessToken: String, refreshToken: String, tokenType: String, expiresAt: Date) {
        self.accessToken = accessToken
        self.refreshToken = refreshToken
        self.tokenType = tokenType
        self.expiresAt = expiresAt
    }
}

extension StoredTokens: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The type and the expiry, without the tokens.
    public var description: String { "\(tokenType) tokens, expiring \(expiresAt)" }
    /// The same as ``description``.
    public var debugDescription: String { description }
    /// Limits `dump` to the expiry.
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}
