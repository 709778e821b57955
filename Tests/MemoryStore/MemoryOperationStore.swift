package import Kernel
package import Operations

/// Operations in memory.
package struct MemoryOperationStore: OperationStore {
    let connection: MemoryConnection

    package func insert(_ operation: Operation, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        draft.tally.writes += 1
        let isTaken = draft.tables.operations.values.contains {
            $0.id == operation.id
        }
        guard !isTaken else { throw StoreError.conflict(cause: "an operation with that id exists") }
        draft.write(operation, over: nil)
    }

    package func update(_ operation: Operation, over seq: Int64, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        draft.tally.writes += 1
        guard let old = draft.tables.operations[operation.id], old.seq == seq else { return false }
        draft.write(old.credentials.isBound ? operation.bound() : operation, over: old)
        return true
    }

    package func bind(_ operations: Set<OperationRowID>, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        draft.tally.writes += operations.count
        for id in operations {
            if let operation = draft.tables.operations[id] { draft.tables.operations[id] = operation.bound() }
        }
    }

    package func claim(
        _ scan: Digest256,
        for operation: OperationRowID,
        face: String?,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        draft.tally.writes += 1
        guard draft.tables.scans[scan] == nil else { return false }
        draft.tables.scans[scan] = operation
        draft.tables.scannedFaces[scan] = face
        return true
    }

    package func face(of scan: Digest256, in transaction: borrowing Transaction) throws -> String? {
        try transaction.draft().tables.scannedFaces[scan]
    }

    package func claimant(of scan: Digest256, in transaction: borrowing Transaction) throws -> OperationRowID? {
        try transaction.draft().tables.scans[scan]
    }

    package func findEnded(publicID: Digest256) async throws -> Operation? {
        try await connection.read { tables in
            tables.operations.values.first { $0.credentials.publicID == publicID && $0.state.isTerminal }
        }
    }

    package func find(row: OperationRowID) async throws -> Operation? {
        try await connection.read { $0.operations[row] }
    }

    package func find(row: OperationRowID, in transaction: borrowing Transaction) throws -> Operation? {
        try transaction.draft().tables.operations[row]
    }

    package func following(_ row: OperationRowID?, endedAfter: Instant, limit: Int) async throws -> [Operation] {
        try await connection.read { tables in
            let wanted = tables.operations.values.filter { operation in
                row.map { $0.bits < operation.id.bits } ?? true
                    && operation.state.endedAt.map { $0 >= endedAfter } ?? true
            }
            return Array(wanted.sorted { $0.id.bits < $1.id.bits }.prefix(limit))
        }
    }

    package func live(of node: NodeName, after row: OperationRowID?, limit: Int) async throws -> [Operation] {
        try await connection.read { tables in
            let wanted = tables.operations.values.filter { operation in
                row.map { $0.bits < operation.id.bits } ?? true
                    && operation.version.writer == node && !operation.state.isTerminal
            }
            return Array(wanted.sorted { $0.id.bits < $1.id.bits }.prefix(limit))
        }
    }

    package func liveVersions(
        of node: NodeName,
        after row: OperationRowID?,
        limit: Int
    ) async throws -> [StoredVersion] {
        try await live(of: node, after: row, limit: limit).map {
            StoredVersion(row: $0.id, publicID: $0.credentials.publicID, seq: $0.seq)
        }
    }

    package func live(ofClient client: String, after last: Operation?, limit: Int) async throws -> [Operation] {
        try await connection.read { tables in
            let place = { (operation: Operation) in (operation.version.writer.text, operation.id.bits) }
            let wanted = tables.operations.values.filter { operation in
                let policy = operation.request.policy
                return last.map { place($0) < place(operation) } ?? true
                    && (policy.clientID == client || policy.landing.signsInTo != nil) && !operation.state.isTerminal
            }
            return Array(wanted.sorted { place($0) < place($1) }.prefix(limit))
        }
    }

    package func live(ofAccount account: AccountID, in transaction: borrowing Transaction) throws -> [Operation] {
        try transaction.draft().tables.operations.values
            .filter { $0.request.account == account && !$0.state.isTerminal }
            .sorted { $0.id.bits < $1.id.bits }
    }

    package func find(publicID: Digest256) async throws -> Operation? {
        try await connection.read { tables in
            tables.operations.values.first { $0.credentials.publicID == publicID }
        }
    }

    package func find(ticket: Digest256) async throws -> (operation: Operation, browser: Digest256?)? {
        try await connection.read { tables in
            guard let operation = tables.operations.values.first(where: { $0.credentials.ticket == ticket }) else {
                return nil
            }
            let browser = tables.scanBrowsers[operation.id]
            return operation.state.isTerminal && browser == nil ? nil : (operation, browser)
        }
    }

    package func list(_ filter: OperationFilter) async throws -> [Operation] {
        try await connection.read { tables in
            let wanted = tables.operations.values.filter { operation in
                filter.account.map { $0 == operation.request.account } ?? true
                    && filter.client.map { $0 == operation.request.policy.clientID } ?? true
                    && filter.after.map { $0.precedes(operation) } ?? true
                    && filter.since.map { $0 <= operation.validity.createdAt } ?? true
                    && (filter.states.isEmpty || filter.states.contains(operation.state.name))
            }
            let sorted = wanted.sorted { ($1.validity.createdAt, $0.id.bits) < ($0.validity.createdAt, $1.id.bits) }
            return Array(sorted.prefix(filter.limit))
        }
    }

    package func listEnded(of account: AccountID, limit: Int) async throws -> [Operation] {
        try await newest(limit) { operation in
            operation.request.account == account && operation.request.purpose.kind != .enroll
                && operation.cameToSomething
        }
    }

    package func listEnrolments(_ filter: EnrolmentFilter) async throws -> [Operation] {
        try await newest(filter.limit) { operation in
            guard operation.request.account == filter.account, operation.request.purpose.kind == .enroll,
                filter.provider.map({ $0 == operation.provider }) ?? true
            else { return false }
            switch (filter.outcome, operation.state) {
            case (.any, _): return operation.cameToSomething
            case (.completed, .closed): return true
            case (.completedWithin(let after, let until), .closed(let closure)):
                return after < closure.at && closure.at <= until
            case (.completed, _), (.completedWithin, _): return false
            }
        }
    }

    private func newest(
        _ limit: Int,
        where isWanted: @escaping @Sendable (Operation) -> Bool
    ) async throws -> [Operation] {
        try await connection.read { tables in
            let sorted = tables.operations.values.filter(isWanted)
                .sorted { ($1.validity.createdAt, $0.id.bits) < ($0.validity.createdAt, $1.id.bits) }
            return Array(sorted.prefix(limit))
        }
    }
}

extension Operation {
    /// Whether it has ended, and not for want of anybody.
    fileprivate var cameToSomething: Bool {
        guard state.isTerminal else { return false }
        return switch state {
        case .failed(.expired, _), .failed(.canceled, _), .failed(.superseded, _): false
        case .created, .opened, .pending, .approved, .redeemed, .closed, .failed: true
        }
    }
}

extension OperationFilter.Position {
    /// Whether the operation comes after this place in the list.
    fileprivate func precedes(_ operation: Operation) -> Bool {
        (operation.validity.createdAt, id.bits) < (createdAt, operation.id.bits)
    }
}
