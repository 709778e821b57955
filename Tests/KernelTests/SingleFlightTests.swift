import Kernel
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct SingleFlightTests {
    private struct FailedError: Error, Equatable {
        let number: Int
    }

    private typealias Flights = SingleFlight<String, Int, FailedError>

    /// Calls that end when the test says so.
    private final class Calls: Sendable {
        private let under = Mutex([CheckedContinuation<Result<Int, FailedError>, Never>]())
        private let begun = Mutex(0)

        var count: Int { begun.withLock { $0 } }

        func make() async throws(FailedError) -> Int {
            let result = await withCheckedContinuation { continuation in
                under.withLock { $0.append(continuation) }
                begun.withLock { $0 += 1 }
            }
            return try result.get()
        }

        /// Ends the one that has run for longest.
        func end(_ result: Result<Int, FailedError>) {
            under.withLock { $0.removeFirst() }.resume(returning: result)
        }

        func endLast(_ result: Result<Int, FailedError>) {
            under.withLock { $0.removeLast() }.resume(returning: result)
        }
    }

    /// A clock that the test sets; nobody sleeps by it.
    private final class SetClock: MonotonicClock {
        private let time = Mutex(Uptime(nanoseconds: 0))

        var now: Uptime { time.withLock { $0 } }

        func advance(by step: Duration) { time.withLock { $0 = $0 + step } }
        func sleep(until deadline: Uptime) async throws { throw CancellationError() }
    }

    private let calls = Calls()

    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    private func ask(_ flights: Flights, _ key: String = "a") -> Task<String, Never> {
        Task { [calls] in
            switch await flights.run(key, { () async throws(FailedError) -> Int in try await calls.make() }) {
            case .returned(let value): "\(value)"
            case .failed(let failure): "failed \(failure.number)"
            case .refused: "refused"
            case .left: "left"
            }
        }
    }

    @Test func `all callers during a call get its outcome, and the next one makes a new call`() async {
        let flights = Flights()
        for result in [Result<Int, FailedError>.success(1), .failure(FailedError(number: 2))] {
            let before = calls.count
            let asking = (0..<50).map { _ in ask(flights) }
            await until { flights.waitingCount == 50 && calls.count == before + 1 }
            calls.end(result)
            for one in asking { #expect(await one.value == (before == 0 ? "1" : "failed 2")) }
            #expect(calls.count == before + 1 && flights.waitingCount == 0 && flights.keys.isEmpty)
        }
    }

    @Test func `each key has its own call`() async {
        let flights = Flights()
        let first = ask(flights, "a")
        await until { calls.count == 1 }
        let second = ask(flights, "b")
        await until { calls.count == 2 }
        calls.end(.success(1))
        calls.end(.success(2))
        #expect(await [first.value, second.value] == ["1", "2"])
    }

    @Test func `a cancelled caller leaves at once, and the call continues for the others`() async {
        let flights = Flights()
        let first = ask(flights)
        await until { calls.count == 1 }
        let second = ask(flights)
        await until { flights.waitingCount == 2 }
        first.cancel()
        #expect(await first.value == "left")
        calls.end(.success(3))
        #expect(await second.value == "3")
        #expect(calls.count == 1)
    }

    @Test func `more keys or callers than there is room for are refused, and none twice`() async {
        let flights = Flights(limits: .init(keys: 1, waiting: 2))
        let first = ask(flights)
        await until { calls.count == 1 }
        let second = ask(flights)
        await until { flights.waitingCount == 2 }
        #expect(await ask(flights).value == "refused")
        #expect(await ask(flights, "b").value == "refused")
        calls.end(.success(4))
        #expect(await [first.value, second.value] == ["4", "4"])
    }

    @Test func `a known value needs no call, also where it became known in the queue`() async {
        let flights = Flights()
        let asked = Mutex(0)
        let known: () -> Int? = {
            asked.withLock {
                $0 += 1; return $0
            } == 2 ? 7 : nil
        }
        let outcome = await flights.run("a", known: known) { [calls] () async throws(FailedError) -> Int in
            try await calls.make()
        }
        guard case .returned(7) = outcome else { Issue.record("\(outcome)"); return }
        #expect(calls.count == 0)
    }

    @Test func `with patience another is made, and a failure is nobody's while one is left`() async {
        let time = SetClock()
        let flights = Flights(patience: .init(.seconds(2), on: time))
        let first = ask(flights)
        await until { calls.count == 1 }
        time.advance(by: .milliseconds(1999))
        let second = ask(flights)
        await until { flights.waitingCount == 2 }
        #expect(calls.count == 1)
        time.advance(by: .milliseconds(1))
        let third = ask(flights)
        await until { calls.count == 2 }
        calls.end(.failure(FailedError(number: 1)))
        let fourth = ask(flights)
        await until { flights.waitingCount == 4 }
        calls.end(.failure(FailedError(number: 2)))
        for one in [first, second, third, fourth] { #expect(await one.value == "failed 2") }
        #expect(flights.keys.isEmpty)
    }

    @Test func `a call that began before one that succeeded answers nobody`() async {
        let time = SetClock()
        let flights = Flights(patience: .init(.seconds(2), on: time))
        let first = ask(flights)
        await until { calls.count == 1 }
        time.advance(by: .seconds(2))
        let second = ask(flights)
        await until { calls.count == 2 }
        calls.endLast(.success(2))
        #expect(await [first.value, second.value] == ["2", "2"])
        let third = ask(flights)
        await until { calls.count == 3 }
        calls.end(.success(1))
        calls.end(.failure(FailedError(number: 3)))
        #expect(await third.value == "failed 3")
        await until { flights.keys.isEmpty }
    }

    @Test func `after the close none begins, one can be joined, and its end is waited for`() async {
        let flights = Flights()
        let first = ask(flights)
        await until { calls.count == 1 }
        flights.close()
        let joined = ask(flights)
        await until { flights.waitingCount == 2 }
        #expect(await ask(flights, "b").value == "refused")
        let impatient = Task { await flights.end() }
        impatient.cancel()
        await impatient.value
        #expect(flights.keys == ["a"])
        let patient = Task { await flights.end() }
        calls.end(.success(5))
        await patient.value
        #expect(await [first.value, joined.value] == ["5", "5"])
        #expect(flights.keys.isEmpty && flights.isClosed)
    }
}
