import Crypto
import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Signed backchannel requests (CIBA Core §7.1.1), and hints that a client signs.
struct SignedBackchannelTests {
    private let harness = BackchannelHarness()

    private func refusal(_ claims: [String: String?], signed: Bool = true) throws -> OAuthErrorCode? {
        harness.refusal(["request": try harness.sign(harness.claims(claims))], of: harness.client(signed: signed))
    }

    @Test(arguments: [false, true])
    func `a signed request is taken, demanded or not`(isDemanded: Bool) throws {
        let text = try harness.sign(
            harness.claims([
                "requested_expiry": "60", "binding_message": "\"W4SCT\"", "resource": "[\"https://api.example.com/\"]",
            ]),
            header: #"{"alg":"ES256","typ":"oauth-authz-req+jwt"}"#
        )
        let form = ["request": text, "client_id": "bank", "client_assertion": "…", "client_assertion_type": "…"]
        let request = try harness.read(form, of: harness.client(signed: isDemanded))
        #expect(request.hint == .email("a@example.com"))
        #expect(request.lifetime == .seconds(60))
        #expect(request.bindingMessage?.text == "W4SCT")
        #expect(request.access.resources == ["https://api.example.com/"])
    }

    @Test func `a lifetime may be a string as well, and a resource`() throws {
        let claims = harness.claims(["requested_expiry": "\"60\"", "resource": "\"https://api.example.com/\""])
        let request = try harness.read(["request": try harness.sign(claims)])
        #expect(request.lifetime == .seconds(60) && request.access.resources == ["https://api.example.com/"])
    }

    // O-096
    @Test func `attack: an unsigned backchannel request of a client that has to sign gets invalid_request`() {
        let form = ["scope": "openid", "login_hint": "a@example.com"]
        #expect(harness.refusal(form, of: harness.client(signed: true)) == .invalidRequest)
    }

    // O-096
    @Test(arguments: ["login_hint", "binding_message", "scope", "requested_expiry", "anything"])
    func `attack: parameters beside a signed backchannel request get invalid_request`(name: String) throws {
        let form = ["request": try harness.sign(harness.claims()), name: "openid"]
        #expect(harness.refusal(form) == .invalidRequest)
    }

    @Test func `attack: a resource beside a signed backchannel request gets invalid_request`() throws {
        let form = ["request": try harness.sign(harness.claims())]
        #expect(harness.refusal(form, resources: ["https://api.example.com/"]) == .invalidRequest)
    }

