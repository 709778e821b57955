package import Kernel
import Synchronization

/// What the mock takes from outside: the time of day and randomness.
///
/// A test passes its own and so replays every run.
package struct MockInputs: Sendable {
    package typealias RandomBytes = @Sendable (Int) -> [UInt8]

    package let now: @Sendable () -> Instant
    package let randomBytes: RandomBytes

    package init(now: @escaping @Sendable () -> Instant, randomBytes: @escaping RandomBytes) {
        self.now = now
        self.randomBytes = randomBytes
    }

    /// Ids, secrets and draws that depend on nothing but `seed` and the order of the calls.
    package static func seeded(_ seed: UInt64, now: @escaping @Sendable () -> Instant) -> MockInputs {
        let generator = SharedGenerator(seed: seed)
        return MockInputs(now: now) { generator.bytes($0) }
    }
}

private final class SharedGenerator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
