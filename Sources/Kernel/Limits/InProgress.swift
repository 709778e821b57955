import Synchronization

/// Counts the work of each key that this process has begun and not finished.
///
/// A limit on stored rows that is read before the unit that adds one misses those that are being added at the same time.
/// With their number added the limit holds, as far as this process goes: what other processes add at the same time still
/// comes on top.
package final class InProgress: Sendable {
    private let numbers = Mutex<[String: Int]>([:])

    package init() {}

    /// Runs `body`, which reads what is stored after it was called.
    ///
    /// `others`: the number of bodies of that key that have begun before this one and not ended. Each of those that
    /// ended before has stored what it adds, or never will. One that ends meanwhile may be counted twice.
    package func counting<T>(
        _ key: String,
        _ body: (_ others: Int) async throws -> T
    ) async rethrows -> T {
        let others = numbers.withLock { numbers in
            defer { numbers[key, default: 0] += 1 }
            return numbers[key] ?? 0
        }
        defer { end(key) }
        return try await body(others)
    }

    private func end(_ key: String) {
        numbers.withLock { numbers in
            let left = (numbers[key] ?? 0) - 1
            // A key out of use takes no memory.
            numbers[key] = left > 0 ? left : nil
        }
    }
}
