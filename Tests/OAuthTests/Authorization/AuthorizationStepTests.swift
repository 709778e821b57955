import Kernel
import Testing

@testable import OAuth

/// Tests the next step for the parameters of a client and the states of a browser.
struct AuthorizationStepTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture()

    enum Next: Equatable { case face, passkey, any, consent, grant, login, consentRequired, interaction, other }

    enum Way: CaseIterable { case nothing, face, passkey, both }

    /// One row: what the client asks for, what the browser's session shows and how old it is, what was shown just now.
    struct Row: CustomTestStringConvertible {
        var prompt: String?
        var maxAge: String?
        var acr: String?
        var isEssential = false
        var session = Way.nothing
        var age: Int64 = 30
        var fresh = Way.nothing
        let next: Next

        var testDescription: String {
            "\(prompt ?? "-") \(maxAge ?? "-") \(acr ?? "-")\(isEssential ? "!" : "") \(session) \(age) \(fresh) → \(next)"
        }
    }

    @Test(arguments: [
        // prompt × session
        Row(next: .any), Row(session: .face, next: .grant), Row(fresh: .passkey, next: .grant),
        Row(prompt: "none", next: .login), Row(prompt: "none", session: .face, next: .grant),
        Row(prompt: "login", session: .face, next: .any),
        Row(prompt: "login", session: .face, fresh: .face, next: .grant),
        Row(prompt: "select_account", session: .face, next: .any), Row(prompt: "consent", next: .any),
        Row(prompt: "consent", session: .face, next: .consent),
        Row(prompt: "login consent", session: .face, next: .any),
        Row(prompt: "login consent", fresh: .face, next: .consent),
        // max_age × session
        Row(maxAge: "30", session: .face, next: .grant), Row(maxAge: "29", session: .face, next: .any),
        Row(maxAge: "0", session: .face, age: 0, next: .any), Row(maxAge: "0", fresh: .face, next: .grant),
        Row(maxAge: "29", session: .face, fresh: .face, next: .grant),
        Row(prompt: "none", maxAge: "29", session: .face, next: .login),
        Row(prompt: "none", maxAge: "30", session: .face, next: .grant),
        // acr × session × what was shown
        Row(acr: "face", next: .face), Row(acr: "passkey", next: .passkey), Row(acr: "face-and-passkey", next: .any),
        Row(acr: "face", session: .passkey, next: .face), Row(acr: "face", session: .face, next: .grant),
        Row(acr: "passkey", session: .both, next: .grant), Row(acr: "face-and-passkey", session: .both, next: .grant),
        Row(acr: "face-and-passkey", session: .face, next: .any),
        Row(acr: "face-and-passkey", fresh: .face, next: .passkey),
        Row(acr: "face-and-passkey", fresh: .passkey, next: .face),
        Row(acr: "face-and-passkey", fresh: .both, next: .grant),
        Row(acr: "face-and-passkey", session: .passkey, fresh: .face, next: .passkey),
        Row(acr: "face", session: .face, age: 0, fresh: .passkey, next: .grant),
        Row(prompt: "none", acr: "passkey", session: .face, next: .grant),
        Row(prompt: "none", acr: "passkey", isEssential: true, session: .face, next: .login),
        Row(prompt: "none", acr: "passkey", isEssential: true, session: .passkey, next: .grant),
        Row(acr: "passkey", isEssential: true, session: .face, next: .passkey),
    ])
    func `the next step follows from what is wanted and what was shown`(_ row: Row) throws {
        #expect(try next(row) == row.next)
    }

    // O-007, O-022, O-078
    /// Consent: whose client it is, whether its identity is sure, and what was agreed to before.
    @Test(arguments: [
        // Our own client, whose address nobody else can have.
        (OAuthClient.Origin.config, Fixture.callback, "", false, false, Next.grant),
        // One of somebody else's: asked once, then remembered.
        (.added, Fixture.callback, "", false, false, .consent), (.added, Fixture.callback, "", false, true, .grant),
        (.registered, Fixture.callback, "consent", false, true, .consent),
        (.registered, Fixture.callback, "none", false, false, .consentRequired),
        (.added, Fixture.callback, "none", false, true, .grant),
        // An app whose address another app may take: never without the person (RFC 8252 §8.6).
        (.config, "app.example:/cb", "", false, false, .consent), (.config, "app.example:/cb", "", true, false, .grant),
        (.config, "app.example:/cb", "none", false, true, .interaction),
        (.config, "http://127.0.0.1/cb", "", false, true, .consent),
        (.added, "app.example:/cb", "", true, true, .consent),
        (.added, "app.example:/cb", "none", false, true, .consentRequired),
    ])
    func `consent is asked for where it is somebody else's client, or may be`(
        _ origin: OAuthClient.Origin,
        _ redirectURI: String,
        _ prompt: String,
        _ isFresh: Bool,
        _ hasConsented: Bool,
        _ expected: Next
    ) throws {
        let client = Fixture.client(origin: origin, redirectURIs: [redirectURI])
        let fixture = AuthorizationFixture([client])
        let request = try fixture.read(["redirect_uri": redirectURI, "prompt": prompt])
        let interaction = interaction(request, fresh: isFresh ? fixture.proven() : nil)
        let step = fixture.service.step(
            interaction,
            session: fixture.proven(),
            client: client,
            hasConsented: hasConsented
        )
        #expect(Self.next(step) == expected)
        // Consent in the interaction counts.
        if expected == .consent {
            var (agreed, other) = (interaction, interaction)
            agreed.consentedBy = Fixture.ada
            other.consentedBy = Fixture.eve
            let then = fixture.service.step(agreed, session: fixture.proven(), client: client, hasConsented: false)
            #expect(Self.next(then) == .grant)
            let still = fixture.service.step(other, session: fixture.proven(), client: client, hasConsented: false)
            #expect(Self.next(still) == .consent, "somebody else's consent")
        }
    }

    @Test func `a request with an id_token_hint is answered for the hinted account alone`() throws {
        let client = Fixture.client()
        let request = try fixture.read(["id_token_hint": Fixture.ada.description])
        let eve = fixture.proven(of: Fixture.eve)
        let standing = fixture.service.step(request, session: eve, client: client, hasConsented: false)
        #expect(Self.next(standing) == .any, "somebody else's session")
        let signedIn = fixture.service.step(
            interaction(request, fresh: eve),
            session: nil,
            client: client,
            hasConsented: false
        )
        #expect(Self.next(signedIn) == .login)
        let ada = fixture.service.step(
            interaction(request, fresh: fixture.proven()),
            session: eve,
            client: client,
            hasConsented: false
        )
        #expect(Self.next(ada) == .grant)
        let silent = try fixture.read(["id_token_hint": Fixture.ada.description, "prompt": "none"])
        #expect(Self.next(fixture.service.step(silent, session: eve, client: client, hasConsented: false)) == .login)
    }

    @Test func `the grant has the request, the person, and the time of the question`() throws {
        let request = try fixture.read(
            ["nonce": "n", "login_hint": "ada@example.com", "claims": #"{"id_token":{"email":null}}"#],
            resources: ["https://api.example.com"]
        )
        let proven = fixture.proven(["hwk", "user", "mfa"], before: .seconds(9))
        let step = fixture.service.step(request, session: proven, client: Fixture.client(), hasConsented: false)
        let expected = AuthorizedGrant(
            account: Fixture.ada,
            clientID: "app",
            scopes: ScopeSet(["openid", "email"]),
            resources: ["https://api.example.com"],
            authentication: proven.authentication,
            nonce: "n",
            identityClaims: [.email]
        )
        #expect(step == .grant(expected))
        let none = fixture.service.step(request, session: nil, client: Fixture.client(), hasConsented: false)
        #expect(none == .signIn([.face, .passkey], hint: "ada@example.com"))
    }

    private func next(_ row: Row) throws -> Next {
        var change: [String: String?] = ["prompt": row.prompt, "max_age": row.maxAge]
        if let acr = row.acr {
            let claim = #"{"id_token":{"acr":{"essential":true,"value":"\#(acr)"}}}"#
            if row.isEssential { change["claims"] = claim } else { change["acr_values"] = acr }
        }
        let request = try fixture.read(change)
        let fresh = Self.methods(row.fresh).map { fixture.proven($0) }
        let session = Self.methods(row.session).map { fixture.proven($0, before: .seconds(row.age)) }
        return Self.next(
            fixture.service.step(
                interaction(request, fresh: fresh),
                session: session,
                client: Fixture.client(),
                hasConsented: false
            )
        )
    }

    private func interaction(_ request: AuthorizationRequest, fresh: Interaction.Proven?) -> Interaction {
        Interaction(
            id: Digest256(sha256: "id"),
            browser: Digest256(sha256: "browser"),
            request: request,
            proven: fresh,
            operation: nil,
            consentedBy: nil,
            createdAt: fixture.environment.now(),
            expiresAt: fixture.environment.now() + .seconds(600)
        )
    }

    private static func methods(_ way: Way) -> [String]? {
        switch way {
        case .nothing: nil
        case .face: ["face"]
        case .passkey: ["hwk", "user", "mfa"]
        case .both: ["face", "swk", "user", "mfa"]
        }
    }

    private static func next(_ step: AuthorizationStep) -> Next {
        switch step {
        case .signIn([.face], _): .face
        case .signIn([.passkey], _): .passkey
        case .signIn: .any
        case .consent: .consent
        case .grant: .grant
        case .answer(let answer):
            switch answer.parameters.first?.value {
            case OAuthErrorCode.loginRequired.rawValue?: .login
            case OAuthErrorCode.consentRequired.rawValue?: .consentRequired
            case OAuthErrorCode.interactionRequired.rawValue?: .interaction
            default: .other
            }
        }
    }
}
