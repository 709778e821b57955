package import Kernel

/// The state machine of an operation: pure functions without a clock, a database or randomness.
///
/// docs/operations.mermaid is its diagram. A test compares the diagram with every state and event.
package enum OperationMachine {
    /// How often a person may start over from another browser, not counting the first start.
    package static let maximumRestarts = 3

    /// The reason why an event changes nothing.
    package enum TransitionError: Error, Equatable, Sendable {
        /// The event has no meaning in this state. Terminal states refuse every event.
        case notInThisState
        /// A decoy never reaches a provider.
        case decoy
        /// The deadline, or the time window of the event, has passed.
        case tooLate
        /// The deadline, or the end of the time window, has not come yet.
        case tooEarly
        /// The verdict is about a scan that this operation no longer follows.
        case staleReference
        /// The person started over too often.
        case tooManyRestarts
        /// The event would change nothing.
        case nothingNew
    }

    /// The work for ``OperationService`` after a transition.
    package enum Effect: Sendable, Equatable {
        /// Ask the provider to begin a scan.
        case startScan
        /// Ask the person for the pairing number again.
        case askAgain
        /// Check the scan's status regularly.
        case follow(ProviderReference)
        /// Wait for the rightful caller to collect.
        case awaitCollection
        /// Open the session, in the transition's unit of work.
        case openSession(Grant)
        /// Sign the approval's token, without opening a session.
        case attest(Grant)
        /// The operation is over, and its secrets are erased.
        case end
    }

    /// Returns the operation after `event`, and the work that follows.
    package static func apply(
        _ event: OperationEvent,
        to operation: Operation,
        now: Instant
    ) throws(TransitionError) -> (next: Operation, effect: Effect) {
        let (state, effect) = try transition(event, of: operation, at: now)
        let binding = binding(of: operation, after: event, in: state)
        let provider = provider(after: event, of: operation)
        return (operation.advanced(to: state, at: provider, binding: binding), effect)
    }

    /// Returns the provider of the operation's newest scan.
    private static func provider(after event: OperationEvent, of operation: Operation) -> ProviderName {
        if case .scanStarted(_, let provider, _, _) = event { provider } else { operation.provider }
    }

    private typealias Step = (OperationState, Effect)

    private static func transition(
        _ event: OperationEvent,
        of operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> Step {
        guard !operation.state.isTerminal else { throw .notInThisState }
        switch event {
        case .openRequested(let browser): return try open(operation, in: browser, at: now)
        case .scanStarted(let reference, let provider, let browser, let page):
            return try startScan(operation, as: reference, by: provider, in: browser, page: page, at: now)
        case .observed(let status, let reference, let provider):
            // Two providers may give two scans the same reference.
            guard provider == operation.provider else { return try refuseAbandoned(operation) }
            return try observe(status, of: reference, for: operation, at: now)
        case .deadlineReached(let contact): return try reachDeadline(operation, after: contact, at: now)
        case .approvalWindowEnded: return try endApprovalWindow(operation, at: now)
        case .redeemRequested(let grant): return try redeem(operation, for: grant, at: now)
        case .acknowledged: return try close(operation, at: now)
        case .redemptionWindowEnded: return try endRedemptionWindow(operation, at: now)
        case .cancelRequested:
            return try fail(operation, with: .canceled, at: now, from: [.created, .opened, .pending, .approved])
        case .superseded: return try fail(operation, with: .superseded, at: now, from: [.created, .opened, .pending])
        case .numberMismatched: return try countWrongNumber(operation, at: now)
        case .numberMatched: return try takeRightNumber(operation, at: now)
        case .returned: return try takeReturn(operation, at: now)
        case .accountBlocked: return try block(operation, at: now)
        case .deniedNotMe:
            return try fail(operation, with: .deniedNotMe, at: now, from: [.created, .opened, .pending, .approved])
        }
    }

    private static func open(
        _ operation: Operation,
        in browser: Digest256,
        at now: Instant
    ) throws(TransitionError) -> Step {
        guard !operation.isDecoy else { throw .decoy }
        guard operation.state.name == .created else { throw .notInThisState }
        guard now < operation.validity.deadline else { throw .tooLate }
        return (.opened(Opening(browser: browser)), .startScan)
    }

    private static func startScan(
        _ operation: Operation,
        as reference: ProviderReference,
        by provider: ProviderName,
        in browser: Digest256,
        page: EncryptedScanPage?,
        at now: Instant
    ) throws(TransitionError) -> Step {
        guard !operation.isDecoy else { throw .decoy }
        switch operation.state {
        case .opened: break
        case .pending(let scan):
            guard scan.attempt <= maximumRestarts else { throw .tooManyRestarts }
            guard scan.reference != reference || operation.provider != provider else { throw .nothingNew }
        case .created, .approved, .redeemed, .closed, .failed: throw .notInThisState
        }
        guard now < operation.validity.deadline else { throw .tooLate }
        let scan = Scan(
            reference: reference,
            browser: browser,
            attempt: operation.nextAttempt,
            startedAt: now,
            progress: .userInProvider,
            page: page
        )
        return (.pending(scan), .follow(reference))
    }

    private static func refuseAbandoned(_ operation: Operation) throws(TransitionError) -> Step {
        guard case .pending = operation.state else { throw .notInThisState }
        throw .staleReference
    }

    private static func observe(
        _ status: ScanStatus,
        of reference: ProviderReference,
        for operation: Operation,
        at now: Instant
    ) throws(TransitionError) -> Step {
        guard case .pending(let scan) = operation.state else { throw .notInThisState }
        guard scan.reference == reference else { throw .staleReference }
        guard now < operation.validity.deadline else { throw .tooLate }
        switch status {
        case .approved:
            let state = operation.approved(by: reference, at: now).recording(scan.scanAttempt)
            return (state, state.isTerminal ? .end : .awaitCollection)
        case .rejected(let rejection): return (.failed(rejection.failureCode, at: now), .end)
        case .expired: return (.failed(.expired, at: now), .end)
        case .canceled: return (.failed(.canceled, at: now), .end)
        case .broken: return (.failed(.providerError, at: now), .end)
        case .pending(let progress):
            guard progress != scan.progress else { throw .nothingNew }
            return (.pending(scan.progressed(to: progress)), .follow(reference))
        case .unrecognised, .nonsense, .unknownReference: throw .nothingNew
        }
    }

    private static func reachDeadline(
        _ operation: Operation,
        after contact: ProviderContact,
        at now: Instant
    ) throws(TransitionError) -> Step {
        let code: FailureCode
        switch operation.state {
        case .created: code = .expired
        case .opened, .pending:
            code =
                switch contact {
                case .answered: .expired
                case .failed: .providerUnavailable
                case .refused: .providerError
                }
        case .approved, .redeemed, .closed, .failed: throw .notInThisState
        }
        guard now >= operation.validity.deadline else { throw .tooEarly }
        return (.failed(code, at: now), .end)
    }

    private static func endApprovalWindow(_ operation: Operation, at now: Instant) throws(TransitionError) -> Step {
        guard case .approved(let approval) = operation.state else { throw .notInThisState }
        guard now >= approval.at + operation.request.policy.timing.approvalWindow else { throw .tooEarly }
        return (.failed(.expired, at: now), .end)
    }

    private static func redeem(
        _ operation: Operation,
        for grant: Grant,
        at now: Instant
    ) throws(TransitionError) -> Step {
        guard case .approved(let approval) = operation.state else { throw .notInThisState }
        guard now < approval.at + operation.request.policy.timing.approvalWindow else { throw .tooLate }
        return (.redeemed(grant), operation.collected(grant))
    }

    private static func close(_ operation: Operation, at now: Instant) throws(TransitionError) -> Step {
        guard case .redeemed(let grant) = operation.state else { throw .notInThisState }
        return (.closed(Closure(at: now, session: grant.session, collector: grant.collector)), .end)
    }

    private static func endRedemptionWindow(_ operation: Operation, at now: Instant) throws(TransitionError) -> Step {
        guard case .redeemed(let grant) = operation.state else { throw .notInThisState }
        guard now >= grant.redeemedAt + operation.request.policy.timing.redemptionWindow else { throw .tooEarly }
        return try close(operation, at: now)
    }

    /// Ends an operation that has not been collected, and closes one that has.
    private static func block(_ operation: Operation, at now: Instant) throws(TransitionError) -> Step {
        guard operation.state.name != .redeemed else { return try close(operation, at: now) }
        return try fail(operation, with: .accountBlocked, at: now, from: [.created, .opened, .pending, .approved])
    }

    private static func fail(
        _ operation: Operation,
        with code: FailureCode,
        at now: Instant,
        from states: Set<OperationState.Name>
    ) throws(TransitionError) -> Step {
        guard states.contains(operation.state.name) else { throw .notInThisState }
        return (.failed(code, at: now), .end)
    }
}
