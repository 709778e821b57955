package import Kernel
import Synchronization

/// An audit log among the rows of the in-memory store: a unit that fails leaves nothing in it.
package struct MemoryAuditLog: AuditLog {
    package func append(_ record: AuditRecord, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.auditLog.append(record)
    }
}

/// An audit log by itself: its records stay, even if the unit fails.
package final class RecordingAuditLog: AuditLog {
    private let records = Mutex<[AuditRecord]>([])

    package init() {}

    package var all: [AuditRecord] { records.withLock { $0 } }

    package func append(_ record: AuditRecord, in transaction: borrowing Transaction) {
        records.withLock { $0.append(record) }
    }
}

extension Array<AuditRecord> {
    /// Returns the events of that module among them.
    package func events<Event: AuditEvent>(_ type: Event.Type) -> [Event] { compactMap { Event(rawValue: $0.event) } }
}
