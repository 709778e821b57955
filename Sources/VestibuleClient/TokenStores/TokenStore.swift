public import Foundation

/// The storage of the SDK's data that must survive the process: tokens, the last e-mail address, cookies.
///
/// ``FileTokenStore`` for Linux and tools, `KeychainTokenStore` for Apple platforms, ``MemoryTokenStore`` for tests.
public protocol TokenStore: Sendable {
    /// Returns the stored credentials; empty ones before the first ``update(_:)``.
    func load() async throws -> StoredCredentials

    /// Changes the stored credentials in one step: no other writer comes between reading and writing, and the new state
    /// is durable when this returns.
    func update(_ change: @escaping @Sendable (inout StoredCredentials) -> Void) async throws
}

/// The credentials that a ``TokenStore`` keeps.
public struct StoredCredentials: Sendable, Equatable, Codable {
    /// The tokens of the signed-in person; `nil` when signed out.
    public var tokens: StoredTokens?
    /// The e-mail address of the last sign-in.
    ///
    /// It stays when the person signs out.
    public var email: String?
    /// The server's cookies, the one that proves this device among them.
    public var cookies: CookieJar
    /// The number of the last start that this device's key signed (``FaceLogin/DeviceProof/key(_:)``).
    public var deviceCount: Int64?

    /// Creates empty credentials.
    public init() { cookies = CookieJar() }

    /// Reads credentials; a member that is missing is empty.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        tokens = try container.decodeIfPresent(StoredTokens.self, forKey: .tokens)
        email = try container.decodeIfPresent(String.self, forKey: .email)
        cookies = try container.decodeIfPresent(CookieJar.self, forKey: .cookies) ?? CookieJar()
        deviceCount = try container.decodeIfPresent(Int64.self, forKey: .deviceCount)
    }

    /// The name of the cookie that proves this device to the server.
    static let deviceCookie = "vst_device"

    /// Forgets the tokens and every cookie but the device's.
    mutating func signOut() {
        tokens = nil
        cookies.removeAll(exceptNamed: Self.deviceCookie)
    }
}

extension StoredCredentials {
    /// The stored form: JSON, dates in milliseconds since 1970.
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
/// Printing it shows no secret.
public struct StoredTokens: Sendable, Equatable, Codable {
    /// The access token, sent as `Authorization: Bearer` (RFC 6750 §2.1).
    public let accessToken: String
    /// The refresh token.
    public let refreshToken: String
    /// `Bearer`.
    public let tokenType: String
    /// The end of the access token, by this device's clock.
    public let expiresAt: Date

    /// Tokens that were handed out together.
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
    /// Shows `dump` no more than ``description`` does.
    public var customMirror: Mirror { Mirror(self, children: ["expiresAt": expiresAt]) }
}
