package import Kernel

/// What became of an acknowledgement or a cancellation.
package enum EndOutcome: Sendable, Equatable {
    /// There is no such operation.
    case unknown
    /// The caller does not prove that it may.
    case unauthorized
    /// Where the operation stands now; also when there was nothing left to end.
    case current(PollView)
}

extension OperationService {
    /// The caller has the tokens: no grant is handed out again.
    package func acknowledge(_ publicID: Digest256, _ caller: Caller) async throws -> EndOutcome {
        try await end(publicID, with: .acknowledged, by: caller, refusing: .acknowledgeUnproven)
    }

    /// The caller gave up.
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

    /// Where it stands, without tokens.
    private static func plainView(of operation: Operation, at now: Instant) -> PollView {
        let timeLeft = max(.zero, operation.deadline - now)
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
    /// An operator ends an operation by its row id.
    /// - Returns: the operation as it stands now, or `nil` if there is none.
    package func cancel(row: OperationRowID) async throws -> Operation? {
        guard let operation = try await store.find(row: row) else { return nil }
        do {
            return try await transition(operation, .cancelRequested)
        } catch is OperationMachine.TransitionError {
            return try await store.find(row: row)
        }
    }

    /// The newest operations for an operator.
    package func list(_ filter: OperationFilter) async throws -> [Operation] { try await store.list(filter) }

    /// One operation by its row id.
    package func show(_ row: OperationRowID) async throws -> Operation? { try await store.find(row: row) }
}
