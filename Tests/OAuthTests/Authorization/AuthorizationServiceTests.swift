import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Tests the steps between a request and its code.
struct AuthorizationServiceTests {
    private typealias Fixture = AuthorizationFixture
    private let fixture = AuthorizationFixture()
    private let browser = Digest256(sha256: "cookie")

    // O-010
    @Test func `an interaction is found by its id in its own browser alone`() async throws {
        let id = try await begin()
        #expect(try await fixture.service.interaction(id, browser: browser) != nil)
        #expect(try await fixture.service.interaction(id, browser: Digest256(sha256: "another")) == nil)
        #expect(try await fixture.service.interaction("guess", browser: browser) == nil)
        let rows = String(reflecting: fixture.disk.tables.interactions)
        #expect(!rows.contains(id), "its id stands in the store as a digest")
    }

    @Test func `an interaction is over after ten minutes`() async throws {
        let id = try await begin()
        fixture.time.advance(by: .seconds(600))
        #expect(try await fixture.service.interaction(id, browser: browser) == nil)
        #expect(try await !fixture.service.consent(id, by: Fixture.ada))
        #expect(try await !fixture.service.attach(operation: UUIDBits(high: 1, low: 1), to: id))
        #expect(try await fixture.service.cancel(id) == nil)
        await #expect(throws: InteractionEndedError.self) { try await prove(id, ["face"]) }
    }

    @Test func `proofs of the same person add up, and another person starts again`() async throws {
        let id = try await begin()
        try await prove(id, ["face"])
        fixture.time.advance(by: .seconds(5))
        try await prove(id, ["hwk", "user", "face"])
        let both = try #require(try await fixture.service.interaction(id, browser: browser)?.proven)
        #expect(Set(both.authentication.methods) == ["face", "hwk", "user"] && both.authentication.methods.count == 3)
        #expect(both.authentication.at == fixture.environment.now())
        try await prove(id, ["face"], of: Fixture.eve)
        let eve = try #require(try await fixture.service.interaction(id, browser: browser)?.proven)
        #expect(eve == fixture.proven(["face"], of: Fixture.eve), "nothing of what somebody else has shown")
    }

    @Test func `cancelling an interaction returns access_denied once`() async throws {
        let id = try await begin()
        let answer = try #require(try await fixture.service.cancel(id))
        #expect(answer.parameters.first == .init("error", "access_denied") && answer.redirectURI == Fixture.callback)
        #expect(try await fixture.service.cancel(id) == nil)
        #expect(try await fixture.service.interaction(id, browser: browser) == nil)
    }

    @Test func `a second press on a finished interaction throws and issues no code`() async throws {
        let id = try await begin()
        let interaction = try #require(try await fixture.service.interaction(id, browser: browser))
        _ = try await issue(interaction)
        await #expect(throws: InteractionEndedError.self) { try await issue(interaction) }
        #expect(fixture.disk.tables.authorizationCodes.count == 1)
    }

    @Test func `a consent is remembered for what it was given, and for half a year`() async throws {
        let id = try await begin()
        #expect(try await fixture.service.consent(id, by: Fixture.ada))
        let agreed = try #require(try await fixture.service.interaction(id, browser: browser))
        _ = try await issue(agreed)
        let (same, more) = (try fixture.read(), try fixture.read(["scope": "openid email profile"]))
        let elsewhere = try fixture.read(resources: ["https://api.example.com"])
        #expect(try await fixture.service.hasConsented(Fixture.ada, to: same))
        #expect(try await !fixture.service.hasConsented(Fixture.ada, to: more))
        #expect(try await !fixture.service.hasConsented(Fixture.ada, to: elsewhere))
        #expect(try await !fixture.service.hasConsented(Fixture.eve, to: same))
        fixture.time.advance(by: fixture.service.policy.consentLifetime)
        #expect(try await !fixture.service.hasConsented(Fixture.ada, to: same))
    }

    @Test func `a consent pressed by another account than the one signed in is not stored`() async throws {
        let id = try await begin()
        #expect(try await fixture.service.consent(id, by: Fixture.eve))
        let agreed = try #require(try await fixture.service.interaction(id, browser: browser))
        _ = try await issue(agreed)
        #expect(try await !fixture.service.hasConsented(Fixture.ada, to: fixture.read()))
        #expect(try await !fixture.service.hasConsented(Fixture.eve, to: fixture.read()))
    }

    private func begin() async throws -> String {
        try await fixture.service.begin(try fixture.read(), browser: Secret("cookie")).expose()
    }

    private func prove(_ id: String, _ methods: [String], of account: AccountID = Fixture.ada) async throws {
        let proven = fixture.proven(methods, of: account)
        _ = try await fixture.storage.unitOfWork.run { [service = fixture.service] in
            try service.prove(id, proven, in: $0)
        }
    }

    private func issue(_ interaction: Interaction) async throws -> AuthorizationAnswer {
        let grant = fixture.grant(interaction.request)
        return try await fixture.storage.unitOfWork.run { [service = fixture.service] in
            try service.issueCode(for: interaction, grant: grant, in: $0)
        }
    }
}
