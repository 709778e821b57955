import Crypto
import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

struct RefreshTokenAttackTests {
    private let fixture: TokenFixture
    private let forge: Forge

    init() throws {
        fixture = try TokenFixture()
        forge = Forge(fixture: fixture)
    }

    private func refuses(
        _ token: String,
        _ refusal: TokenError,
        at now: Instant = TokenFixture.now,
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: refusal, sourceLocation: location) { try fixture.verify(refresh: token, at: now) }
    }

    @Test func `the forge's untampered token is accepted`() throws {
        _ = try fixture.verify(refresh: forge.signedAsRefresh())
    }

    // T-088
    @Test func `a refresh token is not accepted as an access token, nor an access token as a refresh token`() throws {
        let refresh = fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose()
        #expect(throws: TokenError.wrongType) { try fixture.verify(access: refresh) }
        refuses(try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose(), .wrongType)
    }

    // T-088
    @Test func `each of the four differences between the two kinds is enough by itself`() throws {
        // The typ is right, the key is the other kind's.
        #expect(throws: TokenError.unknownKey) {
            try fixture.verify(
                access: forge.signedAsRefresh(
                    header: forge.refreshHeader.replacing("rt+jwt", with: "at+jwt").replacing("HS256", with: "ES256")
                )
            )
        }
        refuses(try forge.signed(header: forge.accessHeader.replacing("at+jwt", with: "rt+jwt")), .unknownKey)
        // The key is right, the algorithm the other kind's.
        refuses(forge.signedAsRefresh(header: forge.refreshHeader.replacing("HS256", with: "ES256")), .algorithm)
        // Header and key are right, the claims the other kind's.
        refuses(forge.signedAsRefresh(payload: forge.accessPayload()), .wrongType)
        #expect(throws: TokenError.wrongType) {
            try fixture.verify(access: try forge.signed(payload: forge.refreshPayload()))
        }
    }

    @Test(arguments: ["none", "HS384", "HS512", "ES256", "hs256"])
    func `another algorithm is refused`(algorithm: String) {
        let header = forge.refreshHeader.replacing("HS256", with: algorithm)
        refuses(forge.signedAsRefresh(header: header), .algorithm)
        refuses(Forge.input(header, forge.refreshPayload()) + ".", .algorithm)
    }

    @Test func `keys for other purposes, other servers and the empty key sign nothing`() throws {
        for purpose in KeyPurpose.allCases where purpose != .refreshToken {
            let key = fixture.folder.derivedKey(purpose)
            refuses(Forge.hmac(forge.refreshHeader, forge.refreshPayload(), key: key), .signature)
        }
        let empty = SymmetricKey(data: [UInt8]())
        refuses(Forge.hmac(forge.refreshHeader, forge.refreshPayload(), key: empty), .signature)
        let outsider = try Forge(fixture: TokenFixture())
        refuses(outsider.signedAsRefresh(), .unknownKey)
        refuses(outsider.signedAsRefresh(header: forge.refreshHeader), .signature)
    }

    @Test func `a code that is flipped, cut or missing is refused`() throws {
        let token = forge.signedAsRefresh()
        let good = try Forge.signature(of: token)
        for index in good.indices {
            var flipped = good
            flipped[index] ^= 0x40
            refuses(Forge.resigned(token, flipped), .signature)
        }
        for wrong in [[], Array(good.prefix(16)), Array(good.dropLast()), good + [0]] {
            refuses(Forge.resigned(token, wrong), .signature)
        }
    }

    @Test func `an expired token is refused; one from before the clock was set back is as good as ever`() throws {
        let token = fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose()
        let end = Instant(seconds: 1_800_000_000 + 30 * 86_400)
        _ = try fixture.verify(refresh: token, at: end - .milliseconds(1))
        refuses(token, .expired, at: end)
        let early = fixture.issuer.sign(
            refresh: TokenFixture.refreshClaims(issuedAt: TokenFixture.now + .seconds(86_400))
        )
        _ = try fixture.verify(refresh: early.expose())
    }

    @Test func `rotating the signing keys leaves refresh tokens alone, another root does not`() throws {
        let token = fixture.issuer.sign(refresh: TokenFixture.refreshClaims()).expose()
        try fixture.ring.rotate(now: TokenFixture.now)
        _ = try fixture.verify(refresh: token)
        let restarted = try TokenFixture(home: fixture.home)
        _ = try restarted.verify(refresh: token)
    }

    @Test func `unknown header members and missing claims are refused`() throws {
        refuses(forge.signedAsRefresh(header: forge.refreshHeader.dropLast() + #","crit":["exp"]}"#), .header)
        let claims = TokenFixture.refreshClaims()
        let payload = forge.refreshPayload(claims).replacing(#""jti":"\#(claims.tokenID)","#, with: "")
        refuses(forge.signedAsRefresh(payload: payload), .claims)
    }
}
