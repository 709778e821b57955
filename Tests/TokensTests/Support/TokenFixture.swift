import Kernel
import TokenReading

@testable import Tokens

/// A key folder, a ring, an issuer and a verifier, as the composition root puts them together.
struct TokenFixture {
    static let issuer = "https://login.example.com"
    static let audience = "bbms"
    static let accessLifetime = Duration.seconds(3600)
    /// The longest lifetime and five minutes.
    static let retiredKeysVerifyFor = Duration.seconds(3900)
    /// With milliseconds, so that a test sees whether they are cut off.
    static let now = Instant(milliseconds: 1_800_000_000_123)

    let home: TemporaryFolder
    let folder: KeyFolder
    let ring: KeyRing
    let issuer: TokenIssuer
    let verifier: TokenVerifier

    init(_ algorithm: SigningAlgorithm = .es256, home: TemporaryFolder? = nil, encryptionKeys: [Secret] = []) throws {
        self.home = try home ?? TemporaryFolder()
        folder = try Self.openFolder(self.home, encryptionKeys: encryptionKeys)
        ring = try Self.openRing(folder, algorithm)
        issuer = TokenIssuer(issuer: Self.issuer, ring: ring, folder: folder)
        verifier = TokenVerifier(issuer: Self.issuer, ring: ring, folder: folder)
    }

    static func openFolder(_ home: TemporaryFolder, encryptionKeys: [Secret] = []) throws -> KeyFolder {
        try KeyFolder.open(at: home.file("keys"), environment: environment, encryptionKeys: encryptionKeys)
    }

    static func openRing(
        _ folder: KeyFolder,
        _ algorithm: SigningAlgorithm = .es256,
        longestToken: Duration = retiredKeysVerifyFor,
        announcement: Duration = .zero,
        rotation: Duration? = nil,
        now: Instant = TokenFixture.now
    ) throws -> KeyRing {
        try KeyRing.open(
            in: folder,
            policy: KeyRingPolicy(
                algorithm: algorithm,
                announcement: announcement,
                rotation: rotation
            ),
            longestToken: longestToken,
            now: now
        )
    }

    static let environment = Environment(now: { now }, clock: StillClock()) { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    static func accessClaims(
        audience: String = TokenFixture.audience,
        deviceID: String? = "device-1",
        issuedAt: Instant = TokenFixture.now,
        lifetime: Duration = TokenFixture.accessLifetime,
        scopes: Set<String>? = nil
    ) -> AccessClaims {
        AccessClaims(
            account: environment.newID(),
            audience: audience,
            clientID: "bbms-ios",
            session: environment.newID(),
            deviceID: deviceID,
            tokenID: environment.newSecret().expose(),
            issuedAt: issuedAt,
            expiresAt: issuedAt + lifetime,
            authenticatedAt: issuedAt - .seconds(30),
            methods: ["face", "mfa"],
            contextClass: "urn:example:acr:face",
            scopes: scopes
        )
    }

    static func refreshClaims(issuedAt: Instant = TokenFixture.now) -> RefreshClaims {
        RefreshClaims(
            account: environment.newID(),
            session: environment.newID(),
            deviceID: "device-1",
            tokenID: environment.newSecret().expose(),
            issuedAt: issuedAt,
            expiresAt: issuedAt + .seconds(30 * 86_400)
        )
    }

    func verify(access token: String, at now: Instant = TokenFixture.now) throws(TokenError) -> AccessClaims {
        try verifier.verifyAccess(token, audiences: [Self.audience], now: now)
    }

    func verify(refresh token: String, at now: Instant = TokenFixture.now) throws(TokenError) -> RefreshClaims {
        try verifier.verifyRefresh(token, now: now)
    }

    private struct StillClock: MonotonicClock {
        let now = Uptime(nanoseconds: 0)
        func sleep(until deadline: Uptime) async throws {}
    }
}
