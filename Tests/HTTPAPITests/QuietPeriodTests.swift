import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Settings
import Testing

@testable import Assembly
@testable import Operations

/// A source that a person reports with "This wasn't me" gets decoys for a while.
struct QuietPeriodTests {
    private static func from(_ address: String) -> HTTPFields { [.named("X-Forwarded-For"): address] }
    private static let attacker = "203.0.113.7"

    /// Runs `body` after Ada's login that somebody started from the attacker's address, and that she denied.
    private func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run(.live) {
            $0.listen.trustedProxies = ["127.0.0.0/8", "::1"]
            var other = ClientSettings(id: "other")
            (other.verifier, other.initiators) = (.optional, .anyone)
            $0.clients.append(other)
        } _: { harness in
            let login = try await harness.start(with: Self.from(Self.attacker))
            let service = harness.composition.service
            _ = try await service.transition(try harness.operation(login), .deniedNotMe)
            #expect(try await harness.word(login, login.bound) == "denied_not_me")
            try await body(harness)
        }
    }

    private enum Outcome { case login, decoy }

    /// The outcome of a start from that address.
    private func outcome(
        _ harness: Harness,
        _ email: String = "ada@example.com",
        from address: String = attacker,
        client: String? = nil
    ) async throws -> Outcome {
        let login = try await harness.start(email, client: client, with: Self.from(address))
        return try harness.operation(login).isDecoy ? .decoy : .login
    }

    // T-021
    @Test
    func `attack: for fifteen minutes after "not me" the initiator's starts for the account are decoys`()
        async throws
    {
        try await run { harness in
            var outcomes: [Outcome] = []
            for _ in 0..<3 { outcomes.append(try await outcome(harness)) }
            harness.time.advance(by: .seconds(15 * 60 - 1))
            outcomes.append(try await outcome(harness))
            harness.time.advance(by: .seconds(1))
            outcomes.append(try await outcome(harness))
            #expect(outcomes == [.decoy, .decoy, .decoy, .decoy, .login])
            #expect(harness.refusals(.quiet) == 4)
        }
    }

    // T-021
    @Test(arguments: [false, true])
    func `attack: after "not me" on a collected login its initiator gets decoys, also once it left the cache`(
        _ isOld: Bool
    ) async throws {
        try await Harness.run(.live) {
            $0.listen.trustedProxies = ["127.0.0.0/8", "::1"]
        } _: { harness in
            let stolen = try await harness.start(with: Self.from(Self.attacker))
            try await harness.approve(stolen)
            #expect(try await harness.word(stolen, stolen.bound) == "completed")
            let row = try harness.operation(stolen).id
            let ada = try await harness.signIn()
            if isOld {
                for _ in 0..<3 { await harness.pass(.seconds(400)) }
                #expect(harness.composition.service.cache.card(stolen.publicID) == nil)
            }
            #expect(try await outcome(harness) == .login)
            #expect(try await harness.disown(row.description, ada).status == .ok)
            #expect(try await outcome(harness) == .decoy)
            #expect(try await outcome(harness, from: "203.0.113.8") == .login)
            let device = try #require(ada.device)
            let linked = try await harness.start(
                with: .cookies(device).adding(.named("X-Forwarded-For"), Self.attacker)
            )
            #expect(try harness.operation(linked).isDecoy == false, "a linked device never is")
        }
    }

    // T-021
    @Test func `after "not me", other addresses, accounts and clients still get real logins`() async throws {
        try await run { harness in
            let outcomes = [
                try await outcome(harness, from: "203.0.113.8"),
                try await outcome(harness, "bob@example.com"),
                try await outcome(harness, client: "other"),
            ]
            #expect(outcomes == [.login, .login, .login])
        }
    }

    // T-021
    @Test func `attack: after "not me" another User-Agent at the initiator's address gets decoys too`() async throws {
        try await run { harness in
            let again = try await harness.start(with: Self.from(Self.attacker).adding(.userAgent, "another program"))
            #expect(try harness.operation(again).isDecoy)
        }
    }

    // T-021
    @Test func `after "not me", the initiator's decoy answers like a real login`() async throws {
        try await run { harness in
            let quiet = try await harness.start(with: Self.from(Self.attacker))
            let real = try await harness.start(with: Self.from("203.0.113.8"))
            #expect(quiet.response.headerNames == real.response.headerNames)
            #expect(quiet.response.body.readableBytes == real.response.body.readableBytes)
            #expect(try await harness.word(quiet, quiet.bound) == "created")
            #expect(try await harness.open(quiet).text.contains("We could not start the scan on this device"))
        }
    }

    // T-021
    @Test func `attack: after "not me" a linked device at the initiator's address still gets a real login`()
        async throws
    {
        try await run { harness in
            // Ada signs in elsewhere, and then comes by way of the attacker's network.
            let login = try await harness.start(with: Self.from("203.0.113.8"))
            try await harness.approve(login)
            let device = try #require(try await harness.poll(login, login.bound).cookie("vst_device"))
            let headers = HTTPFields.cookies(device).adding(.named("X-Forwarded-For"), Self.attacker)
            let hers = try await harness.start(with: headers)
            #expect(try harness.operation(hers).isDecoy == false)
            #expect(try await outcome(harness) == .decoy)
        }
    }

    // T-021
    @Test func `after "not me", the whole IPv6 network of the initiator gets decoys`() async throws {
        try await run { harness in
            let login = try await harness.start(with: Self.from("2001:db8:1:2::1"))
            _ = try await harness.composition.service.transition(try harness.operation(login), .deniedNotMe)
            #expect(try await outcome(harness, from: "2001:db8:1:2:ffff::99") == .decoy)
            #expect(try await outcome(harness, from: "2001:db8:1:3::1") == .login)
        }
    }
}
