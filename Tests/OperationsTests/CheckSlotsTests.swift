import Kernel
import Testing

@testable import Operations

/// How the checks of one provider share its places.
struct CheckSlotsTests {
    private var slots = CheckSlots(total: 32)

    private mutating func enter(_ count: Int, isSuspect: Bool = false, isFinal: Bool = false) -> [CheckTurn] {
        (0..<count).compactMap { _ in slots.enter(isSuspect: isSuspect, isFinal: isFinal, end: nil) }
    }

    // T-259
    @Test mutating func `a few checks have all their time, more of them are quick, and some places stay free`() {
        #expect(enter(40).map(\.slot) == Array(repeating: .long, count: 8) + Array(repeating: .quick, count: 20))
        #expect(enter(40, isFinal: true).count == 4, "last checks have places of their own")
        #expect(enter(1, isFinal: true).isEmpty, "and there are never more than the provider bears")
    }

    // T-259
    @Test
    mutating func `attack: checks of hanging scans take at most half of the slots, and final ones three quarters`() {
        #expect(enter(100, isSuspect: true).count == 16)
        #expect(enter(100, isSuspect: true, isFinal: true).count == 8)
        #expect(enter(100).map(\.slot) == Array(repeating: .quick, count: 8))
        #expect(enter(100).isEmpty)
    }

    @Test mutating func `with fewer slots no check begins until enough have ended, and with more slots at once`() {
        let running = enter(20)
        slots.resize(to: 10)
        #expect(enter(1).isEmpty && enter(1, isFinal: true).isEmpty)
        for turn in running.prefix(12) { slots.leave(turn) }
        #expect(enter(10).count == 1, "nine of ten, because an eighth is kept for final checks")
        slots.resize(to: 32)
        #expect(enter(100).count == 19)
    }

    @Test mutating func `slots that hanging checks give back are given to others`() {
        let hanging = enter(16, isSuspect: true)
        #expect(enter(1, isSuspect: true).isEmpty)
        for turn in hanging { slots.leave(turn) }
        #expect(enter(16, isSuspect: true).count == 16)
    }

    // T-259
    @Test(arguments: 1...7)
    func `few slots are all used, by any scan`(_ total: Int) {
        for isSuspect in [false, true] {
            var slots = CheckSlots(total: total)
            let entered = (0..<10).compactMap { _ in slots.enter(isSuspect: isSuspect, isFinal: false, end: nil) }
            #expect(isSuspect ? !entered.isEmpty : entered.count == total)
            var empty = CheckSlots(total: total)
            #expect(empty.enter(isSuspect: isSuspect, isFinal: true, end: nil)?.slot == .final)
        }
    }
}
