package import Accounts
import Audit
package import Devices
package import Kernel
import OAuth
package import Operations
package import Passkeys
package import Tokens

/// Carries out what the command line asks: in the daemon, or in the command's own process while no daemon runs.
package struct Administration: Sendable {
    /// After which no further line of an import is begun, so that whoever waits is told how far it is.
    static let importTime: Duration = .seconds(15)

    private let accounts: AccountDesk
    private let operations: OperationDesk
    private let devices: OwnedDevices
    private let passkeys: OwnedPasskeys
    private let sessions: SessionAdministration
    private let keys: KeyRing
    private let facts: Facts
    private let audit: any AuditAdministration
    let mail: any MailAdministration
    private let clients: ClientAdministration
    private let providers: @Sendable () -> [AdminReply.ProviderView]
    private let recordKeys: @Sendable () async -> Void

    /// `recordKeys`: puts on record what has become of keys; what can't be written waits, for the key has changed.
    package init(
        accounts: AccountDesk,
        operations: OperationDesk,
        devices: OwnedDevices,
        passkeys: OwnedPasskeys,
        sessions: SessionAdministration,
        keys: KeyRing,
        facts: Facts,
        audit: any AuditAdministration,
        mail: any MailAdministration,
        clients: ClientAdministration,
        providers: @escaping @Sendable () -> [AdminReply.ProviderView] = { [] },
        recordKeys: @escaping @Sendable () async -> Void
    ) {
        self.accounts = accounts
        self.operations = operations
        self.devices = devices
        self.passkeys = passkeys
        self.sessions = sessions
        self.keys = keys
        self.facts = facts
        self.audit = audit
        self.mail = mail
        self.clients = clients
        self.providers = providers
        self.recordKeys = recordKeys
    }

    /// The answer to one request.
    ///
    /// Expected faults are answers; what is thrown is the store's or the keys' fault.
    package func handle(_ request: AdminRequest) async throws -> AdminReply {
        do {
            return try await carryOut(request)
        } catch let fault as AccountFault {
            return .fault(code: fault.code, message: fault.message)
        } catch let fault as ClientFault {
            return .fault(code: fault.code, message: fault.message)
        } catch let fault as KeyFault {
            return .fault(code: fault.code, message: "\(fault)")
        } catch let missing as AuditEndMissing {
            return .fault(code: "audit_end_missing", message: "\(missing)")
        } catch let rewritten as AuditRewritten {
            return .fault(code: "audit_rewritten", message: "\(rewritten)")
        } catch let forged as AuditCheckpointForged {
            return .fault(code: "audit_checkpoint_forged", message: "\(forged)")
        } catch let missing as AuditCheckpointsMissing {
            return .fault(code: "audit_checkpoints_missing", message: "\(missing)")
        } catch let there as AuditCheckpointsThere {
            return .fault(code: "audit_checkpoints_there", message: "\(there)")
        } catch let failure as StoreFailure {
            return .fault(code: "store_unavailable", message: "The database can't be used: \(failure)")
        }
    }

    private func carryOut(_ request: AdminRequest) async throws -> AdminReply {
        switch request {
        case .addAccount(let order): return .account(.init(try await add(order)))
        case .importAccounts(let lines): return .imported(try await importAccounts(lines))
        case .listAccounts(let limit):
            return .accounts(try await accounts.list(limit: limit).map { .init($0) })
        case .showAccount(let name): return .account(.init(try await accounts.show(name)))
        case .disableAccount(let name): return .account(.init(try await accounts.disable(name)))
        case .enableAccount(let name): return .account(.init(try await accounts.enable(name)))
        case .changeAccount(let name, let amendment):
            return .account(.init(try await accounts.change(name, AccountChange(amendment))))
        case .enrollAccount(let name, let provider, let reference):
            return .account(
                .init(try await accounts.enroll(name, at: provider, providerAccount: reference))
            )
        case .listOperations(let account, let states, let limit):
            return try await list(account: account, states: states, limit: limit)
        case .showOperation(let row): return try await operation(row) { try await operations.show($0) }
        case .cancelOperation(let row): return try await operation(row) { try await operations.cancel(row: $0) }
        case .listDevices(let account):
            let id = try await accounts.show(account).account.id
            return .devices(try await devices.list(of: id, client: nil).map { .init($0) })
        case .revokeDevice(let device): return try await revoke(device: device)
        case .listPasskeys(let account):
            let id = try await accounts.show(account).account.id
            return .passkeys(try await passkeys.list(of: id).map { .init($0) })
        case .removePasskey(let passkey): return try await remove(passkey: passkey)
        case .listProviders: return .providers(providers())
        case .listSessions(let account, let limit): return try await sessions.list(of: account, limit: limit)
        case .revokeSession(let id): return try await sessions.revoke(id)
        case .revokeSessions(let account): return try await sessions.revokeAll(of: account)
        case .listKeys: return .keys(keys.keys.map { .init($0) })
        case .rotateKeys(let unannounced):
            try keys.rotate(now: facts.now(), unannounced: unannounced)
            await recordKeys()
            return .keys(keys.keys.map { .init($0) })
        case .retireKey(let kid):
            try keys.retire(kid, now: facts.now())
            await recordKeys()
            return .keys(keys.keys.map { .init($0) })
        case .verifyAudit(let lines): return .audit(.init(try await audit.verify(against: lines)))
        case .listAudit(let limit): return .auditRows(try await audit.newest(limit).map { .init($0) })
        case .checkpointAudit(let isAnew):
            guard let line = try await audit.checkpoint(isAnew: isAnew) else {
                return .fault(code: "audit_empty", message: "The audit has no rows yet.")
            }
            return .text(line)
        case .auditKey: return .text(audit.publicKey)
        case .listMail(let states, let limit): return try await listMail(states: states, limit: limit)
        case .flushMail: return try await flushMail()
        case .testMail(let address, let language): return try await testMail(to: address, language: language)
        case .addClient(let order): return try await clients.add(order)
        case .listClients: return try await clients.list()
        case .showClient(let id): return try await clients.show(id)
        case .rotateClientSecret(let id, let overlap): return try await clients.rotate(id, overlapSeconds: overlap)
        case .disableClient(let id): return try await clients.setEnabled(id, false)
        case .enableClient(let id): return try await clients.setEnabled(id, true)
        case .signOutClient(let id): return try await clients.signOut(id)
        case .openClientRegistration(let uses, let seconds):
            return try await clients.openRegistration(uses: uses, seconds: seconds)
        }
    }

    private func add(_ order: AdminRequest.AccountOrder) async throws -> AccountRecord {
        try await accounts.add(
            NewAccount(
                email: order.email,
                name: order.name,
                attributes: try AccountAttributes(parsing: order.attributes),
                enroll: order.enroll,
                providerAccount: order.providerAccount,
                password: order.password.map(Secret.init)
            )
        )
    }

    /// Adds line by line: one line's fault does not keep out the others.
    ///
    /// Stops, with at least one line done, when the time is up or the store fails.
    private func importAccounts(_ lines: [AdminRequest.ImportLine]) async throws -> AdminReply.ImportView {
        let end = facts.clock.now + Self.importTime
        var view = AdminReply.ImportView()
        for line in lines {
            guard view.done == 0 || facts.clock.now < end else { break }
            do {
                _ = try await add(line.order)
                view.added += 1
            } catch let fault as AccountFault {
                view.faults.append(AccountFault.badImport(line: line.number, reason: fault.message).message)
            } catch  where view.done > 0 {
                // Said when this line is sent again and is the first.
                return view
            }
            view.done += 1
        }
        return view
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

    private func revoke(device: String) async throws -> AdminReply {
        guard let id = DeviceID(parsing: device), let revoked = try await devices.revoke(id) else {
            return .fault(
                code: "device_not_found",
                message: "There is no device \(device) with an owner; `devices list WHO` shows those of an account."
            )
        }
        return .text(revoked.id.description)
    }

    private func remove(passkey: String) async throws -> AdminReply {
        guard let id = PasskeyID(parsing: passkey), let removed = try await passkeys.remove(id) else {
            return .fault(
                code: "passkey_not_found",
                message: "There is no passkey \(passkey); `passkeys list WHO` shows those of an account."
            )
        }
        return .text(removed.id.description)
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
        var view = AdminReply.OperationView(operation)
        view.progress = .init(operations.progress(of: operation))
        return .operation(view)
    }
}

extension AccountChange {
    fileprivate init(_ amendment: AdminRequest.AccountAmendment) {
        self.init(
            name: amendment.name,
            email: amendment.email,
            attributes: amendment.attributes,
            password: amendment.password.map { Secret($0) }
        )
    }
}

extension KeyFault {
    /// Stable, for scripts.
    fileprivate var code: String {
        guard case .refused(let refusal) = self else { return "keys_unavailable" }
        return switch refusal {
        case .unknownKey: "key_not_found"
        case .activeKey: "key_active"
        case .retiredAlready: "key_retired"
        case .notAnnounced: "key_not_announced"
        }
    }
}
