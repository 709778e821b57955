import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Requests that a client has signed (RFC 9101), and what others make of them.
struct RequestObjectTests {
    private typealias Fixture = AuthorizationFixture
    private let signer: ClientSigner
    private let attacker: ClientSigner
    private let fixture: AuthorizationFixture

    init() throws {
        signer = try ClientSigner(.es256, kid: "k1")
        attacker = try ClientSigner(.es256, kid: "k1")
        fixture = AuthorizationFixture([
            Fixture.client(authentication: .privateKeyJWT(ClientKeySet(document: signer.keySet))),
            Fixture.client("other", authentication: .privateKeyJWT(ClientKeySet(document: attacker.keySet))),
            Fixture.client("web", authentication: Fixture.secret), Fixture.client("native"),
        ])
    }

    private var now: Int64 { fixture.environment.now().milliseconds / 1000 }

    /// The claims of a good object; `change`: the JSON of what is otherwise, `nil` for what is left out.
    private func claims(_ change: [String: String?] = [:]) -> String {
        var claims = [
            "iss": "\"app\"", "aud": "\"\(Fixture.issuer)\"", "iat": "\(now)", "nbf": "\(now)", "exp": "\(now + 60)",
            "jti": "\"one\"",
        ]
        for (name, value) in Fixture.parameters().values { claims[name] = "\"\(value)\"" }
        for (name, value) in change { claims[name] = value }
        return "{" + claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private func object(_ change: [String: String?] = [:], header: [String: String?] = [:]) throws -> String {
        try signer.token(claims(change), header: header)
    }

    /// Returns the parameters of the address: the client, the object, and others.
    private func outer(
        _ object: String,
        _ beside: [String: String] = [:],
        resources: [String] = []
    ) -> AuthorizationParameters {
        let values = ["client_id": "app", "request": object].merging(beside) { $1 }
        return AuthorizationParameters(values: values, resources: resources)
    }

    private func read(_ parameters: AuthorizationParameters) throws -> AuthorizationRequest {
        try fixture.reader.read(parameters, by: .browser, at: fixture.environment.now()).request
    }

    private func refusal(_ parameters: AuthorizationParameters) -> Refused? {
        do throws(AuthorizationError) {
            _ = try fixture.reader.read(parameters, by: .browser, at: fixture.environment.now())
            return nil
        } catch {
            switch error {
            case .page(let cause): return .page(cause.code)
            case .redirect(let cause, _): return .told(cause.code)
            }
        }
    }

    // MARK: Good ones

    @Test(arguments: [nil, "JWT", "oauth-authz-req+jwt", "application/oauth-authz-req+jwt"])
    func `the object that a client signed is its request`(type: String?) throws {
        let claims = """
            {"id_token":{"acr":{"essential":true,"values":["passkey"]}}}
            """
        let change: [String: String?] = [
            "max_age": "60", "claims": claims, "resource": #"["https://api.example.com","app"]"#, "nonce": "\"n\"",
        ]
        let request = try read(outer(try object(change, header: ["typ": type])))
        #expect(
            request.clientID == "app" && request.target.redirectURI == Fixture.callback && request.target.state == "s"
        )
        #expect(request.scopes.text == "email openid" && request.nonce == "n" && request.demands.maxAge == 60)
        #expect(request.binding.codeChallenge == Digest256(sha256: Fixture.verifier))
        #expect(request.resources == ["https://api.example.com", "app"])
        #expect(request.demands.contextClass == .passkey && request.demands.isContextClassEssential)
    }

    @Test func `an object may be for several, of whom this server is one, and one resource may stand alone`() throws {
        let change: [String: String?] = [
            "aud": "[\"https://other.example.com\",\"\(Fixture.issuer)\"]", "resource": "\"https://api.example.com\"",
        ]
        #expect(try read(outer(try object(change))).resources == ["https://api.example.com"])
    }

    @Test func `a fault of what was signed is told to the client, at the address that was signed`() throws {
        #expect(refusal(outer(try object(["scope": "\"admin\""]))) == .told(.invalidScope))
        let elsewhere = try object(["redirect_uri": "\"https://evil.example/\""])
        #expect(refusal(outer(elsewhere)) == .page(.invalidRedirectURI))
    }

    // MARK: Attacks

