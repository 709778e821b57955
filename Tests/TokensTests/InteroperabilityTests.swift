import Foundation
import JWTKit
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// The reading of this server's tokens by a third party with the published key set: JWTKit.
struct InteroperabilityTests {
    private struct Payload: JWTPayload {
        var iss: IssuerClaim
        var sub: SubjectClaim
        var aud: AudienceClaim
        var exp: ExpirationClaim
        var iat: IssuedAtClaim
        var jti: IDClaim
        var sid: String
        var type: String

        func verify(using algorithm: some JWTAlgorithm) async throws {
            try aud.verifyIntendedAudience(includes: TokenFixture.audience)
        }
    }

    private func outsider(to fixture: TokenFixture) async throws -> JWTKeyCollection {
        let keys = JWTKeyCollection()
        try await keys.add(jwksJSON: String(decoding: fixture.ring.snapshot.jwks, as: UTF8.self))
        await keys.clearDefault()
        return keys
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `another implementation verifies our tokens with the published keys`(algorithm: SigningAlgorithm) async throws
    {
        let fixture = try TokenFixture(algorithm)
        let claims = TokenFixture.accessClaims()
        let token = try fixture.issuer.sign(access: claims).expose()
        let payload = try await outsider(to: fixture).verify(token, as: Payload.self)
        #expect(payload.iss.value == TokenFixture.issuer)
        #expect(payload.sub.value == claims.account.description)
        #expect(payload.jti.value == claims.tokenID)
        #expect(payload.sid == claims.session.description)
        #expect(payload.exp.value == Date(timeIntervalSince1970: 1_800_003_600))
        #expect(payload.type == "access")
    }

    @Test func `after a rotation the published keys verify old and new tokens`() async throws {
        let fixture = try TokenFixture()
        let old = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        try fixture.ring.rotate(now: TokenFixture.now)
        let new = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let keys = try await outsider(to: fixture)
        _ = try await keys.verify(old, as: Payload.self)
        _ = try await keys.verify(new, as: Payload.self)
    }

    @Test func `a tampered token fails with the published keys too`() async throws {
        let fixture = try TokenFixture()
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        var signature = try Forge.signature(of: token)
        signature[0] ^= 0x80
        let keys = try await outsider(to: fixture)
        await #expect(throws: (any Error).self) {
            try await keys.verify(Forge.resigned(token, signature), as: Payload.self)
        }
    }

    @Test func `nobody verifies a refresh token with the published keys`() async throws {
        let fixture = try TokenFixture()
        let token = fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose()
        let keys = try await outsider(to: fixture)
        await #expect(throws: (any Error).self) { try await keys.verify(token, as: Payload.self) }
        let published = String(decoding: fixture.ring.snapshot.jwks, as: UTF8.self)
        #expect(!published.contains(fixture.folder.rootFingerprint))
    }

    @Test(arguments: SigningAlgorithm.allCases)
    func `a token that another implementation signs with our key is read here`(algorithm: SigningAlgorithm) async throws
    {
        let fixture = try TokenFixture(algorithm)
        let id = fixture.ring.snapshot.keys[0].id.text
        let pem = try fixture.home.text("keys/signing/\(id).pem")
        let keys = JWTKeyCollection()
        switch algorithm {
        case .es256: await keys.add(ecdsa: try ES256PrivateKey(pem: pem), kid: JWKIdentifier(string: id))
        case .rs256:
            let key = try Insecure.RSA.PrivateKey(pem: pem)
            await keys.add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: id))
        case .edDSA: await keys.add(eddsa: try EdDSA.PrivateKey(pem: pem), kid: JWKIdentifier(string: id))
        }
        let claims = TokenFixture.accessClaims()
        let payload = try JSONDecoder().decode(Everything.self, from: Data(claims.json(issuer: TokenFixture.issuer)))
        let token = try await keys.sign(
            payload,
            kid: JWKIdentifier(string: id),
            header: ["typ": "at+jwt", "alg": .string(algorithm.rawValue)]
        )
        #expect(try fixture.verify(access: token) == claims)
    }

    /// All our claims, so that they can be written by another encoder.
    private struct Everything: JWTPayload {
        var iss, sub, aud, clientID, jti, sid, deviceId, type, acr: String
        var iat, exp, authTime: Int64
        var amr: [String]

        private enum CodingKeys: String, CodingKey {
            case iss, sub, aud, jti, sid, deviceId, type, acr, iat, exp, amr
            case clientID = "client_id"
            case authTime = "auth_time"
        }

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}
