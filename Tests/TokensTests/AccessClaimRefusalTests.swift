import Foundation
import Kernel
import Testing
import TokenReading

@testable import Tokens

/// Tokens that are rightly signed and still not accepted.
struct AccessClaimRefusalTests {
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
        #expect(throws: refusal, sourceLocation: location) { try fixture.verify(access: token, at: now) }
    }

    @Test func `a token is good until the moment of its exp and not at it`() throws {
        let token = try fixture.issuer.sign(access: TokenFixture.accessClaims()).expose()
        let end = Instant(seconds: 1_800_003_600)
        _ = try fixture.verify(access: token, at: end - .milliseconds(1))
        refuses(token, .expired, at: end)
        refuses(token, .expired, at: end + .seconds(1))
    }

    @Test func `iat may lie in the future by the clock skew and no further`() throws {
        let now = Instant(seconds: TokenFixture.now.seconds)
        let skew = TokenVerifier.defaultClockSkew
        #expect(skew == .seconds(300))
        let near = try fixture.issuer.sign(access: TokenFixture.accessClaims(issuedAt: now + skew)).expose()
        _ = try fixture.verify(access: near, at: now)
        let far = try fixture.issuer.sign(access: TokenFixture.accessClaims(issuedAt: now + skew + .seconds(1)))
            .expose()
        refuses(far, .notYetValid, at: now)
    }

    @Test func `nbf counts where it is given`() throws {
        let now = TokenFixture.now.seconds
        let payload = forge.accessPayload().dropLast()
        _ = try fixture.verify(access: try forge.signed(payload: payload + ",\"nbf\":\(now + 300)}"))
        refuses(try forge.signed(payload: payload + ",\"nbf\":\(now + 301)}"), .notYetValid)
        refuses(try forge.signed(payload: payload + ",\"nbf\":\"\(now)\"}"), .claims)
    }

    @Test(arguments: [
        "\" a\"", "\"a \"", "\"a  b\"", "\"a a\"", "\"a\\\\b\"", "\"a\\\"b\"", "\"a\\tb\"", "\"é\"", "null",
        "[\"a\"]",
        "7",
    ])
    func `a scope that RFC 6749 does not know is refused`(scope: String) throws {
        let payload = forge.accessPayload().dropLast()
        refuses(try forge.signed(payload: payload + ",\"scope\":\(scope)}"), .claims)
    }

    // T-090
    @Test func `another issuer is refused`() throws {
        for issuer in ["https://other.example.com", TokenFixture.issuer + "/", "HTTPS://login.example.com"] {
            refuses(try forge.signed(payload: forge.accessPayload(issuer: issuer)), .wrongIssuer)
        }
    }

    // T-090
    @Test func `another client's audience is refused, one of several is accepted`() throws {
        let claims = TokenFixture.accessClaims(audience: "mwsim")
        let token = try fixture.issuer.sign(access: claims).expose()
        refuses(token, .wrongAudience)
        #expect(throws: TokenError.wrongAudience) {
            try fixture.verifier.verifyAccess(token, audiences: [], now: TokenFixture.now)
        }
        let read = try fixture.verifier.verifyAccess(
            token,
            audiences: [TokenFixture.audience, "mwsim"],
            now: TokenFixture.now
        )
        #expect(read == claims)
    }

    // T-090
    @Test func `an audience that is a list is not ours`() throws {
        let payload = forge.accessPayload().replacing(#""aud":"bbms""#, with: #""aud":["bbms"]"#)
        refuses(try forge.signed(payload: payload), .claims)
    }

    @Test(arguments: ["iss", "sub", "aud", "client_id", "iat", "exp", "auth_time", "jti", "sid", "type", "amr"])
    func `a token without one of its claims is refused`(name: String) throws {
        var members = try #require(
            try JSONSerialization.jsonObject(with: Data(forge.accessPayload().utf8)) as? [String: Any]
        )
        #expect(members.removeValue(forKey: name) != nil)
        let payload = try JSONSerialization.data(withJSONObject: members)
        refuses(try forge.signed(payload: String(decoding: payload, as: UTF8.self)), .claims)
    }

    @Test(arguments: ["deviceId", "acr"])
    func `the optional claims may be absent but not of another type`(name: String) throws {
        var members = try #require(
            try JSONSerialization.jsonObject(with: Data(forge.accessPayload().utf8)) as? [String: Any]
        )
        members[name] = 7
        let payload = try JSONSerialization.data(withJSONObject: members)
        refuses(try forge.signed(payload: String(decoding: payload, as: UTF8.self)), .claims)
        members[name] = nil
        let without = try JSONSerialization.data(withJSONObject: members)
        _ = try fixture.verify(access: try forge.signed(payload: String(decoding: without, as: UTF8.self)))
    }

    @Test(arguments: ["9223372036854775807", "-1", "1800003600.5", "\"1800003600\"", "1e12", "true", "null"])
    func `an exp other than a whole second of this era is refused and crashes nothing`(value: String) throws {
        let payload = forge.accessPayload().replacing(#""exp":1800003600"#, with: "\"exp\":\(value)")
        #expect(payload != forge.accessPayload())
        refuses(try forge.signed(payload: payload), .claims)
    }

    @Test func `a claim named twice is refused`() throws {
        let payload = forge.accessPayload()
        refuses(try forge.signed(payload: payload.dropLast() + #","aud":"mwsim"}"#), .claims)
        refuses(try forge.signed(payload: payload.dropLast() + #","exp":1900000000}"#), .claims)
    }

    @Test func `a subject other than an account id is refused`() throws {
        let claims = TokenFixture.accessClaims()
        let payload = forge.accessPayload(claims).replacing(claims.account.description, with: "admin")
        refuses(try forge.signed(payload: payload), .claims)
    }

    @Test func `a payload other than a JSON object is refused`() throws {
        refuses(try forge.signed(payload: "[]"), .claims)
        refuses(try forge.signed(payload: "x"), .claims)
    }
}
