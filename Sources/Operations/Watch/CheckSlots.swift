import Kernel

/// The places for the checks of one provider, shared out so that scans which hang never take what others need.
///
/// An eighth is kept for last checks before a deadline. Scans whose last check got no answer have half at the most, and
/// three quarters with their last checks. Another scan may hang in a quarter of the places; beyond that its check is a
/// quick one. Pure.
struct CheckSlots: Sendable, Equatable {
    private let total: Int
    private var long = 0
    private var quick = 0
    private var finals = 0
    /// Those of `long` and `finals` that suspects have.
    private var suspects = 0

    init(total: Int) { self.total = max(0, total) }

    /// A slot, to be handed back with ``leave(_:)``; `nil` where there is none for such a check.
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
