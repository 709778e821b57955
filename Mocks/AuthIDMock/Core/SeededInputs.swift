package import Kernel
package import MockServing
import Synchronization

extension MachineInputs {
    /// Ids, secrets and draws that depend on nothing but `seed` and the order of the calls.
    package static func seeded(_ seed: UInt64, now: @escaping @Sendable () -> Instant) -> MachineInputs {
        let generator = SharedGenerator(seed: seed)
        return MachineInputs(now: now) { generator.bytes($0) }
    }
}

private final class SharedGenerator: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    func bytes(_ count: Int) -> [UInt8] { generator.withLock { $0.bytes(count) } }
}
