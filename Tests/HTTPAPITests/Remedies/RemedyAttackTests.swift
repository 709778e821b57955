import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Sessions
import SignIn
import Testing

@testable import Admin
@testable import Assembly
@testable import HTTPAPI

/// What somebody else keeps after each remedy: nothing that came of the sign-in that it names.
struct RemedyAttackTests {
    // T-031
    @Test func `attack: "this wasn't me" on an OAuth sign-in revokes the client's session and the consent`()
        async throws
    {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signIn()
            let (browser, code) = try await signInAndAgree(fixture)
            let session = try await redeem(code, fixture)
            let seen = try #require(try await fixture.harness.owned(owner).first)
            #expect(seen.client == "strange", "the client that was signed in to, and not the site's own")
            #expect(try await fixture.harness.disown(seen.id, owner).status == .ok)
            let ended = try #require(try await fixture.harness.composition.sessions.find(session))
            #expect(ended.revocation != nil && ended.revocation?.reason == .notMe)
            #expect(try await consents(fixture).isEmpty)
            #expect(try await fixture.harness.who(browser.session) == nil)
            let own = try await fixture.harness.owned(owner).map(\.session?.open)
            #expect(own == [false, true], "the owner's own session stays")
        }
    }

    // T-031
    @Test func `attack: "this wasn't me" on a sign-in ends the request that waits at its consent page`() async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signIn()
            let browser = try await fixture.browser(fixture.request(of: "strange"))
            try await browser.scan(try await browser.startFace())
            #expect(try await browser.load("/wait").status == .seeOther)
            #expect(try await browser.load().text.contains(#"name="as""#), "it waits at consent")
            let seen = try #require(try await fixture.harness.owned(owner).first)
            #expect(try await fixture.harness.disown(seen.id, owner).status == .ok)
            #expect(try await !browser.load().text.contains(#"name="as""#))
            let id = Digest256(sha256: browser.id)
            let kept = try await fixture.harness.composition.unitOfWork.read {
                try fixture.harness.composition.stores.oauth.interactions.find(id, in: $0)
            }
            #expect(kept == nil)
        }
    }

    // T-031
    @Test func `attack: a code issued by a sign-in is deleted and not redeemed after "this wasn't me"`() async throws {
        try await SignInFixture.run { fixture in
            let owner = try await fixture.harness.signIn()
            let (_, code) = try await signInAndAgree(fixture)
            let grant = try #require(try await kept(code, fixture)).grant
            let seen = try #require(try await fixture.harness.owned(owner).first)
            #expect(try await fixture.harness.disown(seen.id, owner).status == .ok)
            #expect(try await kept(code, fixture) == nil)
            // And one that was just being redeemed is refused by the sign-in that it was made in.
            await #expect(throws: OAuthError.self) { try await open(grant, fixture) }
        }
    }

    @Test func `attack: a login whose face is unenrolled after its approval polls account_blocked`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            try await harness.unenrol("ada@example.com")
            #expect(try await harness.word(login, login.bound) == "account_blocked")
        }
    }

    // T-107
    @Test func `attack: an operator's new address removes the account's password, passkeys and sessions`() async throws
    {
        try await Harness.run { harness in
            let password = ChangeAccount.Changes(password: "correct horse battery")
            let services = harness.composition.administration
            _ = try await services.execute(ChangeAccount(name: "ada@example.com", changes: password))
            let (_, attacker) = try await harness.addPasskey()
            let again = try await harness.signIn()
            let change = ChangeAccount.Changes(email: "lovelace@example.com")
            let view = try await services.execute(ChangeAccount(name: "ada@example.com", changes: change))
            #expect(!view.hasPassword && view.emails == ["lovelace@example.com"])
            for person in [attacker, again] {
                try harness.expect(
                    try await harness.send(.get, "/auth/operations", person.bearer),
                    is: "unauthorized",
                    401
                )
            }
            let left = try await services.execute(ListPasskeys(account: "lovelace@example.com"))
            #expect(left.isEmpty)
            #expect(view.enrolments == ["mock:enrolment of ada"], "what the operator enrolled stays")
        }
    }

    @Test func `attack: "this wasn't me" on an old sign-in keeps a passkey added by a newer one on the same phone`()
        async throws
    {
        try await Harness.run { harness in
            let old = try await harness.signIn()
            let (_, newer) = try await harness.addPasskey(with: old.device)
            let attacker = try await harness.signIn()
            let row = try harness.row(old.login)
            #expect(try await harness.disown(row, attacker).status == .ok)
            for person in [old, newer] {
                try harness.expect(
                    try await harness.send(.get, "/auth/operations", person.bearer),
                    is: "unauthorized",
                    401
                )
            }
            let left = try await harness.composition.administration.execute(ListPasskeys(account: "ada@example.com"))
            #expect(left.count == 1)
        }
    }

    // T-173
    @Test func `attack: disabling a client revokes its sessions, and enabling it again does not restore them`()
        async throws
    {
        try await Harness.run { harness in
            var order = AddClient.Metadata()
            order.id = "backend"
            order.name = "Backend"
            order.redirectURIs = ["https://backend.example.com/done"]
            order.grants = ["authorization_code", "refresh_token"]
            order.authentication = "secret"
            let administration = harness.composition.administration
            _ = try await administration.execute(AddClient(metadata: order))
            let session = try await open(client: "backend", harness)
            _ = try await administration.execute(DisableClient(id: "backend"))
            _ = try await administration.execute(RotateClientSecret(id: "backend", overlapSeconds: 0))
            _ = try await administration.execute(EnableClient(id: "backend"))
            #expect(try await harness.composition.sessions.find(session)?.revocation?.reason == .revokedByOperator)
        }
    }

    // T-173
    @Test func `the sessions of one client end by a command, and no other client's`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let other = try await open(client: "other", harness)
            let administration = harness.composition.administration
            #expect(try await administration.execute(EndClientSessions(id: "bbms")) == 1)
            try harness.expect(try await harness.send(.get, "/auth/operations", ada.bearer), is: "unauthorized", 401)
            #expect(try await harness.composition.sessions.find(other)?.revocation == nil)
            #expect(try await administration.execute(EndClientSessions(id: "bbms")) == 0)
            let error = await #expect(throws: AdminError.self) {
                try await administration.execute(EndClientSessions(id: "nobody"))
            }
            #expect(error?.code == "client_not_found")
        }
    }

    // MARK: Shorthands

    /// Somebody signs in by Ada's face, and agrees to what the client asks for.
    private func signInAndAgree(_ fixture: SignInFixture) async throws -> (SentBrowser, String) {
        let browser = try await fixture.browser(fixture.request(of: "strange", scopes: ["openid", "offline_access"]))
        try await browser.scan(try await browser.startFace())
        #expect(try await browser.load("/wait").status == .seeOther)
        let mark = try #require(try await browser.load().text.firstMatch(of: #/name="as" value="([\w-]{43})"/#)).1
        _ = try await browser.press("/consent", "as=\(mark)")
        let code = try #require(try await browser.comeBack()["code"])
        #expect(try await consents(fixture).count == 1)
        return (browser, code)
    }

    private func redeem(_ code: String, _ fixture: SignInFixture) async throws -> SessionID {
        try await open(try #require(try await kept(code, fixture)).grant, fixture)
    }

    private func kept(_ code: String, _ fixture: SignInFixture) async throws -> AuthorizationCode? {
        try await fixture.harness.composition.unitOfWork.read {
            try fixture.harness.composition.stores.oauth.codes.find(Digest256(sha256: code), in: $0)
        }
    }

    @discardableResult
    private func open(_ grant: AuthorizedGrant, _ fixture: SignInFixture) async throws -> SessionID {
        let door = fixture.harness.composition.door
        return try await fixture.harness.composition.unitOfWork.run { transaction in
            try door.open(grant, client: TokenFixture.client("strange"), key: nil, in: transaction).session
        }
    }

    /// A session of the client, by a grant of Ada's.
    private func open(client: String, _ harness: Harness) async throws -> SessionID {
        let grant = AuthorizedGrant(
            account: try await harness.composition.accounts.show("ada@example.com").account.id,
            clientID: client,
            scopes: ScopeSet(["openid"]),
            resources: [],
            authentication: AuthenticationContext(methods: ["face"], at: harness.composition.environment.now())
        )
        let door = harness.composition.door
        return try await harness.composition.unitOfWork.run { transaction in
            try door.open(grant, client: TokenFixture.client(client), key: nil, in: transaction).session
        }
    }

    private func consents(_ fixture: SignInFixture) async throws -> [Consent] {
        let account = try await fixture.harness.composition.accounts.show("ada@example.com").account.id
        return try await fixture.harness.composition.unitOfWork.read {
            try fixture.harness.composition.stores.oauth.consents.find(account, client: "strange", in: $0)
        }
    }
}
