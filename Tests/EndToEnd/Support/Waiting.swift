/// The reason why a test can't continue.
struct ExpectationError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Runs `body`, and gives up on it after `limit`.
func bounded<Value: Sendable>(
    _ limit: Duration,
    _ what: @autoclosure @escaping @Sendable () -> String,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await ContinuousClock().sleep(for: limit)
            throw ExpectationError("\(what()) was not done after \(limit)")
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

/// Asks again and again until there is an answer.
///
/// `limit` ends a wait that is in vain: what has to be so within a time is measured beside it.
func eventually<Value>(
    _ what: @autoclosure () -> String,
    within limit: Duration = .seconds(60),
    every pause: Duration = .milliseconds(50),
    _ ask: () async throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let deadline = clock.now + limit
    while true {
        if let value = try await ask() { return value }
        guard clock.now < deadline else { throw ExpectationError("\(what()): not within \(limit)") }
        try await clock.sleep(for: pause)
    }
}

/// Asks again and again until it is so.
func eventually(
    _ what: @autoclosure () -> String,
    within limit: Duration = .seconds(60),
    every pause: Duration = .milliseconds(50),
    _ holds: () async throws -> Bool
) async throws {
    let _: Void = try await eventually(what(), within: limit, every: pause) { try await holds() ? () : nil }
}
