import Kernel
import Logging

extension OperationService {
    /// Applies the status that a check returned.
    ///
    /// A verdict that comes too late, or is about an abandoned scan, is recorded and grants nothing.
    ///
    /// `operation`: The operation as it was when its provider was called.
    package func observe(_ status: ScanStatus, of reference: ProviderReference, for operation: Operation) async throws {
        do {
            try await take(status, of: reference, for: operation)
        } catch let refusal as OperationMachine.TransitionError {
            let current = cache.card(operation.credentials.publicID)?.operation ?? operation
            guard status.isVerdict, refusal != .nothingNew,
                current.missed(status, of: reference, at: operation.provider, refusal)
            else {
                return
            }
            try await recordLate(status, operation)
        }
    }

    /// Ends an operation whose deadline, approval window or redemption window has passed.
    package func expire(_ operation: Operation) async throws {
        let event: OperationEvent
        switch operation.state {
        case .created, .opened, .pending:
            let contact = cache.card(operation.credentials.publicID)?.lastContact ?? .answered
            // An operation that is still opened after a restart never got its scan. The provider's answer is not
            // stored, so it counts as silence: an outage must not look like the person's delay.
            let isForgotten = operation.state.name == .opened && cache.isForgotten(operation.credentials.publicID)
            let isOutage = contact == .answered && (isForgotten || providers.health.isDegraded(operation.provider))
            event = .deadlineReached(after: isOutage ? .failed : contact)
        case .approved: event = .approvalWindowEnded
        case .redeemed: event = .redemptionWindowEnded
        case .closed, .failed: return
        }
        do { _ = try await transition(operation, event) } catch is OperationMachine.TransitionError {}
    }

    private func recordLate(_ status: ScanStatus, _ operation: Operation) async throws {
        let entry = AuditRecord(.lateVerdict, of: operation, at: clock.now, detail: status.auditDetail)
        try await ports.record(entry)
        reports.logger.notice(
            "a verdict came too late: its operation had ended",
            metadata: operation.logged(["verdict": "\(status.auditDetail)"])
        )
    }
}

extension Operation {
    /// Whether the verdict came too late for the operation, or is about an abandoned scan.
    ///
    /// The verdict that decided may arrive twice: from two checks, or after a write that was durable although it
    /// reported an error. That is not late.
    fileprivate func missed(
        _ verdict: ScanStatus,
        of reference: ProviderReference,
        at provider: ProviderName,
        _ refusal: OperationMachine.TransitionError
    ) -> Bool {
        let isElsewhere = provider != self.provider
        return switch state {
        case .created, .opened: true
        case .pending(let scan): isElsewhere || scan.reference != reference || refusal == .tooLate
        case .approved(let approval): isElsewhere || approval.scan != reference
        // A verdict on the operation's own scan has decided.
        case .redeemed, .closed: false
        case .failed(.tooManyAttempts, _) where binding.wrongNumbers == OperationBinding.maximumWrongNumbers: true
        case .failed(let code, _): code != verdict.failureCode && !code.isVerdictOnPerson
        }
    }
}

extension ScanStatus {
    /// Whether the status ends the scan.
    package var isVerdict: Bool {
        switch self {
        case .approved, .rejected, .expired, .canceled, .broken: true
        case .pending, .unrecognised, .nonsense, .unknownReference: false
        }
    }

    /// The code with which an operation fails because of the status.
    fileprivate var failureCode: FailureCode? {
        switch self {
        case .rejected(let rejection): rejection.failureCode
        case .expired: .expired
        case .canceled: .canceled
        case .broken: .providerError
        case .approved, .pending, .unrecognised, .nonsense, .unknownReference: nil
        }
    }

    /// The status as the audit names it.
    var auditDetail: String {
        switch self {
        case .pending(let progress): progress.rawValue
        case .approved: "approved"
        case .rejected(let rejection): rejection.failureCode.rawValue
        case .expired: "expired"
        case .canceled: "canceled"
        case .broken: "broken"
        case .unrecognised: "unrecognised"
        case .nonsense: "nonsense"
        case .unknownReference: "unknown_reference"
        }
    }
}
