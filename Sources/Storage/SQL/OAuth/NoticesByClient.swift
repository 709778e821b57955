import Kernel
import OAuth

/// What the queues of notices to clients share: a claim client by client.
enum NoticesByClient {
    /// A notice that is due, with the time since when it is.
    typealias Due<Notice> = (since: Instant, notice: Notice)

    /// Claims the notices that have been due longest, within the capacity.
    ///
    /// One client after the other is read, so that the cost depends on the number of clients and not on their queued
    /// notices.
    ///
    /// - Parameters:
    ///   - capacity: How many may be claimed, in all and for each client.
    ///   - writer: The connection of the unit of work.
    ///   - clients: The query for the next client, by id, that has a queued notice.
    ///   - client: Returns the client of a notice.
    ///   - precedes: The order of notices that are due since the same time.
    ///   - due: Returns the notices to one client that have been due longest.
    ///   - mark: Claims a notice; returns `false` if it is no longer due since that time.
    /// - Returns: The claimed notices, the longest due first.
    /// - Throws: The error of a query.
    static func claim<Notice>(
        _ capacity: DeliveryCapacity,
        _ writer: SQLConnection,
        clients: String,
        client: (Notice) -> String,
        precedes: (Notice, Notice) -> Bool,
        due: (_ client: String, _ limit: Int) throws -> [Due<Notice>],
        mark: (Due<Notice>) throws -> Bool
    ) throws -> [Notice] {
        var all: [Due<Notice>] = []
        var name = ""
        while let next = try writer.first(clients, [name.column], read: { try $0.text("client") }) {
            let left = capacity.left(for: next)
            if left > 0 { all += try due(next, left) }
            name = next
        }
        all.sort { left, right in
            left.since == right.since ? precedes(left.notice, right.notice) : left.since < right.since
        }
        // Another daemon may have claimed one since the read: a claim changes the due time.
        return try capacity.first(of: all) { client($0.notice) }.filter(mark).map(\.notice)
    }
}
