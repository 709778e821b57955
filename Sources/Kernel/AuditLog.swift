/// The name of an event in the audit log, like `account.disabled`.
///
/// Each module declares its own events.
package protocol AuditEvent: RawRepresentable<String>, Sendable {}

/// An entry for the audit log, as the module of the event writes it.
///
/// Holds no secret.
package struct AuditRecord: Sendable, Hashable {
    package let event: String
    /// The thing that the event happened to: an operation's row id, an account's id; `nil` for the node itself.
    package let subject: String?
    package let account: AccountID?
    package let detail: String?
    /// The time of the event; `nil` for the time at which the entry is written.
    package let at: Instant?

    /// Creates a record of an event whose subject may belong to an account.
    package init(
        _ event: some AuditEvent,
        of subject: (any CustomStringConvertible)?,
        account: AccountID?,
        detail: String? = nil,
        at: Instant? = nil
    ) {
        self.event = event.rawValue
        self.subject = subject?.description
        self.account = account
        self.detail = detail
        self.at = at
    }

    /// Creates a record of an event whose subject is an account.
    package init(_ event: some AuditEvent, of account: AccountID, detail: String? = nil) {
        self.init(event, of: account, account: account, detail: detail)
    }
}

/// Port: the audit log.
package protocol AuditLog: Sendable {
    /// Writes the record in the same unit of work as the change that it records.
    func append(_ record: AuditRecord, in transaction: borrowing Transaction) throws
}
