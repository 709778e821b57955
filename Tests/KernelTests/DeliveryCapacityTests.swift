import Testing

@testable import Kernel

/// How the places of a delivery worker are shared.
struct DeliveryCapacityTests {
    private static let groups = ["dead1", "dead2", "dead3", "dead4", "live", "new"]

    @Test func `a group gets its share, and a failing one a single place`() {
        let capacity = DeliveryCapacity(
            inAll: 8,
            perGroup: 2,
            taken: ["live": 1, "dead2": 1],
            failing: ["dead1", "dead2"],
            mostOfFailing: 4
        )
        #expect(capacity.left(for: "new") == 2)
        #expect(capacity.left(for: "live") == 1)
        #expect(capacity.left(for: "dead1") == 1)
        #expect(capacity.left(for: "dead2") == 0)
    }

    @Test(arguments: [(0, ["dead1", "dead2"]), (1, ["dead1"]), (2, []), (3, [])])
    func `failing groups together get no more than their part, whichever is due first`(
        _ taken: Int,
        _ dead: [String]
    ) {
        let capacity = DeliveryCapacity(
            inAll: 4,
            perGroup: 2,
            taken: ["dead4": taken],
            failing: ["dead1", "dead2", "dead3", "dead4"],
            mostOfFailing: 2
        )
        let due = Self.groups.flatMap { group in Array(repeating: group, count: capacity.left(for: group)) }
        #expect(capacity.first(of: due) { $0 } == Array((dead + ["live", "live", "new", "new"]).prefix(4)))
    }

    @Test func `without failures the first ones due are claimed`() {
        let capacity = DeliveryCapacity(inAll: 3, perGroup: 2)
        #expect(capacity.first(of: Self.groups) { $0 } == Array(Self.groups.prefix(3)))
    }
}
