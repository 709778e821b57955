/// The last so many elements in order of arrival: appending is O(1) and memory stays bounded.
struct BoundedLog<Element: Sendable>: Sendable {
    private var slots: [Element] = []
    private let capacity: Int

    /// How many were ever appended: the sequence number that the next one gets.
    private(set) var appended = 0

    init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Appends and returns the element that had to go for it.
    @discardableResult
    mutating func append(_ element: Element) -> Element? {
        let slot = appended % capacity
        appended += 1
        guard slots.count == capacity else {
            slots.append(element)
            return nil
        }
        let evicted = slots[slot]
        slots[slot] = element
        return evicted
    }

    /// Changes the element with that sequence number in place; one that is gone already is left gone.
    mutating func update(_ sequence: Int, _ change: (inout Element) -> Void) {
        guard sequence < appended, sequence >= appended - slots.count else { return }
        change(&slots[sequence % capacity])
    }

    /// Newest first, without copying what the caller does not take.
    var newestFirst: some Sequence<Element> {
        (0..<slots.count).lazy.map { slots[(appended - 1 - $0) % capacity] }
    }
}
