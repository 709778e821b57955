package import Kernel

/// A filter of the audit's rows, for operators.
package struct AuditFilter: Sendable, Equatable {
    /// An event's name, or the first part of some names with a full stop at its end, like `account.`.
    package var event: String?
    /// The id of the events' subject.
    package var subject: String?
    package var account: AccountID?
    /// The time of the oldest row.
    package var since: Instant?
    /// The time of the newest row.
    package var until: Instant?

    package init(
        event: String? = nil,
        subject: String? = nil,
        account: AccountID? = nil,
        since: Instant? = nil,
        until: Instant? = nil
    ) {
        self.event = event
        self.subject = subject
        self.account = account
        self.since = since
        self.until = until
    }
}

extension AuditChain {
    /// The most rows of one chain that one search reads.
    static let mostSearched: Int64 = 200_000
    /// The time by which the times of neighbouring rows may be out of order.
    private static let disorder: Duration = .seconds(10)

    /// Returns the newest rows that pass the filter, the last first.
    ///
    /// Rows are in the order of their time, so that the time range is found by halving, without an index: one more
    /// index would cost each login a page. Without a range the newest ``mostSearched`` rows of each chain are searched.
    package func search(_ filter: AuditFilter, limit: Int) async throws -> [AuditRow] {
        var rows: [AuditRow] = []
        for name in try await names() {
            guard let numbers = try await range(of: filter, in: name) else { continue }
            rows += try await store.newest(of: name, in: numbers, matching: filter, limit: limit)
        }
        // Rows of one moment keep the order of their chain.
        rows.sort { ($0.entry.at, $0.node, $0.number) > ($1.entry.at, $1.node, $1.number) }
        return Array(rows.prefix(limit))
    }

    /// Returns the numbers of the rows among which those of the filter are; `nil` if there are none.
    private func range(of filter: AuditFilter, in name: String) async throws -> ClosedRange<Int64>? {
        guard let last = try await store.newest(of: name, limit: 1).first?.number,
            let first = try await store.rows(of: name, from: 0, limit: 1).first?.number
        else { return nil }
        var end = last
        if let until = filter.until {
            end = try await number(after: until + Self.disorder, in: name, first...last)
        }
        var start = first
        if let since = filter.since {
            start = try await number(after: since - Self.disorder, in: name, first...last)
        }
        start = max(start, end - Self.mostSearched + 1)
        return start <= end ? start...end : nil
    }

    /// Returns the number of the first row after an instant, or the last number.
    private func number(
        after instant: Instant,
        in name: String,
        _ numbers: ClosedRange<Int64>
    ) async throws -> Int64 {
        var (low, high) = (numbers.lowerBound, numbers.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            guard let row = try await store.rows(of: name, from: middle, limit: 1).first else { return high }
            if row.entry.at > instant { high = middle } else { low = max(middle, row.number) + 1 }
        }
        return min(low, numbers.upperBound)
    }
}
