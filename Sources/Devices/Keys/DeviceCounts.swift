/// The recent counts of a device's key, which show whether a count is new although requests may overtake one another.
package struct DeviceCounts: Sendable, Equatable {
    /// The number of highest counts that are remembered.
    package static let kept = 8
    /// How far a new count may be below the highest, in milliseconds: the delay of a request that was overtaken.
    private static let reach: Int64 = 30_000

    /// The highest count; 0 before the first.
    package let highest: Int64
    /// The highest counts that were taken, at most ``kept``.
    package let taken: [Int64]

    package init(highest: Int64, taken: [Int64]) {
        self.highest = highest
        self.taken = taken
    }

    /// Whether the count was certainly not taken before.
    package func isNew(_ count: Int64) -> Bool {
        if count > highest { return true }
        // A count below the lowest remembered one may have been forgotten.
        let lowest = taken.count < Self.kept ? Int64.min : taken.min() ?? .min
        return count > highest - Self.reach && count > lowest && count != highest && !taken.contains(count)
    }
}
