import Kernel

/// The slots for concurrent checks of one provider, divided so that hanging scans leave slots for others.
///
/// An eighth is kept for the last checks before a deadline. Suspect scans, whose last check got no usable answer, take
/// long slots up to half of all. With their last checks they have at most three quarters. Other scans take long slots
/// up to a quarter of all, and quick ones beyond that.
struct CheckSlots: Sendable, Equatable {
    private var total: Int
    private var long = 0
    private var quick = 0
    private var finals = 0
    /// The slots in use by suspect scans, among `long` and `finals`.
    private var suspects = 0

    init(total: Int) { self.total = max(0, total) }

    /// Changes the number of slots.
    ///
    /// Slots in use stay in use, so that with fewer of them no check begins until enough have ended.
    mutating func resize(to total: Int) { self.total = max(0, total) }

    /// Returns a slot, to be given back with ``leave(_:)``; `nil` if none is free for such a check.
    mutating func enter(isSuspect: Bool, isFinal: Bool, end: Uptime?) -> CheckTurn? {
        guard let slot = isFinal ? finalSlot(isSuspect) : usualSlot(isSuspect) else { return nil }
        let turn = CheckTurn(slot, isSuspect: isSuspect, end: end)
        count(turn, 1)
        return turn
    }

    mutating func leave(_ turn: CheckTurn) { count(turn, -1) }

    private func finalSlot(_ isSuspect: Bool) -> CheckTurn.Slot? {
        guard long + quick + finals < total else { return nil }
        return !isSuspect || suspects < share(3, of: 4) ? .final : nil
    }

    private func usualSlot(_ isSuspect: Bool) -> CheckTurn.Slot? {
        guard long + quick + finals < total, long + quick < total - total / 8 else { return nil }
        guard isSuspect else { return long < share(1, of: 4) ? .long : .quick }
        return long < share(1, of: 2) && suspects < share(3, of: 4) ? .long : nil
    }

    private func share(_ part: Int, of whole: Int) -> Int { (total * part + whole - 1) / whole }

    private mutating func count(_ turn: CheckTurn, _ change: Int) {
        switch turn.slot {
        case .long: long += change
        case .quick: quick += change
        case .final: finals += change
        }
        if turn.isSuspect { suspects += change }
    }
}
