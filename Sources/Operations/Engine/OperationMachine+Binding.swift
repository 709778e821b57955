import Kernel

extension OperationMachine {
    /// Counts a wrong number; the last one that is allowed ends the operation.
    static func countWrongNumber(
        _ operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> (OperationState, Effect) {
        guard operation.binding.number != nil else { throw .nothingNew }
        guard !operation.state.name.isDecided else { throw .notInThisState }
        guard now < operation.validity.deadline else { throw .tooLate }
        let count = operation.binding.wrongNumbers + 1
        guard count < OperationBinding.maximumWrongNumbers else { return (.failed(.tooManyAttempts, at: now), .end) }
        return (operation.state, .askAgain)
    }

    /// Takes the right number, which changes nothing.
    ///
    /// It is written so that it costs what a wrong number costs. A store that can't count wrong numbers then does not
    /// tell which numbers are wrong.
    static func takeRightNumber(
        _ operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> (OperationState, Effect) {
        guard operation.binding.number != nil else { throw .nothingNew }
        guard !operation.state.name.isDecided else { throw .notInThisState }
        guard now < operation.validity.deadline else { throw .tooLate }
        return (operation.state, .startScan)
    }

    /// Returns the binding of the next version.
    static func binding(
        of operation: Operation,
        after event: OperationEvent,
        in state: OperationState
    ) -> OperationBinding {
        let binding =
            switch event {
            case .numberMismatched: operation.binding.afterWrongNumber()
            case .returned(let code): operation.binding.withReturnCode(code)
            // The code is valid for one collection; a redelivery has its own rules.
            case .redeemRequested: operation.binding.withReturnCode(nil)
            case .openRequested, .scanStarted, .observed, .deadlineReached, .approvalWindowEnded, .acknowledged,
                .redemptionWindowEnded, .cancelRequested, .superseded, .numberMatched, .accountBlocked, .deniedNotMe:
                operation.binding
            }
        return state.isTerminal ? binding.ended() : binding
    }

    /// Takes a browser that came back from the provider: it brings a new code to the app, and an earlier code is void.
    static func takeReturn(_ operation: Operation, at now: Instant) throws(TransitionError) -> (OperationState, Effect)
    {
        guard operation.binding.redirectBack != nil else { throw .nothingNew }
        guard case .approved(let approval) = operation.state else { throw .notInThisState }
        guard now < approval.at + operation.request.policy.timing.approvalWindow else { throw .tooLate }
        return (operation.state, .awaitCollection)
    }
}
