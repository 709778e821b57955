import Kernel

extension OperationMachine {
    /// A number that is not the app's changes nothing but the count, until it was typed too often.
    static func countWrongNumber(
        _ operation: Operation,
        _ now: Instant
    ) throws(Refusal) -> (OperationState, Effect) {
        guard operation.binding.number != nil else { throw .nothingNew }
        switch operation.state {
        case .created, .opened, .pending: break
        case .approved, .redeemed, .closed, .failed: throw .notInThisState
        }
        guard now < operation.deadline else { throw .tooLate }
        let count = operation.binding.wrongNumbers + 1
        guard count < OperationBinding.maximumWrongNumbers else { return (.failed(.tooManyAttempts, at: now), .end) }
        return (operation.state, .askAgain)
    }

    /// What is kept of the binding in the next version.
    static func binding(
        of operation: Operation,
        after event: OperationEvent,
        in state: OperationState
    ) -> OperationBinding {
        let counted = event == .numberMismatched ? operation.binding.afterWrongNumber() : operation.binding
        return state.isTerminal ? counted.ended() : counted
    }
}
