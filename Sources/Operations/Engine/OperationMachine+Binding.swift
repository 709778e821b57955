import Kernel

extension OperationMachine {
    /// Counts a wrong pairing number, of which the last allowed one ends the operation.
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

    /// Accepts the right pairing number, which leaves the state unchanged.
    ///
    /// A version is written for it, as for a wrong number. So a database that can't be written to does not reveal which
    /// numbers are wrong.
    static func takeRightNumber(
        _ operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> (OperationState, Effect) {
        guard operation.binding.number != nil else { throw .nothingNew }
        guard !operation.state.name.isDecided else { throw .notInThisState }
        guard now < operation.validity.deadline else { throw .tooLate }
        return (operation.state, .startScan)
    }

    /// Returns the binding of the operation's next version.
    static func binding(
        of operation: Operation,
        after event: OperationEvent,
        in state: OperationState
    ) -> OperationBinding {
        let binding =
            switch event {
            case .numberMismatched: operation.binding.afterWrongNumber()
            case .returned(let code): operation.binding.withReturnCode(code)
            // The return code is valid for one collection, and ``Visibility`` decides on repeated ones.
            case .redeemRequested: operation.binding.withReturnCode(nil)
            case .openRequested, .scanStarted, .observed, .deadlineReached, .approvalWindowEnded, .acknowledged,
                .redemptionWindowEnded, .cancelRequested, .superseded, .numberMatched, .accountBlocked, .deniedNotMe:
                operation.binding
            }
        return state.isTerminal ? binding.ended() : binding
    }

    /// Accepts the browser's return from the provider: it carries a new return code to the app, and an earlier code
    /// becomes invalid.
    static func takeReturn(_ operation: Operation, at now: Instant) throws(TransitionError) -> (OperationState, Effect)
    {
        guard operation.binding.redirectBack != nil else { throw .nothingNew }
        guard case .approved(let approval) = operation.state else { throw .notInThisState }
        guard now < approval.at + operation.request.policy.timing.approvalWindow else { throw .tooLate }
        return (operation.state, .awaitCollection)
    }
}