    // O-034
    @Test(arguments: [
        ["alg": "none"], ["alg": "None"], ["alg": "HS256"], ["alg": "RS256"], ["alg": "EdDSA"], ["alg": nil],
        ["kid": "k2"], ["typ": "at+jwt"], ["typ": "dpop+jwt"], ["typ": "client-authentication+jwt"], ["crit": "b64"],
        ["zip": "DEF"],
    ])
    func `attack: a request object with another alg, kid or typ in its header is refused`(
        _ header: [String: String?]
    ) throws {
        #expect(refusal(outer(try object(header: header))) == .page(.invalidRequestObject))
    }

    @Test func `attack: a request object without a signature is refused`() throws {
        for header in [["alg": "none"], [:]] as [[String: String?]] {
            let parts = try object(header: header).split(separator: ".")
            for unsigned in ["\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).AA"] {
                #expect(refusal(outer(unsigned)) == .page(.invalidRequestObject), "\(unsigned)")
            }
        }
    }

    @Test func `attack: a request object whose claims were changed after signing is refused`() throws {
        let parts = try object().split(separator: ".")
        let claims = Base64URL.encode(Array(claims(["scope": "\"openid profile\""]).utf8))
        #expect(refusal(outer("\(parts[0]).\(claims).\(parts[2])")) == .page(.invalidRequestObject))
    }

    // O-031
    @Test func `attack: a request object signed by another key is refused, whatever its kid`() throws {
        #expect(refusal(outer(try attacker.token(claims()))) == .page(.invalidRequestObject))
    }

    @Test func `attack: another client's request object is refused, and one that names another client`() throws {
        let own = ["iss": "\"other\"", "client_id": "\"other\""]
        let good = try attacker.token(claims(own))
        #expect(refusal(outer(good, ["client_id": "other"])) == nil, "it is good for its own")
        #expect(refusal(outer(good)) == .page(.invalidRequestObject))
        // Signed by the client's own key, and in somebody else's name.
        #expect(refusal(outer(try object(["client_id": "\"other\""]))) == .page(.invalidRequestObject))
        #expect(refusal(outer(try object(["iss": "\"other\""]))) == .page(.invalidRequestObject))
    }

    // O-012
    @Test(
        arguments: [
            ["aud": "\"https://other.example.com\""], ["aud": "\"\(Fixture.issuer)/\""], ["aud": "[]"], ["aud": nil],
            ["iss": nil], ["client_id": nil],
            // A client's assertion must not pass as a request (RFC 9101 §10.8).
            ["sub": "\"app\""],
            ["exp": "\"soon\""], ["request": "\"a.b.c\""], ["request_uri": "\"https://app.example.com/r\""],
        ] as [[String: String?]]
    )
    func `attack: a request object with another audience, of another kind or with a nested request is refused`(
        _ change: [String: String?]
    ) throws {
        #expect(refusal(outer(try object(change))) == .page(.invalidRequestObject))
    }

    // O-032
    @Test func `attack: a request object outside exp, nbf and iat is refused`() throws {
        for change in [["exp": "\(now - 31)"], ["nbf": "\(now + 60)"], ["iat": "\(now + 60)"]] {
            #expect(refusal(outer(try object(change))) == .page(.invalidRequestObject), "\(change)")
        }
        let good = try object()
        #expect(refusal(outer(good)) == nil)
        fixture.time.advance(by: .seconds(91))
        #expect(refusal(outer(good)) == .page(.invalidRequestObject), "it has run out since")
    }

    // O-032
    /// RFC 9101 §10.2: signed once, used for ever after.
    @Test func `attack: a request object valid for more than an hour is refused`() throws {
        let wrong: [[String: String?]] = [
            ["exp": nil], ["exp": "\(now + 3601)"], ["exp": "\(now + 3601)", "iat": nil],
            ["exp": "\(now + 3631)", "iat": nil, "nbf": nil], ["exp": "\(now + 60)", "iat": "\(now - 3541)"],
            ["exp": "\(now + 60)", "nbf": "\(now - 3541)"], ["exp": "99999999999", "iat": nil, "nbf": nil],
        ]
        for change in wrong {
            #expect(refusal(outer(try object(change))) == .page(.invalidRequestObject), "\(change)")
        }
        for change in [["exp": "\(now + 3600)"], ["iat": nil, "nbf": nil], ["iat": "\(now - 3540)"]] {
            #expect(refusal(outer(try object(change))) == nil, "\(change)")
        }
    }

