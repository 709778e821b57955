import Crypto
import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct TokenRoundTripTests {
    private struct DecodedAccess: Decodable {
        var iss, sub, aud, clientID, jti, sid, type: String
        var deviceId, acr: String?
        var iat, exp, authTime: Int64
        var amr: [String]
        var nbf: Int64?

        private enum CodingKeys: String, CodingKey {
            case iss, sub, aud, jti, sid, type, deviceId, acr, iat, exp, amr, nbf
            case clientID = "client_id"
            case authTime = "auth_time"
        }
    }

    private struct DecodedRefresh: Decodable {
        var sub, jti, sid, type: String
        var deviceId, iss, aud: String?
        var iat, exp: Int64
    }

    private struct DecodedHeader: Decodable, Equatable {
        var alg, kid, typ: String
    }

    private func decode<Part: Decodable>(_ part: String, as type: Part.Type) throws -> Part {
        try JSONDecoder().decode(type, from: Data(try #require(Base64URL.decode(part))))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `an access token comes back as the claims that were signed`(algorithm: SigningAlgorithm) throws {
        let fixture = try TokenFixture(algorithm)
        let claims = TokenFixture.accessClaims()
        let token = try fixture.issuer.sign(access: claims).expose()
        #expect(try fixture.verify(access: token) == claims)
        let header = try decode(Forge.parts(token)[0], as: DecodedHeader.self)
        #expect(
            header == DecodedHeader(alg: algorithm.rawValue, kid: fixture.ring.snapshot.keys[0].id.text, typ: "at+jwt")
        )
    }

    @Test func `a token that is limited to scopes has them, and one that is not limited has none`() throws {
        let fixture = try TokenFixture()
        let claims = TokenFixture.accessClaims(scopes: ["profile", "cards.read"])
        let token = try fixture.issuer.sign(access: claims).expose()
        #expect(try fixture.verify(access: token) == claims)
        let payload = try #require(Base64URL.decode(Forge.parts(token)[1]))
        #expect(String(decoding: payload, as: UTF8.self).contains("\"scope\":\"cards.read profile\""))
        let free = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        #expect(try fixture.verify(access: free).scopes == nil)
        let plain = try #require(Base64URL.decode(Forge.parts(free)[1]))
        #expect(!String(decoding: plain, as: UTF8.self).contains("scope"))
    }

    @Test func `a refresh token comes back as the claims that were signed`() throws {
        let fixture = try TokenFixture()
        let claims = TokenFixture.refreshClaims()
        let token = fixture.issuer.sign(refresh: claims).expose()
        #expect(try fixture.verify(refresh: token) == claims)
        let header = try decode(Forge.parts(token)[0], as: DecodedHeader.self)
        #expect(header == DecodedHeader(alg: "HS256", kid: fixture.folder.rootFingerprint, typ: "rt+jwt"))
        let payload = try decode(Forge.parts(token)[1], as: DecodedRefresh.self)
        #expect(payload.sub == claims.account.description)
        #expect(payload.sid == claims.session.description)
        #expect(payload.jti == claims.tokenID)
        #expect(payload.type == "refresh")
        #expect(payload.deviceId == "device-1")
        #expect(payload.iat == 1_800_000_000)
        #expect(payload.exp == 1_800_000_000 + 30 * 86_400)
        #expect(payload.iss == nil && payload.aud == nil)
    }

    @Test(arguments: [nil, "device-1", "De\"v\\ice\n/ ü 👍\u{0}"])
    func `the payload means to Codable what the claims say`(deviceID: String?) throws {
        let fixture = try TokenFixture()
        let claims = TokenFixture.accessClaims(deviceID: deviceID)
        let token = try fixture.issuer.sign(access: claims).expose()
        let payload = try decode(Forge.parts(token)[1], as: DecodedAccess.self)
        #expect(payload.iss == TokenFixture.issuer)
        #expect(payload.sub == claims.account.description)
        #expect(payload.aud == TokenFixture.audience)
        #expect(payload.clientID == "bbms-ios")
        #expect(payload.sid == claims.session.description)
        #expect(payload.jti == claims.tokenID)
        #expect(payload.deviceId == deviceID)
        #expect(payload.type == "access")
        #expect(payload.amr == ["face", "mfa"])
        #expect(payload.acr == "urn:example:acr:face")
        #expect(payload.iat == 1_800_000_000)
        #expect(payload.exp == 1_800_003_600)
        #expect(payload.authTime == 1_799_999_970)
        #expect(payload.nbf == nil)
        #expect(try fixture.verify(access: token) == claims)
    }

    @Test func `claims are cut to whole seconds, as in the token`() {
        let claims = TokenFixture.accessClaims()
        #expect(claims.issuedAt == Instant(seconds: 1_800_000_000))
        #expect(claims.expiresAt == Instant(seconds: 1_800_003_600))
        #expect(TokenFixture.refreshClaims().issuedAt == Instant(seconds: 1_800_000_000))
    }

    @Test func `the same refresh claims are the same token again`() throws {
        let fixture = try TokenFixture()
        let claims = TokenFixture.refreshClaims()
        #expect(fixture.issuer.sign(refresh: claims) == fixture.issuer.sign(refresh: claims))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `both tokens fit into 2048 bytes with a long device id`(algorithm: SigningAlgorithm) throws {
        let fixture = try TokenFixture(algorithm)
        let device = String(repeating: "d", count: 255)
        let access = AccessClaims(
            account: TokenFixture.environment.newID(),
            audience: String(repeating: "a", count: 128),
            clientID: String(repeating: "c", count: 128),
            session: TokenFixture.environment.newID(),
            deviceID: device,
            tokenID: TokenFixture.environment.newSecret().expose(),
            issuedAt: TokenFixture.now,
            expiresAt: TokenFixture.now + .seconds(3600),
            authenticatedAt: TokenFixture.now,
            methods: ["face", "hwk", "mfa", "pin", "user"],
            contextClass: String(repeating: "r", count: 64)
        )
        let refresh = RefreshClaims(
            account: access.account,
            session: access.session,
            deviceID: device,
            tokenID: access.tokenID,
            issuedAt: TokenFixture.now,
            expiresAt: TokenFixture.now + .seconds(3600)
        )
        #expect(try fixture.issuer.sign(access: access).expose().utf8.count <= 2048)
        #expect(fixture.issuer.sign(refresh: refresh).expose().utf8.count <= 2048)
    }

    // T-209
    @Test func `a refresh row is found by the SHA-256 of its jti`() throws {
        // FIPS 180-2, appendix B.1: "abc".
        let digest = refreshRowKey("abc")
        #expect(
            digest.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        let claims = TokenFixture.refreshClaims()
        #expect(claims.rowKey == refreshRowKey(claims.tokenID))
    }

    @Test func `tokens signed by many tasks at once, across rotations, all verify`() async throws {
        let fixture = try TokenFixture()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { () throws in
                    for _ in 0..<25 {
                        let claims = TokenFixture.accessClaims()
                        let token = try fixture.issuer.sign(access: claims).expose()
                        let read = try fixture.verify(access: token)
                        #expect(read == claims)
                    }
                }
            }
            group.addTask {
                for _ in 0..<5 { try fixture.ring.rotate(now: TokenFixture.now) }
            }
            try await group.waitForAll()
        }
        #expect(fixture.ring.snapshot.keys.count == 7)
    }
}
