import Foundation
import Kernel
import Testing
import TokenForgeries
import TokenReading
import VestibuleTokens

@testable import Tokens

/// One list of forgeries, held against the daemon's verifier and the one that backends import.
struct ForgeryTests {
    private static let issuer = "https://login.example.com"
    private static let now = Instant(seconds: 1_800_000_000)

    private let folder: TemporaryFolder
    private let keys: KeyFolder
    private let ring: KeyRing

    init() throws {
        folder = try TemporaryFolder()
        keys = try KeyFolder.open(at: folder.path + "/keys", environment: TestEnvironment.environment(at: Self.now))
        ring = try Self.ring(keys, .es256)
    }

    private static func ring(_ keys: KeyFolder, _ algorithm: SigningAlgorithm) throws -> KeyRing {
        let policy = KeyRingPolicy(
            algorithm: algorithm,
            announcement: .zero,
            rotation: nil
        )
        let ring = try KeyRing.open(in: keys, policy: policy, longestToken: .seconds(3600), now: now)
        if ring.snapshot.keys[0].algorithm != algorithm { try ring.rotate(now: now) }
        return ring
    }

    private func workshop(_ ring: KeyRing) throws -> Workshop {
        let issuer = TokenIssuer(issuer: Self.issuer, ring: ring, folder: keys)
        let snapshot = ring.snapshot
        let current = snapshot.current
        let numbers = current.verificationKey.requiredMembers.compactMap { Base64URL.decode($0.value) }
        return try Workshop(
            good: try issuer.sign(access: TestTokens.access(at: Self.now)).expose(),
            others: [
                ("refresh token", issuer.sign(refresh: TestTokens.refresh(at: Self.now)).expose()),
                ("approval", try issuer.sign(approval: TestTokens.approval(at: Self.now)).expose()),
                ("checkpoint", try CheckpointSigner(keys).sign(TestTokens.checkpoint(at: Self.now))),
            ],
            nextKid: try #require(snapshot.keys.first { $0.state == .next }).id.text,
            publicEncodings: [
                ("the key set", snapshot.jwks), ("the public numbers", numbers.flatMap(\.self)),
                ("the point", [4] + numbers.flatMap(\.self)),
            ]
        ) { try current.signature(for: $0) }
    }

    // T-087
    @Test(arguments: SigningAlgorithm.allCases)
    func `every forgery is refused by the daemon's verifier and by the offline one`(
        algorithm: SigningAlgorithm
    ) async throws {
        let ring = try Self.ring(keys, algorithm)
        let workshop = try workshop(ring)
        let daemon = TokenVerifier(issuer: Self.issuer, ring: ring, folder: keys)
        let source = ScriptedKeySetSource([.success(KeySetDocument(bytes: ring.snapshot.jwks, maxAge: .seconds(3600)))])
        let offline = try AccessTokenVerifier(
            issuer: Self.issuer,
            audiences: [TestTokens.audience],
            leeway: .seconds(30),
            keys: source,
            cache: KeyCachePolicy(),
            time: VerifierTime(now: { Self.now }, uptime: { Uptime(nanoseconds: 0) })
        )

        let claims = try daemon.verifyAccess(workshop.good, audiences: [TestTokens.audience], now: Self.now)
        #expect(try await offline.verify(workshop.good).tokenID == claims.tokenID, "the real one is good")

        let forgeries = try workshop.forgeries()
        #expect(forgeries.count > 190)
        #expect(Set(forgeries.map(\.token)).count == forgeries.count, "each is different")
        var table = ""
        for forgery in forgeries {
            let first = Self.reason { () throws(TokenError) in
                _ = try daemon.verifyAccess(forgery.token, audiences: [TestTokens.audience], now: Self.now)
            }
            let second: String?
            do {
                _ = try await offline.verify(forgery.token)
                second = nil
            } catch { second = error.code.rawValue }
            #expect(first != nil, "the daemon's verifier accepts: \(forgery)")
            #expect(second != nil, "the offline verifier accepts: \(forgery)")
            #expect(second != AccessTokenError.Code.keysUnavailable.rawValue)
            table += "\(algorithm.rawValue)  \(forgery)  \(first ?? "ACCEPTED")  \(second ?? "ACCEPTED")\n"
        }
        print(table, terminator: "")
        #expect(await source.count <= 1, "no forgery makes it ask the issuer more than once a minute")
    }

    private static func reason(_ body: () throws(TokenError) -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return error.rawValue }
    }

    // T-208
    @Test
    func `a token of a retired key is refused by the daemon at once, and offline once the keys are fetched again`()
        async throws
    {
        let workshop = try workshop(ring)
        let old = ring.snapshot.keys[0].id.text
        try ring.rotate(now: Self.now)
        try ring.retire(old, now: Self.now)
        let daemon = TokenVerifier(issuer: Self.issuer, ring: ring, folder: keys)
        #expect(throws: TokenError.retiredKey) {
            try daemon.verifyAccess(workshop.good, audiences: [TestTokens.audience], now: Self.now)
        }
        let offline = try AccessTokenVerifier(
            issuer: Self.issuer,
            audiences: [TestTokens.audience],
            leeway: .zero,
            keys: ScriptedKeySetSource([.success(KeySetDocument(bytes: ring.snapshot.jwks, maxAge: nil))]),
            cache: KeyCachePolicy(),
            time: VerifierTime(now: { Self.now }, uptime: { Uptime(nanoseconds: 0) })
        )
        await #expect(throws: AccessTokenError.self) { try await offline.verify(workshop.good) }
    }
}
