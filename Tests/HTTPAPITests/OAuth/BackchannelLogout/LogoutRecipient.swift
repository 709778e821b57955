import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Settings
import Synchronization
import Testing

@testable import Assembly

/// A client that is told of the end of its sessions, and checks what it is told as the specification says.
struct LogoutRecipient {
    struct RefusedError: Error {
        let rule: String
    }

    /// What a valid logout token tells.
    struct Told: Hashable {
        let account: String
        let session: String
        let id: String
    }

    let client: String
    private let issuer: String
    private let keys: [[String: Any]]
    private let now: Int

    /// A client that reads the server's keys as everybody does.
    init(_ client: String, of harness: Harness) async throws {
        self.client = client
        issuer = harness.settings.issuer
        now = Int(harness.composition.environment.now().seconds)
        let set = try await harness.send(.get, "/.well-known/jwks.json").json()
        keys = try #require(set["keys"] as? [[String: Any]])
    }

    /// Checks a token by the steps of Back-Channel Logout §2.6.
    func check(_ token: String) throws -> Told {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try require(parts.count == 3, "three parts")
        let (header, claims) = (try Self.object(parts[0]), try Self.object(parts[1]))
        // Steps 2 and 3: the signature, by the algorithm of the client's id tokens and a key of the key set.
        try require(header["alg"] as? String == "ES256", "alg")
        try require(header["typ"] as? String == "logout+jwt", "typ")
        try require(isSigned(parts, by: header["kid"] as? String), "signature")
        // Step 4: as in an id token.
        try require(claims["iss"] as? String == issuer, "iss")
        try require(claims["aud"] as? String == client, "aud")
        let issued = try #require(claims["iat"] as? Int)
        let expires = try #require(claims["exp"] as? Int)
        try require(issued <= now && now < expires && expires - issued <= 120, "iat and exp")
        // Step 5: both of them here.
        let account = try #require(claims["sub"] as? String)
        let session = try #require(claims["sid"] as? String)
        // Step 6.
        let events = claims["events"] as? [String: Any]
        try require(
            (events?["http://schemas.openid.net/event/backchannel-logout"] as? [String: Any])?.isEmpty == true,
            "events"
        )
        // Step 7: no nonce, or it would be an id token.
        try require(claims["nonce"] == nil, "nonce")
        // Step 8: the id makes a repetition known.
        return Told(account: account, session: session, id: try #require(claims["jti"] as? String))
    }

    private func require(_ isKept: Bool, _ rule: String) throws {
        guard isKept else { throw RefusedError(rule: rule) }
    }

    private func isSigned(_ parts: [String], by name: String?) throws -> Bool {
        let key = try #require(keys.first { $0["kid"] as? String == name })
        let x = try #require((key["x"] as? String).flatMap { Base64URL.decode($0) })
        let y = try #require((key["y"] as? String).flatMap { Base64URL.decode($0) })
        let signature = try #require(Base64URL.decode(parts[2]))
        return try P256.Signing.PublicKey(x963Representation: [4] + x + y).isValidSignature(
            P256.Signing.ECDSASignature(rawRepresentation: signature),
            for: Data((parts[0] + "." + parts[1]).utf8)
        )
    }

    private static func object(_ part: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(part))
        return try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}

/// Keeps what clients are sent.
final class RecordingLogouts: LogoutSending {
    private let state = Mutex<[(token: String, endpoint: String)]>([])

    var sent: [(token: String, endpoint: String)] { state.withLock { $0 } }

    func send(_ token: Secret, to endpoint: String) async -> DeliveryOutcome<String> {
        state.withLock { $0.append((token.expose(), endpoint)) }
        return .delivered
    }
}
