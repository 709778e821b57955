import Kernel
import Testing

@testable import OAuth

/// Tests reading the parameters of authorization requests.
struct AuthorizationRequestTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture()

    @Test func `a good request is read in full`() throws {
        let request = try fixture.read(
            [
                "nonce": "n", "prompt": "login consent", "max_age": "60", "acr_values": "urn:other face-and-passkey",
                "login_hint": "ada@example.com", "id_token_hint": Fixture.ada.description, "response_mode": "form_post",
                "dpop_jkt": Fixture.challenge(of: "key"),
            ],
            resources: ["https://api.example.com", "app", "https://api.example.com"]
        )
        #expect(
            request.clientID == "app" && request.target.redirectURI == Fixture.callback
                && request.target.namesRedirectURI
        )
        #expect(
            request.target.responseMode == .formPost && request.target.state == "s"
                && request.scopes.text == "email openid"
        )
        #expect(request.resources == ["https://api.example.com", "app"], "each once")
        #expect(request.binding.codeChallenge == Digest256(sha256: Fixture.verifier))
        #expect(request.nonce == "n" && request.demands.prompts == [.login, .consent] && request.demands.maxAge == 60)
        #expect(request.demands.contextClass == .both && !request.demands.isContextClassEssential)
        #expect(request.demands.loginHint == "ada@example.com" && request.demands.hintedAccount == Fixture.ada)
        #expect(request.binding.proofKey == Digest256(sha256: "key"))
    }

    // O-005
    @Test(
        arguments: [
            ["client_id": nil], ["client_id": "other"], ["client_id": "APP"], ["redirect_uri": nil],
            ["redirect_uri": "https://evil.example/callback"], ["redirect_uri": Fixture.callback + "/"],
            ["state": "a\nb"], ["state": String(repeating: "s", count: 4097)], ["state": "\u{FFFD}"],
            // However bad the rest is, no fault leads to an address that is not the client's.
            ["redirect_uri": "https://evil.example/", "response_type": "token"],
            ["redirect_uri": "https://evil.example/", "prompt": "none"],
        ] as [[String: String?]]
    )
    func `for a bad client or redirect URI there is a page, and no redirect`(_ change: [String: String?]) throws {
        guard case .page? = fixture.refusal(change) else {
            Issue.record("it is not a page")
            return
        }
    }

    @Test func `a disabled client gets a page`() throws {
        let fixture = AuthorizationFixture([Fixture.client(isEnabled: false)])
        #expect(fixture.refusal([:]) == .page(.invalidClient))
    }

    // O-014, O-030
    @Test(
        arguments: [
            (["response_type": nil], .invalidRequest), (["response_type": "token"], .unsupportedResponseType),
            (["response_type": "code id_token"], .unsupportedResponseType),
            (["response_type": "CODE"], .unsupportedResponseType),
            (["response_mode": "fragment"], .invalidRequest), (["response_mode": "query.jwt"], .invalidRequest),
            (["scope": "openid admin"], .invalidScope), (["scope": "open\"id"], .invalidScope),
            (["scope": String(repeating: "x", count: 1025)], .invalidScope),
            (["prompt": "none login"], .invalidRequest), (["prompt": "create"], .invalidRequest),
            (["max_age": "-1"], .invalidRequest), (["max_age": "+1"], .invalidRequest),
            (["max_age": "1.5"], .invalidRequest),
            (["max_age": "99999999999"], .invalidRequest),
            (["nonce": String(repeating: "n", count: 1025)], .invalidRequest),
            (["login_hint": "a\u{0}"], .invalidRequest), (["id_token_hint": "nobody's"], .invalidRequest),
            (["claims": "{"], .invalidRequest), (["claims": "[]"], .invalidRequest),
            (
                ["claims": #"{"id_token":{"acr":{"essential":true,"values":["urn:other"]}}}"#],
                .unmetAuthenticationRequirements
            ),
            (["dpop_jkt": "short"], .invalidRequest), (["registration": "{}"], .registrationNotSupported),
            (["request_uri": "https://app.example.com/request.jwt"], .requestURINotSupported),
        ] as [([String: String?], OAuthErrorCode)]
    )
    func `an error of a request with a known client and redirect URI is returned to the client`(
        _ change: [String: String?],
        _ code: OAuthErrorCode
    ) throws {
        #expect(fixture.refusal(change) == .told(code))
    }

    // O-009, O-012
    @Test func `every answer repeats the state and names this server`() throws {
        let state = "a+b c%20d&e=f#\u{E4}\u{1F600}"
        let answer: AuthorizationAnswer
        do throws(AuthorizationError) {
            _ = try fixture.reader.read(
                Fixture.parameters(["state": state, "response_type": "token"]),
                by: .browser,
                at: fixture.environment.now()
            )
            Issue.record("it is refused")
            return
        } catch {
            guard case .redirect(_, let refused) = error else { throw error }
            answer = refused
        }
        #expect(answer.redirectURI == Fixture.callback)
        #expect(answer.parameters.map(\.name) == ["error", "error_description", "state", "iss"])
        #expect(answer.parameters.suffix(2).map(\.value) == [state, Fixture.issuer])
        let code = AuthorizationAnswers(issuer: Fixture.issuer).code(
            Secret("c"),
            to: try fixture.read(["state": state])
        )
        #expect(code.parameters == [.init("code", "c"), .init("state", state), .init("iss", Fixture.issuer)])
    }

    // O-005, O-007
    @Test func `faults of a client that anybody can register are told to the person alone`() throws {
        let fixture = AuthorizationFixture([Fixture.client(origin: .registered)])
        #expect(fixture.refusal(["scope": "nonsense"]) == .page(.invalidScope))
        #expect(fixture.refusal([:]) == nil)
    }

    // MARK: PKCE

    // O-036, O-037, O-038, O-041, O-043
    @Test(
        arguments: [
            ["code_challenge": nil, "code_challenge_method": nil], ["code_challenge": nil],
            ["code_challenge_method": nil], ["code_challenge_method": "plain"], ["code_challenge_method": "S512"],
            ["code_challenge": "short"], ["code_challenge": String(repeating: "A", count: 44)],
            ["code_challenge": String(repeating: "=", count: 43)], ["code_challenge": Fixture.verifier + "~"],
        ] as [[String: String?]]
    )
    func `a public client needs a challenge by S256, and plain is none`(_ change: [String: String?]) throws {
        #expect(fixture.refusal(change) == .told(.invalidRequest))
    }

    @Test func `a client in the field may write the method in a small letter`() throws {
        let request = try fixture.read(["code_challenge_method": "s256"])
        #expect(request.binding.codeChallenge == Digest256(sha256: Fixture.verifier))
    }

    // O-038
    @Test func `a confidential OpenID client may use a nonce in place of a challenge`() throws {
        let without: [String: String?] = ["code_challenge": nil, "code_challenge_method": nil]
        let withNonce = without.merging(["nonce": "n"]) { $1 }
        #expect(fixture.refusal(withNonce) == .told(.invalidRequest), "a public one can't")
        let fixture = AuthorizationFixture([Fixture.client(authentication: Fixture.secret)])
        #expect(fixture.refusal(withNonce) == nil)
        #expect(fixture.refusal(without) == .told(.invalidRequest))
        #expect(fixture.refusal(withNonce.merging(["scope": "email"]) { $1 }) == .told(.invalidRequest))
    }

    // O-042
    @Test func `a client with an optional challenge may leave it out, and one that it sends is kept`() throws {
        let fixture = AuthorizationFixture([Fixture.client(codeChallenge: .optional)])
        #expect(try fixture.read(["code_challenge": nil, "code_challenge_method": nil]).binding.codeChallenge == nil)
        #expect(try fixture.read().binding.codeChallenge != nil)
        #expect(fixture.refusal(["code_challenge_method": "plain"]) == .told(.invalidRequest))
    }

    // MARK: What is left out

    @Test func `without a scope a request is for what the client is for`() throws {
        #expect(try fixture.read(["scope": nil]).scopes == ScopeSet(["profile", "email"]))
    }

    @Test func `a redirect URI can be left out where one is registered, except by OpenID requests`() throws {
        let request = try fixture.read(["redirect_uri": nil, "scope": "email"])
        #expect(request.target.redirectURI == Fixture.callback && !request.target.namesRedirectURI)
        let two = AuthorizationFixture([
            Fixture.client(redirectURIs: [Fixture.callback, "https://app.example.com/other"])
        ])
        #expect(two.refusal(["redirect_uri": nil, "scope": "email"]) == .page(.invalidRequest))
    }

    // O-065
    @Test(arguments: [
        ["https://other.example.com"], ["https://api.example.com#x"], ["https://api.example.com/"],
        Array(repeating: "https://api.example.com", count: 9),
    ])
    func `a resource is one that the client's tokens may be for`(_ resources: [String]) throws {
        #expect(fixture.refusal([:], resources: resources) == .told(.invalidTarget))
    }

    @Test func `a client without the grant gets no code`() throws {
        let fixture = AuthorizationFixture([Fixture.client(grants: [.deviceCode])])
        #expect(fixture.refusal([:]) == .told(.unauthorizedClient))
    }

    // O-016
    @Test func `a form is posted to addresses of the web alone`() throws {
        let app = "myapp.scheme.demo://code_callback"
        let fixture = AuthorizationFixture([Fixture.client(redirectURIs: [app])])
        let refusal = fixture.refusal(["redirect_uri": app, "response_mode": "form_post"])
        #expect(refusal == .told(.invalidRequest))
    }

    // O-024
    /// OpenID Connect Core §5.4, §5.5: scopes are a short way to ask for claims, and the person is asked in the same words.
    @Test(
        arguments: [
            (#"{"userinfo":{"email":null}}"#, ["email", "openid"], []),
            (
                #"{"userinfo":{"email":{"essential":true}},"id_token":{"name":null}}"#, ["email", "openid", "profile"],
                [.name]
            ),
            (#"{"id_token":{"email_verified":{"essential":true}}}"#, ["email", "openid"], [.email]),
            (#"{"id_token":{"preferred_username":{}}}"#, ["openid", "profile"], [.preferredUsername]),
            (#"{"id_token":{"phone_number":{"essential":true},"auth_time":null,"name":7}}"#, ["openid"], []),
            (#"{"userinfo":7,"id_token":[]}"#, ["openid"], []), ("{}", ["openid"], []),
        ] as [(String, Set<String>, Set<IdentityClaim>)]
    )
    func `a claim that is asked for is granted with its scope`(
        _ claims: String,
        _ scopes: Set<String>,
        _ inToken: Set<IdentityClaim>
    ) throws {
        let request = try fixture.read(["scope": "openid", "claims": claims])
        #expect(request.scopes.values == scopes && request.identityClaims == inToken)
        let plain = try fixture.read(["scope": "email", "claims": claims])
        #expect(plain.scopes.values == ["email"] && plain.identityClaims.isEmpty, "no claims without openid")
    }

    // O-024
    @Test func `attack: a claim outside the client's scopes is not granted`() throws {
        let fixture = AuthorizationFixture([Fixture.client(scopes: ["openid"])])
        let order = try fixture.read([
            "scope": "openid", "claims": #"{"id_token":{"email":null},"userinfo":{"name":null}}"#,
        ])
        #expect(order.scopes.values == ["openid"] && order.identityClaims.isEmpty)
    }

    @Test func `an essential acr comes by the claims parameter, and a wish by either`() throws {
        let essential = #"{"id_token":{"acr":{"essential":true,"values":["urn:other","passkey"]}}}"#
        let request = try fixture.read(["claims": essential, "acr_values": "face"])
        #expect(request.demands.contextClass == .passkey && request.demands.isContextClassEssential)
        let requested = try fixture.read(["claims": #"{"id_token":{"acr":{"value":"face"}},"userinfo":{"email":null}}"#]
        )
        #expect(requested.demands.contextClass == .face && !requested.demands.isContextClassEssential)
        #expect(try fixture.read(["acr_values": "urn:other"]).demands.contextClass == nil)
    }

    // MARK: Whom it may be about

    private static func subject(_ json: String) -> String { #"{"id_token":{"sub":\#(json)}}"# }

    // O-023
    /// OpenID Connect Core §3.1.2.2: the answer must hold no id token or access token for a different user, "even if
    /// they have an active session".
    ///
    /// This also holds where the claim `sub` was requested with a value (§5.5.1).
    @Test func `attack: a request with a sub claim is not answered for another account`() throws {
        for json in [#"{"value":"\#(Fixture.ada)"}"#, #"{"values":["\#(Fixture.ada)"]}"#] {
            let request = try fixture.read(["claims": Self.subject(json), "prompt": "none"])
            #expect(request.demands.hintedAccount == Fixture.ada)
            let other = fixture.service.step(
                request,
                session: fixture.proven(of: Fixture.eve),
                client: Fixture.client(),
                hasConsented: true
            )
            guard case .answer(let answer) = other else {
                Issue.record("somebody else's session answers")
                continue
            }
            #expect(answer.parameters.first == .init("error", "login_required"))
            let own = fixture.service.step(
                request,
                session: fixture.proven(of: Fixture.ada),
                client: Fixture.client(),
                hasConsented: true
            )
            guard case .grant(let grant) = own else {
                Issue.record("the one who is meant gets no code")
                continue
            }
            #expect(grant.account == Fixture.ada)
        }
    }

    // O-023
    @Test(
        arguments: [
            (#"{"value":"248289761001"}"#, .loginRequired), (#"{"value":""}"#, .loginRequired),
            (#"{"value":7}"#, .invalidRequest), (#"{"values":["a","b"]}"#, .invalidRequest),
            (#"{"values":[]}"#, .invalidRequest), (#"{"value":"a","values":["a"]}"#, .invalidRequest),
        ] as [(String, OAuthErrorCode)]
    )
    func `a sub that is nobody's, or is asked for in a way that can't be held, is refused`(
        _ json: String,
        _ code: OAuthErrorCode
    ) {
        #expect(fixture.refusal(["claims": Self.subject(json)]) == .told(code))
    }

    @Test func `a hint and a sub name one person, and a sub without a value names nobody`() throws {
        let ada = Self.subject(#"{"value":"\#(Fixture.ada)"}"#)
        #expect(fixture.refusal(["claims": ada, "id_token_hint": Fixture.eve.description]) == .told(.invalidRequest))
        #expect(
            try fixture.read(["claims": ada, "id_token_hint": Fixture.ada.description]).demands.hintedAccount
                == Fixture.ada
        )
        for json in ["null", "{}", #"{"essential":true}"#] {
            #expect(try fixture.read(["claims": Self.subject(json)]).demands.hintedAccount == nil)
        }
    }

    /// OAuth 2.0 Form Post Response Mode §2: the mode is that of every answer, errors among them.
    @Test func `an error is posted as well where the request leaves the address out`() {
        let parameters = Fixture.parameters([
            "redirect_uri": nil, "scope": "email", "response_mode": "form_post", "response_type": "token",
        ])
        do throws(AuthorizationError) {
            _ = try fixture.reader.read(parameters, by: .browser, at: fixture.environment.now())
            Issue.record("it is refused")
        } catch {
            guard case .redirect(_, let answer) = error else {
                Issue.record("the client is told")
                return
            }
            #expect(answer.responseMode == .formPost && answer.redirectURI == Fixture.callback)
        }
    }
}
