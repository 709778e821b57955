/// Takes daemons out of their load balancer and back, with a row in the audit for each change.
package struct NodeDraining: Sendable {
    private let registry: any NodeRegistry
    private let unitOfWork: any UnitOfWork
    private let auditLog: any AuditLog

    package init(registry: any NodeRegistry, unitOfWork: any UnitOfWork, auditLog: any AuditLog) {
        self.registry = registry
        self.unitOfWork = unitOfWork
        self.auditLog = auditLog
    }

    /// Sets whether a daemon should leave its load balancer, until it is started again.
    ///
    /// - Parameters:
    ///   - isDraining: Whether it should leave.
    ///   - name: The daemon.
    ///   - asked: The daemon that the operator asked.
    ///   - isLastAllowed: Whether it may leave although no other daemon would serve.
    /// - Throws: ``NodeError``, ``StoreError``.
    package func set(
        _ isDraining: Bool,
        of name: NodeName,
        asked: NodeName,
        isLastAllowed: Bool
    ) async throws {
        try await unitOfWork.run { [registry, auditLog] transaction in
            let isChanged = try registry.setDraining(
                isDraining,
                of: name,
                isLastAllowed: isLastAllowed,
                in: transaction
            )
            guard isChanged else { return }
            let event = isDraining ? NodeAuditEvent.drained : .undrained
            let detail = isDraining && isLastAllowed ? "by \(asked) even as the last" : "by \(asked)"
            try auditLog.append(AuditRecord(event, of: name, account: nil, detail: detail), in: transaction)
        }
    }
}

/// The audit events of daemons; the subject is the daemon's name.
package enum NodeAuditEvent: String, AuditEvent {
    /// An operator took a daemon out of its load balancer.
    ///
    /// Detail: `by` and the daemon that the operator asked, then `even as the last` where that was allowed.
    case drained = "node.drained"
    /// An operator brought a drained daemon back.
    ///
    /// Detail: `by` and the daemon that the operator asked.
    case undrained = "node.undrained"
}
