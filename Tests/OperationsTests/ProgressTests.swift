import Kernel
import MemoryStore
import Testing

@testable import Operations

/// Why an operation waits, as an operator is told.
@Suite(.timeLimit(.minutes(1))) struct ProgressTests {
    private let harness = Harness()

    private func progress(_ login: Login) throws -> OperationProgress {
        harness.service.progress(of: try harness.stored(login))
    }

    @Test func `an operation says for whom it waits, from its start to its end`() async throws {
        let login = try await harness.begin()
        #expect(try progress(login).waitsFor == .personOpensLink && progress(login).lastExchange == nil)
        let reference = try await harness.open(login)
        #expect(try progress(login).waitsFor == .personScans && progress(login).lastExchange?.outcome == .started)
        harness.provider.answer(reference, .pending(.processing))
        await harness.pass(.seconds(6))
        #expect(try progress(login).waitsFor == .providerJudges)
        #expect(try progress(login).nextLook.map { $0 <= .milliseconds(5500) } == true)
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(6))
        #expect(try progress(login).waitsFor == .clientCollects)
        _ = try await harness.poll(login)
        #expect(try progress(login).waitsFor == .clientAcknowledges)
        _ = try await harness.service.acknowledge(login.publicID, login.rightful)
        let ended = try progress(login)
        #expect(ended.waitsFor == nil && ended.nextLook == nil && ended.lastExchange?.detail == "approved")
    }

    @Test func `what a provider answered is listed in order, and a repeated answer once`() async throws {
        let login = try await harness.begin()
        let other = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.answer(reference, .pending(.processing))
        await harness.pass(.seconds(20))
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(6))
        let exchanges = harness.service.exchanges(about: try harness.stored(login))
        #expect(exchanges.map(\.outcome) == [.started, .answered, .answered])
        #expect(exchanges.last?.detail == "approved")
        #expect(harness.service.exchanges(about: try harness.stored(other)).isEmpty)
    }

    @Test func `attack: checks that an outage holds back push no answer out of the list`() async throws {
        let login = try await harness.begin()
        let reference = try await harness.open(login)
        harness.provider.answer(reference, .pending(.processing))
        await harness.pass(.seconds(6))
        let operation = try harness.stored(login)
        let before = harness.service.exchanges(about: operation)
        for _ in 0..<ExchangeLog.capacity {
            harness.service.keep(
                .heldBack,
                "the circuit is open",
                of: harness.provider.name,
                about: operation.credentials.publicID
            )
        }
        #expect(!before.isEmpty && harness.service.exchanges(about: operation) == before)
    }

    @Test func `the daemon keeps a bounded number of answers, the newest`() {
        let log = ExchangeLog()
        let answer = { (number: Int64) in
            ProviderExchange(
                provider: self.harness.provider.name,
                at: Instant(seconds: number),
                outcome: .answered,
                detail: "pending"
            )
        }
        let operations = [Digest256(sha256: [1]), Digest256(sha256: [2])]
        let count = Int64(ExchangeLog.capacity) + 10
        for number in 0..<count { log.add(answer(number), about: operations[number < 20 ? 0 : 1]) }
        #expect(log.exchanges(about: operations[0]).map(\.at.seconds) == Array(10..<20))
        #expect(log.exchanges(about: operations[1]).map(\.at.seconds) == Array(20..<count))
    }

    @Test(
        arguments: [
            (ProviderError.unavailable(cause: "timeout"), ProviderExchange.Outcome.silent),
            (.heldBack(cause: "its circuit is open"), .heldBack), (.refused(cause: "HTTP 409"), .refused),
        ] as [(ProviderError, ProviderExchange.Outcome)]
    )
    func `a provider that does not answer is named with what it said and when`(
        _ failure: ProviderError,
        _ outcome: ProviderExchange.Outcome
    ) async throws {
        let login = try await harness.begin()
        try await harness.open(login)
        harness.provider.fail(with: failure)
        await harness.pass(.seconds(6))
        let shown = try progress(login)
        #expect(shown.waitsFor == .providerAnswers)
        let last = try #require(shown.lastExchange)
        #expect(last.outcome == outcome && last.provider == harness.provider.name)
        #expect(harness.service.clock.now - last.at < .seconds(6))
    }

    @Test func `how a check went is still told while the circuit holds the next ones back`() async throws {
        let login = try await harness.begin()
        try await harness.open(login)
        harness.provider.fail(with: .refused(cause: "HTTP 409"))
        await harness.pass(.seconds(6))
        harness.provider.fail(with: .heldBack(cause: "its circuit is open"))
        await harness.pass(.seconds(6))
        #expect(try progress(login).lastExchange?.detail == "HTTP 409")
    }

    @Test func `a link whose scan does not start waits for that`() async throws {
        let login = try await harness.begin()
        harness.provider.fail(with: .unavailable(cause: "an outage"))
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(try progress(login).waitsFor == .scanStarts && progress(login).lastExchange?.detail == "an outage")
    }

    @Test func `an answer that cannot be read is told as such, and logged ten seconds apart with a count`() async throws
    {
        let login = try await harness.begin()
        harness.provider.answer(try await harness.open(login), .nonsense)
        await harness.pass(.seconds(6))
        #expect(try progress(login).lastExchange?.outcome == .unreadable)

        let answers = UnreadableAnswers(clock: harness.time)
        let name = harness.provider.name
        #expect(answers.note(name) == 1)
        for _ in 0..<50 { #expect(answers.note(name) == nil) }
        #expect(answers.note(ProviderName("other")) == 1, "another provider has a line of its own")
        harness.time.advance(by: .seconds(10))
        #expect(answers.note(name) == 51)
        #expect(answers.note(name) == nil)
    }
}
