import Kernel

extension OperationMachine {
    /// A number that is not the app's changes nothing but the count, until it was typed too often.
    static func countWrongNumber(
        _ operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> (OperationState, Effect) {
        guard operation.binding.number != nil else { throw .nothingNew }
        guard !operation.state.name.isDecided else { throw .notInThisState }
        guard now < operation.deadline else { throw .tooLate }
        let count = operation.binding.wrongNumbers + 1
        guard count < OperationBinding.maximumWrongNumbers else { return (.failed(.tooManyAttempts, at: now), .end) }
        return (operation.state, .askAgain)
    }

    /// The right number moves nothing either: it is written so that it costs what a wrong one costs, and so that a store
    /// that can't count wrong ones tells nobody which they are.
    static func takeRightNumber(
        _ operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> (OperationState, Effect) {
        guard operation.binding.number != nil else { throw .nothingNew }
        guard !operation.state.name.isDecided else { throw .notInThisState }
        guard now < operation.deadline else { throw .tooLate }
        return (operation.state, .startScan)
    }

    /// What is kept of the binding in the next version.
    static func binding(
        of operation: Operation,
        after event: OperationEvent,
        in state: OperationState
    ) -> OperationBinding {
        let binding =
            switch event {
            case .numberMismatched: operation.binding.afterWrongNumber()
            case .returned(let code): operation.binding.withReturnCode(code)
            // The code is good for one collection; what is handed out again has its own rules.
            case .redeemRequested: operation.binding.withReturnCode(nil)
            case .openRequested, .scanStarted, .observed, .deadlineReached, .approvalWindowEnded, .acknowledged,
                .redemptionWindowEnded, .cancelRequested, .superseded, .numberMatched, .accountBlocked, .deniedNotMe:
                operation.binding
            }
        return state.isTerminal ? binding.ended() : binding
    }

    /// The browser came back from the provider and takes a new code along to the app; an earlier one is void.
    static func takeReturn(_ operation: Operation, at now: Instant) throws(TransitionError) -> (OperationState, Effect)
    {
        guard operation.binding.redirectBack != nil else { throw .nothingNew }
        guard case .approved(let approval) = operation.state else { throw .notInThisState }
        guard now < approval.at + operation.policy.approvalWindow else { throw .tooLate }
        return (operation.state, .awaitCollection)
    }
}
