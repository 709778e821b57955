import Synchronization

/// Values that several threads add.
final class Collected<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])

    var all: [Value] { values.withLock { $0 } }
    var count: Int { all.count }

    /// Returns the number of values after this one was added.
    @discardableResult
    func add(_ value: Value) -> Int {
        values.withLock { values in
            values.append(value)
            return values.count
        }
    }
}
