import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import OAuth
@testable import Settings

/// What a hostile client, and whoever gets hold of something, comes to at the backchannel.
struct CIBAAttackTests {
    // T-183, O-094
    @Test func `attack: a CIBA request answers alike for known, disabled and unknown addresses, until it expires`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            _ = try await fixture.harness.composition.accounts.disable("bob@example.com")
            var shapes: Set<String> = []
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com", "not an address"] {
                let answer = try await fixture.ask(email)
                #expect(answer.status == .ok, "\(email)")
                let members = try answer.json()
                shapes.insert(members.keys.sorted().joined(separator: " ") + " \(members["expires_in"] ?? "-")")
                let begun = try answer.decode(BegunOfTest.self)
                #expect(try await fixture.word(begun) == "authorization_pending")
                let page = try await fixture.harness.send(.get, begun.landingPath)
                #expect(page.status == .ok && page.text.contains("Continue"))
                await fixture.harness.pass(.seconds(181))
                #expect(try await fixture.word(begun) == "expired_token", "\(email)")
            }
            #expect(shapes.count == 1)
        }
    }

    // T-072, T-183
    /// User names of the passkey pages are a name space of their own, those in the form of an address included.
    @Test(arguments: ["casey@example.com", "Casey@Example.com", "user:casey@example.com", "robin", "user:robin"])
    func `attack: a passkey user name as a CIBA hint makes a decoy`(_ hint: String) async throws {
        try await BackchannelFixture.run { fixture in
            let casey = try await fixture.harness.signUp("Casey@Example.com")
            let robin = try await fixture.harness.signUp("robin")
            let begun = try await fixture.begin(hint)
            let outsider = try await fixture.begin("nobody@example.com")
            #expect((begun.expiresIn, begun.interval) == (outsider.expiresIn, outsider.interval))
            let ticket = Digest256(sha256: String(begun.landingPath.dropFirst("/go/".count)))
            let operation = try #require(fixture.harness.composition.service.cache.card(ticket: ticket)?.operation)
            #expect(operation.request.account == nil, "a decoy, as of an address that nobody has")
            for person in [casey, robin] {
                #expect(try await !fixture.openAsNobody(begun, person.headers).leadsToScan)
            }
            #expect(try await fixture.word(begun) == "authorization_pending")
        }
    }

    // O-097
    @Test func `attack: a CIBA request polled by another client gets invalid_grant, and stays good for its own`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            #expect(try await fixture.word(begun, as: "shop") == "invalid_grant")
            try await fixture.approve(begun)
            #expect(try await fixture.word(begun, as: "shop") == "invalid_grant")
            #expect(try await fixture.word(begun, as: "app") == "unauthorized_client")
            #expect(try await fixture.word(begun, as: "bank") == "granted", "and has used nothing up")
        }
    }

    // O-092
    @Test func `attack: a CIBA request of a public client gets unauthorized_client`() async throws {
        try await BackchannelFixture.run { fixture in
            let answer = try await fixture.ask(as: "app")
            #expect(answer.status == .badRequest)
            #expect(try answer.json()["error"] as? String == "unauthorized_client")
        }
    }

    // O-097
    @Test func `attack: a CIBA request's auth_req_id gets 404 at the face login's poll`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            let answer = try await fixture.harness.send(.get, "/auth/biometric-login/poll/\(begun.authReqID)")
            #expect(answer.status == .notFound)
        }
    }

    // T-181, O-095
    @Test func `the page names the client, shows the message as text, and asks`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "bank", ["binding_message": "W4SCT <i>"])
            let page = try await fixture.harness.send(.get, begun.landingPath).text
            #expect(page.contains("The bank &lt;b&gt;") && page.contains("W4SCT &lt;i&gt;"))
            #expect(page.contains("exactly the words below") && page.contains("/not-me"))
            #expect(page.contains("a•••@example.com") && !page.contains("not known"))
            #expect(fixture.harness.provider.calls.isEmpty, "nothing is begun by looking at it")
            let plain = try await fixture.harness.send(.get, fixture.begin().landingPath).text
            #expect(plain.contains("A service asks you to sign in") && !plain.contains("<blockquote"))
        }
    }

    // T-181, O-107
    /// OpenID Connect Core §3.1.2.4: there is no page before this one on which anybody could have agreed.
    @Test func `attack: a CIBA page names the client and its scopes before the person can continue`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "bank", ["scope": "openid email offline_access"])
            let page = try await fixture.harness.send(.get, begun.landingPath).text
            for text in [
                "If you allow it, The bank &lt;b&gt; can:", "<li>see your e-mail address</li>",
                "<li>know that it is you when you come back</li>",
                "<li>keep this access while you are away, until you take it back</li>",
                "is not run by the operator of this site",
            ] { #expect(page.contains(text), "\(text)") }
            #expect(!page.contains("see your name"))
            let french = try await fixture.harness.send(.get, begun.landingPath, [.acceptLanguage: "fr"]).text
            #expect(french.contains(#"<ul id="scopes">"#) && !french.contains("see your e-mail address"))
            let less = try await fixture.begin("ada@example.com", as: "bank", ["scope": "openid"])
            #expect(try await !fixture.harness.send(.get, less.landingPath).text.contains("e-mail address</li>"))
            let own = try await fixture.begin("ada@example.com", as: "house", ["scope": "openid email"])
            #expect(try await !fixture.harness.send(.get, own.landingPath).text.contains("<ul"))
        }
    }

    @Test func `what a page says that a client gets goes with the row of its operation`() {
        let policy = BackchannelPolicies()
        let client = OAuthClient(
            id: "bank",
            name: "The bank",
            origin: .added,
            authentication: .secret([]),
            access: OAuthClient.Access(grants: [.ciba], scopes: ScopeSet(["openid", "email"]), audience: "bank")
        )
        let terms = { (scopes: Set<String>) in
            let request = BackchannelRequest(
                access: RequestedAccess(clientID: "bank", scopes: ScopeSet(scopes), resources: []),
                hint: .email("ada@example.com"),
                bindingMessage: nil,
                contextClass: nil,
                notificationToken: nil,
                lifetime: .seconds(180)
            )
            return policy.policy(of: client, for: request)
        }
        #expect(terms(["openid"]) === terms(["openid"]), "rows that are alike share it")
        #expect(terms(["openid"]).landing.asked?.scopes == ["openid"])
        #expect(terms(["openid", "email"]).landing.asked?.scopes == ["email", "openid"])
    }

    // T-137
    @Test(arguments: ["hidden\u{200B}", "two\nlines", String(repeating: "x", count: 101)])
    func `attack: a misleading or overlong CIBA binding message gets invalid_binding_message`(
        message: String
    ) async throws {
        try await BackchannelFixture.run { fixture in
            let answer = try await fixture.ask("ada@example.com", as: "bank", ["binding_message": message])
            #expect(try answer.json()["error"] as? String == "invalid_binding_message")
        }
    }

    // T-181
    @Test func `a CIBA request that is denied or not matched gets access_denied, a broken one transaction_failed`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let denied = try await fixture.begin()
            let answer = try await fixture.harness.send(
                .post,
                denied.landingPath + "/not-me",
                [.secFetchSiteOfTest: "same-origin"]
            )
            #expect(answer.status == .ok)
            #expect(try await fixture.word(denied) == "access_denied")
            let outsider = try await fixture.begin(as: "shop")
            try await fixture.open(outsider)
            try await fixture.harness.judge(.rejected(.notMatched))
            #expect(try await fixture.word(outsider, as: "shop") == "access_denied")
            let broken = try await fixture.begin(as: "shop")
            try await fixture.open(broken)
            try await fixture.harness.judge(.broken)
            #expect(try await fixture.word(broken, as: "shop") == "transaction_failed")
        }
    }

    // T-109, O-104
    /// CIBA Core §14: requests that nobody wants.
    ///
    /// Told by client and account, so that none is silenced by what another did.
    @Test func `attack: after "not me" a client's CIBA requests for that person begin no scan for fifteen minutes`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            let denied = try await fixture.begin(as: "bank")
            try await fixture.harness.send(
                .post,
                denied.landingPath + "/not-me",
                [.secFetchSiteOfTest: "same-origin"]
            )
            let again = try await fixture.begin(as: "bank")
            #expect(again.expiresIn == denied.expiresIn, "the client is told nothing of it")
            #expect(try await fixture.word(again) == "authorization_pending")
            #expect(try await !fixture.open(again).leadsToScan, "no scan is begun")
            #expect(fixture.harness.refusals(.quiet) == 1)
            try await fixture.approve(try await fixture.begin(as: "shop"))
            try await fixture.approve(try await fixture.begin("bob@example.com", as: "bank"), by: "bob@example.com")
            try await fixture.harness.start()
            await fixture.harness.pass(.seconds(15 * 60 + 1))
            try await fixture.approve(try await fixture.begin(as: "bank"))
        }
    }

    // T-109, T-243, O-104
    @Test func `attack: a client over its limit of CIBA requests gets 503 with Retry-After, and other clients do not`()
        async throws
    {
        try await BackchannelFixture.run {
            $0.limits.rates.logins.backchannelPerClient = RateLimit(burst: 3, every: .seconds(60))
        } _: { fixture in
            for number in 0..<3 { _ = try await fixture.begin("person-\(number)@example.com") }
            let refused = try await fixture.ask("ada@example.com")
            #expect(refused.status == .serviceUnavailable && refused.headers[.retryAfter] == "60")
            #expect(try refused.json()["error"] as? String == "temporarily_unavailable")
            _ = try await fixture.begin("ada@example.com", as: "shop")
            try await fixture.harness.start()
            await fixture.harness.pass(.seconds(60))
            _ = try await fixture.begin("ada@example.com")
        }
    }

    @Test func `attack: a CIBA request whose account is disabled before the poll gets access_denied`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            try await fixture.approve(begun)
            _ = try await fixture.harness.composition.accounts.disable("ada@example.com")
            #expect(try await fixture.word(begun) == "access_denied")
        }
    }

    @Test func `an approval that nobody collects expires`() async throws {
        try await BackchannelFixture.run { fixture in
            let begun = try await fixture.begin()
            try await fixture.approve(begun)
            await fixture.harness.pass(.seconds(121))
            #expect(try await fixture.word(begun) == "expired_token")
        }
    }

    // T-109, T-243, O-104
    @Test func `attack: a client that repeats CIBA requests for one person gets 503, not for others`()
        async throws
    {
        try await BackchannelFixture.run { fixture in
            var refused: TestResponse?
            for _ in 0..<40 where refused == nil {
                let answer = try await fixture.ask()
                if answer.status != .ok { refused = answer }
            }
            let answer = try #require(refused)
            #expect(answer.status == .serviceUnavailable && answer.headers[.retryAfter] != nil)
            #expect(try await fixture.ask("bob@example.com").status == .ok)
            #expect(try await fixture.ask(as: "shop").status == .ok)
            try await fixture.harness.start()
        }
    }

    // O-097
    @Test func `secrets are kept nowhere but with the client`() async throws {
        try await BackchannelFixture.run(storage: .sqlite) { fixture in
            let begun = try await fixture.begin("ada@example.com", as: "ring")
            try await fixture.approve(begun)
            _ = try await fixture.word(begun, as: "ring")
            let ticket = String(begun.landingPath.dropFirst(4))
            let log = fixture.harness.log.lines.map(\.text).joined(separator: "\n")
            for secret in [begun.authReqID, ticket, BackchannelFixture.notificationToken] {
                #expect(!log.contains(secret))
                for name in try FileManager.default.subpathsOfDirectory(atPath: fixture.harness.folder.path) {
                    let path = fixture.harness.folder.path + "/" + name
                    guard let bytes = FileManager.default.contents(atPath: path) else { continue }
                    #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(name)")
                }
            }
        }
    }

    @Test func `the person's own devices are told of the request, and nobody else's`() async throws {
        try await BackchannelFixture.run { fixture in
            let (ada, bob) = (try await fixture.harness.signIn(), try await fixture.harness.signIn("bob@example.com"))
            let begun = try await fixture.begin("ada@example.com", as: "bank", ["binding_message": "W4SCT"])
            let before = try await fixture.harness.owned(ada)
            let seen = try #require(before.first { $0.client == "bank" })
            #expect(seen.authorizationLink == begun.authorizationLink && seen.message == "W4SCT")
            let others = try await fixture.harness.owned(bob)
            #expect(!others.contains { $0.client == "bank" })
            try await fixture.approve(begun)
            let after = try await fixture.harness.owned(ada)
            let decided = try #require(after.first { $0.client == "bank" })
            #expect(decided.authorizationLink == nil)
        }
    }
}
