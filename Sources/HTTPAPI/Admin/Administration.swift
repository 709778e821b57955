package import Accounts
package import Kernel
package import Operations
package import Tokens

/// Carries out what the command line asks: in the daemon, or in the command's own process while no daemon runs.
package struct Administration: Sendable {
    private let accounts: AccountDesk
    private let operations: OperationDesk
    private let keys: KeyRing
    private let facts: Facts
    private let recordRotation: @Sendable (KeyID) async throws -> Void

    package init(
        accounts: AccountDesk,
        operations: OperationDesk,
        keys: KeyRing,
        facts: Facts,
        recordRotation: @escaping @Sendable (KeyID) async throws -> Void
    ) {
        self.accounts = accounts
        self.operations = operations
        self.keys = keys
        self.facts = facts
        self.recordRotation = recordRotation
    }

    /// The answer to one request.
    ///
    /// Expected faults are answers; what is thrown is the store's or the keys' fault.
    package func handle(_ request: AdminRequest) async throws -> AdminReply {
        do {
            return try await carryOut(request)
        } catch let fault as AccountFault {
            return .fault(code: fault.code, message: fault.message)
        } catch let faults as AccountImportFaults {
            return .imported(.init(added: 0, faults: faults.faults.map(\.message)))
        } catch let fault as KeyFault {
            return .fault(code: "keys_unavailable", message: "\(fault)")
        } catch let failure as StoreFailure {
            return .fault(code: "store_unavailable", message: "The database can't be used: \(failure)")
        }
    }

    private func carryOut(_ request: AdminRequest) async throws -> AdminReply {
        switch request {
        case .addAccount(let order): return .account(.init(try await add(order)))
        case .importAccounts(let csv): return .imported(try await importAccounts(csv))
        case .listAccounts(let limit):
            return .accounts(try await accounts.list(limit: limit).map { .init($0) })
        case .showAccount(let name): return .account(.init(try await accounts.show(name)))
        case .disableAccount(let name): return .account(.init(try await accounts.disable(name)))
        case .listOperations(let account, let states, let limit):
            return try await list(account: account, states: states, limit: limit)
        case .showOperation(let row): return try await operation(row) { try await operations.show($0) }
        case .cancelOperation(let row): return try await operation(row) { try await operations.cancel(row: $0) }
        case .listKeys: return .keys(keys.snapshot.keys.map { .init($0) })
        case .rotateKeys:
            try await recordRotation(try keys.rotate(now: facts.now()))
            return .keys(keys.snapshot.keys.map { .init($0) })
        }
    }

    private func add(_ order: AdminRequest.AccountOrder) async throws -> AccountRecord {
        try await accounts.add(
            NewAccount(
                email: order.email,
                name: order.name,
                attributes: try AccountAttributes(parsing: order.attributes),
                enroll: order.enroll,
                password: order.password.map(Secret.init)
            )
        )
    }

    /// Adds line by line: one line's fault does not keep out the others.
    private func importAccounts(_ csv: String) async throws -> AdminReply.ImportView {
        var added = 0
        var faults: [String] = []
        for line in try AccountImport.parse(csv) {
            do {
                _ = try await accounts.add(line.order)
                added += 1
            } catch let fault as AccountFault {
                faults.append(AccountFault.badImport(line: line.number, reason: fault.message).message)
            }
        }
        return .init(added: added, faults: faults)
    }

    private func list(account: String?, states: [String], limit: Int) async throws -> AdminReply {
        var filter = OperationFilter(limit: limit)
        if let account { filter.account = try await accounts.show(account).account.id }
        for name in states {
            guard let state = OperationState.Name(rawValue: name) else {
                let known = OperationState.Name.allCases.map(\.rawValue).joined(separator: ", ")
                return .fault(code: "unknown_state", message: "There is no state \(name); there are \(known).")
            }
            filter.states.insert(state)
        }
        return .operations(try await operations.list(filter).map { .init($0) })
    }

    private func operation(
        _ row: String,
        _ find: (OperationRowID) async throws -> Operation?
    ) async throws -> AdminReply {
        guard let id = OperationRowID(parsing: row), let operation = try await find(id) else {
            return .fault(
                code: "operation_not_found",
                message: "There is no operation \(row); `operations list` shows all."
            )
        }
        return .operation(.init(operation))
    }
}
