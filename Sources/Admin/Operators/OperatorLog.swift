package import Kernel

/// The audit of what operators do.
package struct OperatorLog: Sendable {
    private let unitOfWork: any UnitOfWork
    private let auditLog: any AuditLog

    package init(unitOfWork: any UnitOfWork, auditLog: any AuditLog) {
        self.unitOfWork = unitOfWork
        self.auditLog = auditLog
    }

    /// Writes who runs a command, before it is run.
    func note<Command: AdminCommand>(_ command: Command, by who: Operator) async throws {
        guard command.isRecorded else { return }
        let detail = [Command.name, command.target].compactMap(\.self).joined(separator: " ")
        try await unitOfWork.run { [auditLog] transaction in
            try auditLog.append(
                AuditRecord(OperatorAuditEvent.commanded, of: who, account: nil, detail: detail),
                in: transaction
            )
        }
    }
}

/// The audit events of operators; the subject is the user of the machine, with the number.
package enum OperatorAuditEvent: String, AuditEvent {
    /// An operator ran a command that changes something, over the admin socket.
    ///
    /// Detail: The command's name on the socket, then the id of what it is about, if that is not a person.
    case commanded = "operator.commanded"
}
