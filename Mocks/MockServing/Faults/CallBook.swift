/// How often what was called, and what goes wrong with it.
package struct CallBook<Kind: MockFaultKind>: Sendable {
    private var faults: [Kind.Call: MockFault<Kind>] = [:]
    private var counts: [Kind.Call: Int] = [:]

    package init() {}

    package mutating func setFault(_ fault: MockFault<Kind>, on call: Kind.Call) { faults[call] = fault }

    package mutating func clearFaults() { faults = [:] }

    /// Forgets what was counted, and nothing else.
    package mutating func clearCounts() { counts = [:] }

    /// Of every call, by its name.
    package var countsByName: [String: Int] {
        Dictionary(uniqueKeysWithValues: Kind.Call.allCases.map { ($0.rawValue, counts[$0] ?? 0) })
    }

    /// Counts a call, and says what goes wrong with it.
    mutating func begin(_ call: Kind.Call) -> MockFault<Kind>? {
        counts[call, default: 0] += 1
        guard let fault = faults[call] else { return nil }
        if let left = fault.left {
            faults[call]?.left = left - 1
            if left <= 1 { faults[call] = nil }
        }
        return fault
    }
}