    // O-031
    @Test func `attack: parameters beside a request object are ignored`() throws {
        let beside = [
            "redirect_uri": "https://evil.example/", "scope": "openid profile offline_access", "state": "evil",
            "nonce": "evil", "code_challenge": Fixture.challenge(of: "evil"), "code_challenge_method": "plain",
            "prompt": "none", "response_type": "token", "response_mode": "form_post", "login_hint": "eve@example.com",
        ]
        let request = try read(outer(try object(), beside, resources: ["https://api.example.com"]))
        #expect(request == (try read(outer(try object()))))
        #expect(
            request.target.redirectURI == Fixture.callback && request.target.state == "s" && request.resources.isEmpty
        )
        // Nor does it fill in what was not signed.
        let without = try object(["code_challenge": nil, "code_challenge_method": nil])
        let filled = ["code_challenge": Fixture.challenge(), "code_challenge_method": "S256"]
        #expect(refusal(outer(without, filled)) == .told(.invalidRequest))
    }

    // O-035
    @Test func `attack: a repeated request object gives the same request, and its code needs the same verifier`()
        async throws
    {
        // A reload sends it twice, so that it can't be refused; an eavesdropper lacks the verifier.
        let text = try object()
        let (first, again) = (try read(outer(text)), try read(outer(text)))
        #expect(first == again)
        let code = try await fixture.code(for: again)
        let client = fixture.clients["app"]
        await #expect(throws: OAuthError.self) {
            try await fixture.redeem(code, by: client, verifier: "verifier-of-somebody-else-0123456789-ABCDEFG")
        }
    }

    // O-033
    /// RFC 9101 §4: a parameter is a text or a number.
    ///
    /// Ignoring a parameter for its type would change the signed request.
    @Test(
        arguments: [
            ["code_challenge": "[]"], ["prompt": #"["login"]"#], ["prompt": "true"], ["dpop_jkt": "false"],
            ["acr_values": #"["passkey"]"#], ["resource": "7"], ["resource": "{}"],
            ["resource": #"["https://api.example.com",7]"#],
        ] as [[String: String?]]
    )
    func `attack: a request object with a parameter of a wrong type is refused`(_ change: [String: String?]) throws {
        #expect(refusal(outer(try object(change))) == .page(.invalidRequestObject))
    }

    @Test func `a parameter that is null was left out, and what nobody reads is of any type`() throws {
        let change: [String: String?] = ["nonce": "null", "resource": "null", "vendor": "[true]"]
        let request = try read(outer(try object(change)))
        #expect(request.nonce == nil && request.resources.isEmpty)
    }

    @Test func `attack: a request object beside a request_uri is refused`() throws {
        let uri = PushedRequests.prefix + String(repeating: "A", count: 43)
        #expect(refusal(outer(try object(), ["request_uri": uri])) == .page(.invalidRequest))
    }

    @Test(arguments: ["web", "native"])
    func `attack: a request object of a client without keys is refused`(client: String) throws {
        let own = ["iss": "\"\(client)\"", "client_id": "\"\(client)\""]
        #expect(refusal(outer(try object(own), ["client_id": client])) == .page(.requestNotSupported))
    }

    @Test func `attack: an overlong or malformed request object is refused`() throws {
        let long = try object(["padding": "\"\(String(repeating: "x", count: 16_384))\""])
        for text in [long, ".", "..", "a.b.c", "{}"] {
            #expect(refusal(outer(text)) == .page(.invalidRequestObject), "\(text.prefix(20))")
        }
    }

    @Test func `a pushed request is the object's, and nothing beside it is kept`() async throws {
        let app = try #require(fixture.clients["app"])
        let client = AuthenticatedClient(client: app, method: .privateKeyJWT)
        let uri = try await fixture.pushed.push(outer(try object(), ["scope": "openid profile"]), by: client)
        #expect(try await fixture.pushed.take(uri, of: "app") == Fixture.parameters())
        await #expect(throws: OAuthError.self) {
            try await fixture.pushed.push(outer(try attacker.token(claims())), by: client)
        }
    }
}
