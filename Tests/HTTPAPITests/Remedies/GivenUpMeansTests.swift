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
@testable import HTTPAPI
@testable import Storage
@testable import Vestibule

/// What was in progress by a means to sign in, or in a sign-in, when that was ended.
struct GivenUpMeansTests {
    @Test(arguments: [Remedy.passkeyRemoved, .deviceRevoked, .sessionRevoked])
    func `attack: what a session has started ends with the means that opened it, and nothing else does`(
        _ remedy: Remedy
    ) async throws {
        try await Bench.run { bench in
            let stage = try await RemedyStage(bench)
            try await bench.grantApproval(stage.other.approval)
            try await stage.apply(remedy)
            let state = try bench.operation(stage.other.approval).state
            #expect(state == .failed(.canceled, at: bench.composition.service.clock.now))
            #expect(try await bench.word(stage.owner.approval, stage.owner.signedIn) == "created")
        }
    }

    @Test(arguments: [Remedy.passkeyRemoved, .deviceRevoked])
    func `attack: what came of a session that was signed out ends with the means that opened it`(
        _ remedy: Remedy
    ) async throws {
        try await Bench.run { bench in
            let stage = try await RemedyStage(bench)
            let sessions = bench.composition.sessions
            try await bench.composition.unitOfWork.run { [account = stage.account, id = stage.other.session] in
                _ = try sessions.revoke(id, of: account, because: .signedOut, in: $0)
            }
            try await stage.apply(remedy)
            for outcome in [Outcome.grant, .code, .deviceCode, .consent] {
                #expect(try await !stage.has(stage.other, outcome), "\(outcome.rawValue)")
                #expect(try await stage.has(stage.owner, outcome), "\(outcome.rawValue) of the owner")
            }
        }
    }

    @Test func `attack: a login that a phone has started ends when that phone is revoked`() async throws {
        try await Bench.run { bench in
            let credential = String(repeating: "c", count: 43)
            let lost = try await bench.register("phone", of: "ada@example.com", credential: credential)
            let login = try await bench.start(with: [.deviceCredential: credential])
            try #require(try bench.operation(login).device == lost)
            _ = try await bench.composition.administration.execute(RevokeDevice(id: lost.description))
            #expect(try await bench.word(login, login.bound) == "canceled")
        }
    }

    @Test func `attack: a sign-in that ends before its code is written leaves neither the code nor the consent`()
        async throws
    {
        try await SignInStage.run { stage in
            let (bench, owner) = (stage.bench, try await stage.bench.signIn())
            let codes = stage.api.services.oauth.authorization.codes
            // The one that stands first: nobody begins anything from the place of the other any more.
            for isDisowned in [false, true] {
                let person = try await bench.signIn()
                let grant = try await Self.grant(of: person, stage)
                let waiting = try await Self.agreed(grant, stage)
                // Between what the page has seen and what it writes.
                if isDisowned {
                    #expect(try await bench.disown(try bench.row(person.login), owner).status == .ok)
                }
                let answers = [
                    try await codes.answer(waiting, with: grant), try await codes.answer(waiting.request, with: grant),
                ]
                #expect(answers.allSatisfy { ($0 == nil) == isDisowned })
                let consents = try await bench.composition.unitOfWork.read {
                    try SQLiteConsentStore().find(grant.account, client: "strange", in: $0)
                }
                #expect(consents.count == 1)
                let written = try await bench.composition.database.pool.read { reader in
                    try Int.fetchOne(reader, sql: "SELECT COUNT(*) FROM oauth_codes")
                }
                #expect(written == 2)
            }
        }
    }

    private static func grant(of person: SignedInPersonOfTest, _ stage: SignInStage) async throws -> AuthorizedGrant {
        AuthorizedGrant(
            account: try await stage.bench.composition.accounts.show("ada@example.com").account.id,
            clientID: "strange",
            scopes: ScopeSet(["openid"]),
            resources: [],
            authentication: AuthenticationContext(
                methods: ["face"],
                at: stage.bench.composition.environment.now(),
                session: try RemedyStage.session(of: person)
            )
        )
    }

    /// A request that its person has agreed to.
    private static func agreed(_ grant: AuthorizedGrant, _ stage: SignInStage) async throws -> Interaction {
        let browser = Secret("a browser")
        let id = try await stage.service.begin(stage.request(of: "strange"), browser: browser).expose()
        #expect(try await stage.service.consent(id, by: grant.account))
        return try #require(try await stage.service.interaction(id, browser: Digest256(sha256: browser.expose())))
    }
}
