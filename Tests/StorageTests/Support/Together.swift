import Dispatch
import Kernel
import Synchronization

@testable import Storage

/// The sizes of committed groups, in order.
final class GroupSizes: Sendable {
    private let sizes = Mutex<[Int]>([])

    var all: [Int] { sizes.withLock { $0 } }
    func note(_ size: Int) { sizes.withLock { $0.append(size) } }

    /// Whether those are the groups: one is noted a moment after its callers were told.
    func reach(_ expected: [Int]) async -> Bool {
        for _ in 0..<20_000 where all.count < expected.count { try? await Task.sleep(for: .milliseconds(5)) }
        return all == expected
    }
}

extension SQLiteUnitOfWork {
    /// Runs `count` units that are sure to stand in line together: a unit before them holds the writer until they do.
    ///
    /// Returns what came of each.
    func together<T: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (Int, borrowing Transaction) throws -> T
    ) async throws -> [Result<T, any Error>] {
        let gate = DispatchSemaphore(value: 0)
        let inLine = Line()
        return try await withThrowingTaskGroup(of: (Int, Result<T, any Error>)?.self) { group in
            group.addTask {
                try await self.run { _ in
                    inLine.join()
                    gate.wait()
                }
                return nil
            }
            while inLine.length < 1 { try await Task.sleep(for: .milliseconds(1)) }
            for number in 0..<count {
                group.addTask {
                    inLine.join()
                    do { return (number, .success(try await self.run { try body(number, $0) })) } catch {
                        return (number, .failure(error))
                    }
                }
            }
            while inLine.length < count + 1 { try await Task.sleep(for: .milliseconds(2)) }
            // From the count to the queue it is a few instructions, in the midst of which a busy machine may stop.
            try await Task.sleep(for: .milliseconds(500))
            gate.signal()
            var results: [Int: Result<T, any Error>] = [:]
            for try await outcome in group { if let outcome { results[outcome.0] = outcome.1 } }
            return (0..<count).compactMap { results[$0] }
        }
    }
}

/// How many have come so far.
private final class Line: Sendable {
    private let count = Atomic<Int>(0)

    var length: Int { count.load(ordering: .sequentiallyConsistent) }
    func join() { count.add(1, ordering: .sequentiallyConsistent) }
}

extension Result {
    var error: Failure? {
        switch self {
        case .success: nil
        case .failure(let error): error
        }
    }

    var isSuccess: Bool { error == nil }
}