    // O-096
    @Test func `attack: a signed backchannel request is refused the second time`() throws {
        let form = ["request": try harness.sign(harness.claims())]
        #expect(harness.refusal(form) == nil)
        #expect(harness.refusal(form) == .invalidRequestObject)
        #expect(
            harness.refusal(["request": try harness.sign(harness.claims(["scope": "\"openid profile\""]))])
                == .invalidRequestObject
        )
        #expect(harness.refusal(["request": try harness.sign(harness.claims(["jti": "\"request-2\""]))]) == nil)
    }

    // O-096
    @Test func `attack: a backchannel request signed by another key is refused, and its jti stays unused`() throws {
        let forged = try harness.sign(harness.claims(), by: P256.Signing.PrivateKey())
        #expect(harness.refusal(["request": forged]) == .invalidRequestObject)
        #expect(harness.refusal(["request": try harness.sign(harness.claims())]) == nil)
    }

    // O-034
    @Test(arguments: [
        #"{"alg":"none","typ":"JWT"}"#, #"{"alg":"HS256","typ":"JWT"}"#, #"{"alg":"RS256","typ":"JWT"}"#,
        #"{"alg":"ES256","typ":"at+jwt"}"#, #"{"alg":"ES256","typ":"client-authentication+jwt"}"#,
        #"{"alg":"ES256","typ":"dpop+jwt"}"#, #"{"alg":"ES256","crit":["b64"]}"#, #"{"alg":"ES256","zip":"DEF"}"#,
        #"{"alg":"ES256","kid":"other"}"#,
        #"{"typ":"JWT"}"#,
    ])
    func `attack: a signed backchannel request with another alg, kid or typ is refused`(header: String) throws {
        let text = try harness.sign(harness.claims(), header: header)
        #expect(harness.refusal(["request": text]) == .invalidRequestObject)
    }

    // O-096
    @Test(arguments: ["iss", "aud", "exp", "nbf", "iat", "jti"])
    func `each claim that CIBA demands has to be there`(name: String) throws {
        #expect(try refusal([name: nil]) == .invalidRequestObject)
    }

    // O-096
    @Test func `attack: a signed backchannel request of another issuer or audience, too old or too early, is refused`()
        throws
    {
        let now = harness.time.wall.seconds
        let wrong: [[String: String?]] = [
            ["iss": "\"shop\""], ["aud": "\"https://other.example.com\""],
            ["aud": "[\"\(BackchannelHarness.issuer)\",\"https://other.example.com\"]"], ["exp": "\(now - 31)"],
            ["exp": "\"soon\""], ["nbf": "\(now + 60)"], ["iat": "\(now + 60)"],
            ["iat": "\(now - 7200)", "exp": "\(now + 300)"],
            // FAPI-CIBA §5.2.2: good for an hour, and no longer.
            ["exp": "\(now + 3601)"], ["nbf": "\(now - 3301)"], ["exp": "99999999999"],
            ["jti": "\"\(String(repeating: "j", count: 257))\""],
            ["scope": "7"], ["binding_message": "null"],
        ]
        for claims in wrong { #expect(try refusal(claims) == .invalidRequestObject, "\(claims)") }
        #expect(try refusal(["aud": "[\"\(BackchannelHarness.issuer)\"]"]) == nil)
    }

    @Test func `attack: a signed backchannel request of a client without keys is refused`() throws {
        let form = ["request": try harness.sign(harness.claims())]
        #expect(harness.refusal(form, of: harness.client(method: .secretBasic)) == .invalidRequestObject)
    }

    @Test func `a parameter that is refused in a form is refused in a signed request`() throws {
        #expect(try refusal(["scope": "\"profile\""]) == .invalidScope)
        #expect(try refusal(["jti": "\"2\"", "binding_message": "\"a\\u200bb\""]) == .invalidBindingMessage)
        #expect(try refusal(["jti": "\"3\"", "user_code": "\"1\""]) == .invalidRequest)
        for name in ["request", "request_uri"] {
            #expect(try refusal(["jti": "\"4\"", name: "\"https://bank.example.com\""]) == .invalidRequestObject)
        }
    }

    // MARK: login_hint_token

    private func hint(_ subject: String?, _ changes: [String: String?] = [:]) throws -> [String: String] {
        let claims = changes.merging(["sub_id": subject, "jti": nil]) { first, _ in first }
        return ["scope": "openid", "login_hint_token": try harness.sign(harness.claims(claims))]
    }

    @Test func `a signed hint names a person by address or by account`() throws {
        let byAddress = try harness.read(try hint(#"{"format":"email","email":"b@example.com"}"#))
        #expect(byAddress.hint == .email("b@example.com"))
        let subject =
            #"{"format":"iss_sub","iss":"\#(BackchannelHarness.issuer)","sub":"\#(BackchannelHarness.account)"}"#
        #expect(try harness.read(try hint(subject)).hint == .account(BackchannelHarness.account))
    }

    @Test func `a signed hint that has expired is said to have`() throws {
        let subject = #"{"format":"email","email":"b@example.com"}"#
        let old = try hint(subject, ["exp": "\(harness.time.wall.seconds - 31)"])
        #expect(harness.refusal(old) == .expiredLoginHintToken)
    }

    // O-093
    @Test func `attack: a login_hint_token not signed for this server by the client gets invalid_request`() throws {
        let subject = #"{"format":"email","email":"b@example.com"}"#
        #expect(
            harness.refusal(["scope": "openid", "login_hint_token": "eyJhbGciOiJub25lIn0.e30."]) == .invalidRequest
        )
        #expect(harness.refusal(try hint(subject, ["iss": "\"shop\""])) == .invalidRequest)
        #expect(harness.refusal(try hint(subject, ["aud": "\"https://other.example.com\""])) == .invalidRequest)
        let forged = try harness.sign(harness.claims(["sub_id": subject]), by: P256.Signing.PrivateKey())
        #expect(harness.refusal(["scope": "openid", "login_hint_token": forged]) == .invalidRequest)
    }

    @Test(
        arguments: [
            nil, #""b@example.com""#, #"{"format":"phone_number","phone_number":"+15550100"}"#, #"{"format":"email"}"#,
            #"{"format":"iss_sub","iss":"https://other.example.com","sub":"00000000-0000-0007-0000-000000000007"}"#,
            #"{"format":"iss_sub","iss":"https://vestibule.example.com","sub":"bob"}"#, #"{"email":"b@example.com"}"#,
        ] as [String?]
    )
    func `a hint of another form is refused`(subject: String?) throws {
        #expect(harness.refusal(try hint(subject)) == .invalidRequest)
    }
}
