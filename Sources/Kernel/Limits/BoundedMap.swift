/// A map with room for so many keys: one more drives out the key that came first.
///
/// For what costs little to be forgotten. To write to a key that is there keeps its place in the line.
package struct BoundedMap<Key: Hashable, Value> {
    private let room: Int
    private var values: [Key: Value] = [:]
    /// A ring, in the order of coming; each key of `values` stands here once.
    private var order: [Key] = []
    private var oldest = 0

    /// - Parameter room: How many keys are kept, at least one.
    package init(room: Int) { self.room = max(1, room) }

    package var count: Int { values.count }

    package subscript(key: Key) -> Value? { values[key] }

    /// Writes the value of the key.
    ///
    /// - Returns: What was there for that key.
    @discardableResult
    package mutating func set(_ value: Value, for key: Key) -> Value? {
        if let former = values.updateValue(value, forKey: key) { return former }
        guard order.count == room else {
            order.append(key)
            return nil
        }
        values[order[oldest]] = nil
        order[oldest] = key
        oldest = (oldest + 1) % room
        return nil
    }
}

extension BoundedMap: Sendable where Key: Sendable, Value: Sendable {}
