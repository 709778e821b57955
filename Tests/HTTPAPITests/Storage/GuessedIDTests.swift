import HTTPTypes
import HummingbirdTesting
import Kernel
import Operations
import Settings
import Testing

@testable import Assembly

/// A client that guesses the ids of logins.
struct GuessedIDTests {
    /// The requests that name a login by the id that its client polls with.
    enum Route: String, CaseIterable {
        case poll, events, ack, cancel

        var method: HTTPRequest.Method { self == .poll || self == .events ? .get : .post }

        func path(_ id: UUIDBits) -> String { "/auth/biometric-login/\(rawValue)/\(id)" }
    }

    // T-272
    @Test(arguments: Route.allCases)
    func `attack: a guessed id gets the answer for an unknown one, and costs no read`(_ route: Route) async throws {
        let ledger = StoreLedger()
        try await Harness.run(storage: .sqlite) { settings in
            settings.metrics.enabled = true
        } _: { harness in
            let tagged = harness.composition.core.secrets.taggedIDs
            let unknown = tagged.makeID(in: Bucket(firstBitsOf: 0), random: Array(repeating: 7, count: 16))
            let guess = UUIDBits(high: unknown.high, low: unknown.low ^ 1)
            try ledger.open(harness)
            let answer = try await harness.send(route.method, route.path(unknown))
            try ledger.book("an unknown id", harness)
            let refusal = try await harness.send(route.method, route.path(guess))
            try ledger.book("a guess", harness)
            #expect(ledger.works.map(\.reads) == [1, 0], "\(ledger.works)")
            #expect(answer.status == .notFound && refusal.status == answer.status)
            #expect(Self.text(refusal) == Self.text(answer))
            #expect(refusal.headerNames == answer.headerNames)
        }
    }

    // T-272
    @Test(arguments: ["approvals/poll", "approvals/events", "approvals/ack", "biometric-enrollment/poll"])
    func `attack: a signed-in person's guess costs no read of an operation either`(_ path: String) async throws {
        let ledger = StoreLedger()
        try await Harness.run(storage: .sqlite) { settings in
            settings.metrics.enabled = true
        } _: { harness in
            let ada = try await harness.signIn()
            let tagged = harness.composition.core.secrets.taggedIDs
            let unknown = tagged.makeID(in: Bucket(firstBitsOf: 0), random: Array(repeating: 7, count: 16))
            let guess = UUIDBits(high: unknown.high, low: unknown.low ^ 1)
            let method: HTTPRequest.Method = path.hasSuffix("ack") ? .post : .get
            try ledger.open(harness)
            let answer = try await harness.send(method, "/auth/\(path)/\(unknown)", ada.bearer)
            try ledger.book("an unknown id", harness)
            let refusal = try await harness.send(method, "/auth/\(path)/\(guess)", ada.bearer)
            try ledger.book("a guess", harness)
            let reads = ledger.works.map(\.reads)
            #expect(reads.count == 2 && reads[0] == reads[1] + 1, "\(ledger.works)")
            #expect(answer.status == .notFound && refusal.status == answer.status)
            #expect(Self.text(refusal) == Self.text(answer))
        }
    }

    // T-272
    @Test(arguments: [Route.poll, .ack, .cancel])
    func `an ended login that only the database has is found by its id`(_ route: Route) async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            _ = try await harness.send(.post, login.cancelPath, login.bound)
            for _ in 0..<70 { await harness.pass(.seconds(10)) }
            #expect(harness.composition.service.cache.card(login.publicID) == nil)
            let id = try #require(UUIDBits(login.id))
            #expect(try await harness.send(route.method, route.path(id), login.bound).status != .notFound)
        }
    }

    private static func text(_ response: TestResponse) -> String {
        response.text.replacing(response.headers[.requestID] ?? "-", with: "R")
    }
}
