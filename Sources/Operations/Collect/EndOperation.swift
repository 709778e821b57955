package import Kernel

/// The result of an acknowledgement or a cancellation.
package enum EndOutcome: Sendable, Equatable {
    /// No operation has that id.
    case unknown
    /// The caller does not prove that it may end the operation.
    case unauthorized
    /// The operation's current state, also if it had ended before.
    case current(PollView)
}

extension OperationService {
    /// Acknowledges that the caller has the tokens, so that the grant is not handed out again.
    package func acknowledge(_ publicID: Digest256, _ caller: Caller) async throws -> EndOutcome {
        try await end(publicID, with: .acknowledged, by: caller, refusing: .acknowledgeUnproven)
    }

    /// Cancels an operation for its caller.
    package func cancel(_ publicID: Digest256, _ caller: Caller) async throws -> EndOutcome {
        try await end(publicID, with: .cancelRequested, by: caller, refusing: .cancelUnproven)
    }

    private func end(
        _ publicID: Digest256,
        with event: OperationEvent,
        by caller: Caller,
        refusing reason: RefusalReason
    ) async throws -> EndOutcome {
        guard let operation = try await known(publicID) else {
            refusals.count(.unknownOperation)
            return .unknown
        }
        guard Visibility.mayEnd(caller, operation) else {
            refusals.note(reason, operation)
            return .unauthorized
        }
        do {
            return .current(Self.plainView(of: try await transition(operation, event), at: clock.now))
        } catch is OperationMachine.TransitionError {
            let current = cache.card(publicID)?.operation ?? operation
            return .current(Self.plainView(of: current, at: clock.now))
        }
    }

    /// Returns the operation's state as a view without tokens.
    private static func plainView(of operation: Operation, at now: Instant) -> PollView {
        let timeLeft = max(.zero, operation.validity.deadline - now)
        return switch operation.state {
        case .created: .pending(hint: .created, seq: operation.seq, timeLeft: timeLeft)
        case .opened: .pending(hint: .linkOpened, seq: operation.seq, timeLeft: timeLeft)
        case .pending(let scan): .pending(hint: PendingHint(scan.progress), seq: operation.seq, timeLeft: timeLeft)
        case .approved: .pending(hint: .processing, seq: operation.seq, timeLeft: timeLeft)
        case .redeemed, .closed: .delivered(seq: operation.seq)
        case .failed(let code, _): .failed(code, seq: operation.seq)
        }
    }
}

extension OperationService {
    /// Ends an operation by its row id, for an operator.
    /// - Returns: The operation in its current state, or `nil` if it is unknown.
    package func cancel(row: OperationRowID) async throws -> Operation? {
        guard let operation = try await ports.store.find(row: row) else { return nil }
        do {
            return try await transition(operation, .cancelRequested)
        } catch is OperationMachine.TransitionError {
            return try await ports.store.find(row: row)
        }
    }

    /// Longer than the three windows of a login together, each of which is at most 15 minutes.
    private static let longestLife = Duration.seconds(2 * 3600)

    /// Returns the newest operations, for an operator.
    ///
    /// A search for live ones that few match is answered by the cache, because the store would read all rows for it.
    /// One that many match finds its page among the first rows. A daemon with others, or a command without a daemon,
    /// has not all live ones in its cache, and looks for them among the rows of the last two hours.
    package func list(_ filter: OperationFilter) async throws -> [Operation] {
        guard !filter.states.isEmpty, !filter.states.contains(where: \.isTerminal) else {
            return try await ports.store.list(filter)
        }
        var filter = filter
        filter.since = environment.now() - Self.longestLife
        let isWhole = !ports.nodes.isShared && cache.count > 0
        if isWhole, let few = cache.search(filter, most: Self.mostSearched) { return few }
        return try await ports.store.list(filter)
    }

    /// The most matches in the cache that are sorted for a search.
    private static let mostSearched = 10_000

    /// Returns one operation by its row id.
    package func show(_ row: OperationRowID) async throws -> Operation? { try await ports.store.find(row: row) }
}
