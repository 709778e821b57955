import Dispatch
import Glibc

/// A queue that runs one block at a time, some of them after a pause.
///
/// Both of its queues have threads beside the pool, which has one thread a core for everything else.
struct PausingQueue: Sendable {
    private let queue: DispatchQueue
    /// Only waits, so that ``queue`` is free meanwhile.
    private let waiting: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label)
        waiting = DispatchQueue(label: "\(label).waiting")
    }

    /// Runs the block after those that wait for nothing, and returns when it has run.
    func sync<Value>(_ block: () throws -> Value) rethrows -> Value { try queue.sync(execute: block) }

    /// Runs the block after those that wait for nothing.
    func async(_ block: @escaping @Sendable () -> Void) { queue.async(execute: block) }

    /// Runs the block after so many seconds.
    func run(afterSeconds pause: UInt32, _ block: @escaping @Sendable () -> Void) {
        waiting.async { [queue] in
            sleep(pause)
            queue.async(execute: block)
        }
    }
}
