import Kernel
import Logging

extension OperationDesk {
    /// Takes in what a check learnt.
    ///
    /// A verdict that comes too late, or about an abandoned scan, is put on record and grants nothing.
    package func observe(_ status: ScanStatus, of reference: ProviderReference, for operation: Operation) async throws {
        do {
            _ = try await transition(operation, .observed(status, of: reference))
        } catch let refusal as OperationMachine.Refusal {
            guard status.isVerdict, refusal != .nothingNew else { return }
            // Learnt twice, because the first write was durable though it reported a fault: that is no late verdict.
            if case .approved(let approval) = board.card(operation.publicID)?.operation.state,
                approval.scan == reference, status == .approved
            {
                return
            }
            try await recordLate(status, operation)
        }
    }

    /// Ends whatever time has ended: the deadline, the approval window, the redemption window.
    package func expire(_ operation: Operation) async throws {
        let event: OperationEvent
        switch operation.state {
        case .created, .opened, .pending:
            let isDegraded = board.card(operation.publicID)?.isDegraded ?? false
            event = .deadlineReached(providerReachable: !isDegraded && !health.isDegraded(operation.provider))
        case .approved: event = .approvalWindowEnded
        case .redeemed: event = .redemptionWindowEnded
        case .closed, .failed: return
        }
        do { _ = try await transition(operation, event) } catch is OperationMachine.Refusal {}
    }

    private func recordLate(_ status: ScanStatus, _ operation: Operation) async throws {
        let entry = OperationJournalEntry(
            fact: .lateVerdict,
            operation: operation.id,
            account: operation.account,
            at: clock.now,
            detail: status.auditDetail
        )
        try await unitOfWork.run { [journal] transaction in try journal.record(entry, in: transaction) }
        logger.notice("a verdict came too late", metadata: operation.logged(["verdict": "\(status.auditDetail)"]))
    }
}

extension ScanStatus {
    /// Whether it decides something.
    package var isVerdict: Bool {
        switch self {
        case .approved, .rejected, .expired, .canceled, .broken: true
        case .pending, .unrecognised, .unknownReference: false
        }
    }

    /// The word for it in the audit.
    var auditDetail: String {
        switch self {
        case .pending(let progress): progress.rawValue
        case .approved: "approved"
        case .rejected(let rejection): rejection.failureCode.rawValue
        case .expired: "expired"
        case .canceled: "canceled"
        case .broken: "broken"
        case .unrecognised: "unrecognised"
        case .unknownReference: "unknown_reference"
        }
    }
}
