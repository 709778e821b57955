import Accounts
import GRDB
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
@testable import Storage

/// What was in progress by a means to sign in, or in a sign-in, when that was ended.
struct GivenUpMeansTests {
    // T-031
    @Test(arguments: [Remedy.passkeyRemoved, .deviceRevoked, .sessionRevoked])
    func `attack: an approval ends when the passkey, device or session that its session came from is revoked`(
        _ remedy: Remedy
    ) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            try await harness.grantApproval(fixture.other.approval)
            try await fixture.apply(remedy)
            let state = try harness.operation(fixture.other.approval).state
            #expect(state == .failed(.canceled, at: harness.composition.service.clock.now))
            #expect(try await harness.word(fixture.owner.approval, fixture.owner.signedIn) == "created")
        }
    }

    // T-031
    @Test(arguments: [Remedy.passkeyRemoved, .deviceRevoked])
    func `attack: a signed-out session's grants, codes and consents end with the passkey or device behind it`(
        _ remedy: Remedy
    ) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            let sessions = harness.composition.sessions
            try await harness.composition.unitOfWork.run { [account = fixture.account, id = fixture.other.session] in
                _ = try sessions.revoke(id, of: account, because: .signedOut, in: $0)
            }
            try await fixture.apply(remedy)
            for outcome in [Outcome.grant, .code, .deviceCode, .consent] {
                #expect(try await !fixture.has(fixture.other, outcome), "\(outcome.rawValue)")
                #expect(try await fixture.has(fixture.owner, outcome), "\(outcome.rawValue) of the owner")
            }
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `attack: revoking a device ends the login that it started`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let credential = String(repeating: "c", count: 43)
            let lost = try await harness.register("phone", of: "ada@example.com", credential: credential)
            let login = try await harness.start(with: [.deviceCredential: credential])
            try #require(try harness.operation(login).request.device == lost)
            _ = try await harness.composition.administration.execute(RevokeDevice(id: lost.description))
            #expect(try await harness.word(login, login.bound) == "canceled")
        }
    }

    @Test func `attack: a sign-in disowned before its code is written leaves neither code nor consent`()
        async throws
    {
        try await SignInFixture.run(storage: .sqlite) { fixture in
            let (harness, owner) = (fixture.harness, try await fixture.harness.signIn())
            let codes = fixture.api.services.oauth.authorization.codes
            // The one that stands first: nobody begins anything from the place of the other any more.
            for isDisowned in [false, true] {
                let person = try await harness.signIn()
                let grant = try await Self.grant(of: person, fixture)
                let waiting = try await Self.agreed(grant, fixture)
                // Between what the page has seen and what it writes.
                if isDisowned {
                    #expect(try await harness.disown(try harness.row(person.login), owner).status == .ok)
                }
                let answers = [
                    try await codes.answer(waiting, with: grant), try await codes.answer(waiting.request, with: grant),
                ]
                #expect(answers.allSatisfy { ($0 == nil) == isDisowned })
                let consents = try await harness.composition.unitOfWork.read {
                    try harness.composition.stores.oauth.consents.find(grant.account, client: "strange", in: $0)
                }
                #expect(consents.count == 1)
                let written = try await harness.database.pool.read { reader in
                    try Int.fetchOne(reader, sql: "SELECT COUNT(*) FROM oauth_codes")
                }
                #expect(written == 2)
            }
        }
    }

    private static func grant(of person: SignedInPersonOfTest, _ fixture: SignInFixture) async throws -> AuthorizedGrant
    {
        AuthorizedGrant(
            account: try await fixture.harness.composition.accounts.show("ada@example.com").account.id,
            clientID: "strange",
            scopes: ScopeSet(["openid"]),
            resources: [],
            authentication: AuthenticationContext(
                methods: ["face"],
                at: fixture.harness.composition.environment.now(),
                session: try RemedyFixture.session(of: person)
            )
        )
    }

    /// A request that its person has agreed to.
    private static func agreed(_ grant: AuthorizedGrant, _ fixture: SignInFixture) async throws -> Interaction {
        let browser = Secret("a browser")
        let id = try await fixture.service.begin(fixture.request(of: "strange"), browser: browser).expose()
        #expect(try await fixture.service.consent(id, by: grant.account))
        return try #require(try await fixture.service.interaction(id, browser: Digest256(sha256: browser.expose())))
    }
}
