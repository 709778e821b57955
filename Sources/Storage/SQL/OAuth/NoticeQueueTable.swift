import Kernel
import OAuth

/// A table with a queue of notices to clients, for the reads and writes that operators ask for.
///
/// All names are literals of this program.
struct NoticeQueueTable: Sendable {
    let name: String
    /// The columns of which a notice is read.
    let columns: String
    /// The column of the time at which a notice is due; a row without one has no notice.
    let due: String
    /// The column of the lease under which a notice is delivered.
    let lease: String
    /// The column of a notice's subject, and what kind of id that is.
    let subject: (column: String, kind: IDKind)

    /// Returns a page of the notices that wait, in the order of ``WaitingNoticeStore``.
    func waiting(
        for client: String?,
        after position: NoticePosition?,
        limit: Int,
        in transaction: borrowing Transaction,
        read: (inout ColumnReader) throws -> WaitingNotice
    ) throws -> [WaitingNotice] {
        let page = page(of: client, after: position, limit: limit)
        return try transaction.connection().all(page.text, page.values, read: read)
    }

    /// Makes the notices due now that are not due and that nobody is delivering; returns their number.
    func expedite(at now: Instant, in transaction: borrowing Transaction) throws -> Int {
        try transaction.connection().change(
            "UPDATE \(name) SET \(due) = ? WHERE \(due) > ? AND \(lease) IS NULL",
            [now.column, now.column]
        )
    }

    /// Writes the query for a page of notices that wait; `client`: `nil` for those of all.
    func page(
        of client: String?,
        after position: NoticePosition?,
        limit: Int
    ) -> (text: String, values: [ColumnValue]) {
        var conditions = ["\(due) IS NOT NULL"]
        var values: [ColumnValue] = []
        if let client {
            conditions.append("client = ?")
            values.append(client.column)
        }
        if let position {
            conditions.append("(\(due), \(subject.column)) > (?, ?)")
            // The order is that of the stored form, to which the engine brings an id.
            let id = UUIDBits(position.subject).map { ColumnValue.id($0, subject.kind) }
            values += [position.dueAt.column, id ?? .text("")]
        }
        let text = """
            SELECT \(columns) FROM \(name)
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(due), \(subject.column) LIMIT ?
            """
        return (text, values + [limit.column])
    }
}
