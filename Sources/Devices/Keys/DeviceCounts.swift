/// What a device's key has counted lately: which count is new, though requests overtake one another on their way.
package struct DeviceCounts: Sendable, Equatable {
    /// How many of the highest counts are remembered.
    package static let kept = 8
    /// How far a count may lie below the highest, in milliseconds: what a request takes that was overtaken.
    private static let reach: Int64 = 30_000

    /// The highest; 0 before there was one.
    package let highest: Int64
    /// Some of the highest that were taken, at most ``kept``.
    package let taken: [Int64]

    package init(highest: Int64, taken: [Int64]) {
        self.highest = highest
        self.taken = taken
    }

    /// Whether the count was surely not taken before.
    package func isNew(_ count: Int64) -> Bool {
        if count > highest { return true }
        // What is below the lowest that is remembered may have been forgotten.
        let lowest = taken.count < Self.kept ? Int64.min : taken.min() ?? .min
        return count > highest - Self.reach && count > lowest && count != highest && !taken.contains(count)
    }
}
