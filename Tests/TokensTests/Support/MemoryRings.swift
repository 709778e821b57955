import Kernel
import Synchronization

/// The rows of rings that several daemons share: compare-and-swap, as a database does it.
final class MemoryRings: SharedRings {
    struct Row: Equatable {
        var version: Int64
        var content: [UInt8]
    }

    private struct State {
        var rows: [String: Row] = [:]
        /// What other daemons do, each between a reading and the next write.
        var interferences: [@Sendable () throws -> Void] = []
        /// How many calls fail before they have read anything.
        var failures = 0
        /// How many writes report an error although they were made.
        var lostAnswers = 0
        var calls = 0
    }

    private let state = Mutex(State())

    subscript(name: String) -> Row? {
        get { state.withLock { $0.rows[name] } }
        set { state.withLock { $0.rows[name] = newValue } }
    }

    /// The number of calls.
    var calls: Int { state.withLock(\.calls) }

    func interfere(_ actions: [@Sendable () throws -> Void]) { state.withLock { $0.interferences = actions } }

    func fail(times count: Int) { state.withLock { $0.failures = count } }

    /// Loses the answer to the next write, which is made.
    func loseAnswer() { state.withLock { $0.lostAnswers = 1 } }

    func change(_ name: String, _ body: ([UInt8]?) throws -> [UInt8]?) throws {
        let fails = state.withLock { state in
            state.calls += 1
            guard state.failures > 0 else { return false }
            state.failures -= 1
            return true
        }
        if fails { throw StoreError.unavailable(cause: "it is away") }
        while true {
            let row = self[name]
            guard let content = try body(row?.content) else { return }
            let interference = state.withLock { state in
                state.interferences.isEmpty ? nil : state.interferences.removeFirst()
            }
            try interference?()
            let isWritten = state.withLock { state in
                guard state.rows[name]?.version == row?.version else { return false }
                state.rows[name] = Row(version: (row?.version ?? 0) + 1, content: content)
                return true
            }
            guard isWritten else { continue }
            let isLost = state.withLock { state in
                defer { state.lostAnswers = 0 }
                return state.lostAnswers > 0
            }
            if isLost { throw StoreError.unavailable(cause: "the outcome is unknown") }
            return
        }
    }
}

/// Keeps what is announced, and tells what the test says.
final class ScriptedFeed: ChangeFeed {
    private let messages = Mutex<[FeedMessage]>([])
    private let listening = AsyncStream.makeStream(of: FeedEvent.self)

    var sent: [FeedMessage] { messages.withLock(\.self) }

    func announce(_ message: FeedMessage) { messages.withLock { $0.append(message) } }

    func events() -> AsyncStream<FeedEvent> { listening.stream }

    /// Tells those events, and then that there are no more.
    func tell(_ events: FeedEvent...) {
        for event in events { listening.continuation.yield(event) }
        listening.continuation.finish()
    }
}
