/// A map of bounded size: in a full map a new key replaces the oldest key.
///
/// For values that are cheap to lose. Writing to an existing key keeps its position in the order.
package struct BoundedMap<Key: Hashable, Value> {
    private let capacity: Int
    private var values: [Key: Value] = [:]
    /// A ring of the keys in the order of insertion; each key of `values` is in it once.
    private var order: [Key] = []
    private var oldest = 0

    /// - Parameter capacity: The number of keys that are kept, at least one.
    package init(capacity: Int) { self.capacity = max(1, capacity) }

    package var count: Int { values.count }

    /// All keys with their values, in no order.
    package var all: [Key: Value] { values }

    package subscript(key: Key) -> Value? { values[key] }

    /// Writes the value of the key.
    ///
    /// - Returns: The previous value of the key.
    @discardableResult
    package mutating func set(_ value: Value, for key: Key) -> Value? {
        if let former = values.updateValue(value, forKey: key) { return former }
        guard order.count == capacity else {
            order.append(key)
            return nil
        }
        values[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % capacity
        return nil
    }
}

extension BoundedMap: Sendable where Key: Sendable, Value: Sendable {}
