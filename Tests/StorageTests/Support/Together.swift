import Dispatch
import Kernel
import Synchronization

@testable import Storage

/// The sizes of committed groups, in order.
final class GroupSizes: Sendable {
    private let sizes = Mutex<[Int]>([])

    var all: [Int] { sizes.withLock { $0 } }
    func note(_ size: Int) { sizes.withLock { $0.append(size) } }

    /// Returns whether those are the groups: one is noted a moment after its callers were told.
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
        let writer = HeldWriter()
        return try await withThrowingTaskGroup(of: (Int, Result<T, any Error>)?.self) { group in
            group.addTask {
                try await self.run { _ in
                    writer.isHeld.store(true, ordering: .sequentiallyConsistent)
                    gate.wait()
                }
                return nil
            }
            while !writer.isHeld.load(ordering: .sequentiallyConsistent) { try await Task.sleep(for: .milliseconds(1)) }
            for number in 0..<count {
                group.addTask {
                    do { return (number, .success(try await self.run { try body(number, $0) })) } catch {
                        return (number, .failure(error))
                    }
                }
            }
            while queueLength < count { try await Task.sleep(for: .milliseconds(1)) }
            gate.signal()
            var results: [Int: Result<T, any Error>] = [:]
            for try await outcome in group { if let outcome { results[outcome.0] = outcome.1 } }
            return (0..<count).compactMap { results[$0] }
        }
    }
}

private final class HeldWriter: Sendable {
    let isHeld = Atomic(false)
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
