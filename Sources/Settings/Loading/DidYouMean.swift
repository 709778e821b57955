/// Guesses the known name that a mistyped name stands for.
enum DidYouMean {
    /// - Returns: The known name with the smallest distance, or `nil` when no name is close enough.
    static func to(_ name: String, among known: [String]) -> String? {
        let lowered = Array(name.lowercased())
        let best =
            known
            .map { (name: $0, distance: distance(lowered, Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        guard let best, best.distance <= max(1, lowered.count / 3) else { return nil }
        return best.name
    }

    /// Returns the optimal string alignment distance: the number of insertions, deletions, substitutions and swaps of
    /// neighbours.
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let same = left[row] == right[column]
                var cost = min(last[column] + (same ? 0 : 1), last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
