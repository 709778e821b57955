import Kernel
import Synchronization

extension OperationCache {
    /// Returns the operations that pass the filter, the newest first, as the store orders them; `nil` if more than
    /// `most` have its states, client, account and start.
    ///
    /// One shard at a time is read, as for ``countsByState``.
    func search(_ filter: OperationFilter, most: Int) -> [Operation]? {
        var found: [CachedOperation] = []
        for shard in allShards {
            shard.entries.withLock { entries in
                for entry in entries.all where filter.selects(entry.card.operation) { found.append(entry.card) }
            }
            guard found.count <= most else { return nil }
        }
        let sorted = found.map { Place(createdAt: $0.operation.validity.createdAt, card: $0) }.sorted()
        let after = filter.after
        return sorted.lazy.map(\.card.operation).filter { after?.precedes($0) ?? true }.prefix(filter.limit).map(\.self)
    }

    private struct Place: Comparable {
        let createdAt: Instant
        let card: CachedOperation

        static func < (left: Self, right: Self) -> Bool {
            left.createdAt == right.createdAt
                ? left.card.operation.id.bits < right.card.operation.id.bits : left.createdAt > right.createdAt
        }

        static func == (left: Self, right: Self) -> Bool { left.card.operation.id == right.card.operation.id }
    }
}

extension OperationFilter {
    /// Whether the operation has one of the states, and the client, the account and the start that are named.
    fileprivate func selects(_ operation: Operation) -> Bool {
        states.contains(operation.state.name)
            && (client.map { $0 == operation.request.policy.clientID } ?? true)
            && (account.map { $0 == operation.request.account } ?? true)
            && (since.map { $0 <= operation.validity.createdAt } ?? true)
    }
}

extension OperationFilter.Position {
    /// Whether an operation comes behind it in the list.
    fileprivate func precedes(_ operation: Operation) -> Bool {
        let start = operation.validity.createdAt
        return start < createdAt || (start == createdAt && id.bits < operation.id.bits)
    }
}
