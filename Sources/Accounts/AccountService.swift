// Accounts: people, their addresses, passwords and enrolments.
// Owns accounts, user names, mailed codes and address proofs, lockouts, and notices by mail.
// Opens no session and sends no mail: SignIn and Mail do.
// Survives guessing: tries are counted, separately for each of the owner's devices.
// The owner of a mailbox gets an address back that an attacker has claimed.

package import Kernel

/// A request to add an account.
package struct NewAccount: Sendable, Equatable {
    package var email: String?
    package var name: String
    package var attributes: AccountAttributes
    /// The providers to create an account at, separated by commas.
    package var enroll: String?
    /// The name of an existing account at the provider; an error unless `enroll` names exactly one provider.
    package var providerAccount: String?
    package var password: Secret?

    package init(
        email: String?,
        name: String,
        attributes: AccountAttributes = .init(),
        enroll: String? = nil,
        providerAccount: String? = nil,
        password: Secret? = nil
    ) {
        self.email = email
        self.name = name
        self.attributes = attributes
        self.enroll = enroll
        self.providerAccount = providerAccount
        self.password = password
    }
}

/// The use cases of accounts.
package final class AccountService: Sendable {
    private let environment: Environment
    let unitOfWork: any UnitOfWork
    let store: any AccountStore
    let auditLog: any AuditLog
    private let directory: any ProviderDirectory
    let passwords: PasswordService
    let access: any AccountAccess

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        store: any AccountStore,
        auditLog: any AuditLog,
        directory: any ProviderDirectory,
        passwords: PasswordService,
        access: any AccountAccess
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
        self.auditLog = auditLog
        self.directory = directory
        self.passwords = passwords
        self.access = access
    }

    /// Adds an account.
    ///
    /// An address that an operator gives counts as verified.
    package func add(_ request: NewAccount) async throws -> AccountRecord {
        let email = try request.email.map { raw throws(AccountError) in
            guard let email = EmailAddress(raw) else { throw .badEmail(raw) }
            return email
        }
        let name = try Account.checked(name: request.name)
        if let email, try await store.find(email: email) != nil { throw AccountError.emailTaken(email.text) }
        var hash: Secret?
        if let password = request.password { hash = try await passwords.hash(password) }
        let enrolments = try await enrol(request, email)
        let account = Account(
            id: environment.newID(),
            displayName: name,
            state: .active,
            attributes: request.attributes,
            createdAt: environment.now()
        )
        let record = AccountRecord(
            account: account,
            emails: email.map { [VerifiedEmail(address: $0, isVerified: true)] } ?? [],
            enrolments: enrolments,
            passwordHash: hash
        )
        try await unitOfWork.run { [store, auditLog] transaction in
            try store.insert(record, in: transaction)
            let detail =
                enrolments.isEmpty ? nil : "enrolled with " + enrolments.map(\.provider).joined(separator: ", ")
            try auditLog.append(AuditRecord(AccountAuditEvent.added, of: account.id, detail: detail), in: transaction)
        }
        return record
    }

    /// Returns the account with that id, address or user name.
    ///
    /// A user name in the form of an address has to have its mark, as it is shown. A plain address is never looked up
    /// as a user name.
    package func show(_ name: String) async throws -> AccountRecord {
        if let id = AccountID(parsing: name), let record = try await store.find(id) { return record }
        if let email = EmailAddress(name), let record = try await store.find(email: email) { return record }
        let plain = Username(name).flatMap { $0.isAddress ? nil : $0 }
        if let username = Username(marked: name) ?? plain,
            let id = try await unitOfWork.read({ [store] in try store.account(named: username, in: $0) }),
            let record = try await store.find(id)
        {
            return record
        }
        throw AccountError.unknownAccount(name)
    }

    /// Returns the account, if it can sign in.
    package func active(_ id: AccountID) async throws -> AccountRecord? {
        try await store.find(id).flatMap { $0.account.state == .active ? $0 : nil }
    }

    /// Returns the account within a unit of work, so that a disabling takes precedence over a concurrent sign-in.
    package func active(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        try store.profile(id, in: transaction).flatMap { $0.account.state == .active ? $0 : nil }
    }

    /// Returns the accounts, the newest first.
    package func list(limit: Int) async throws -> [AccountRecord] { try await store.list(limit: limit) }

    /// Enrols an existing account with another provider, or again after its enrolment was withdrawn.
    ///
    /// A second provider can scan the person while the first is down. The account's name at the provider is stored
    /// before the provider is called, as an inactive enrolment. So no account is created there whose name the database
    /// refuses. A generated name is always new, because the owner may have disowned the face under the previous name.
    ///
    /// `providerAccount`: the account's name at the provider; `nil` creates an account there under a random name.
    package func enroll(_ name: String, at provider: String, providerAccount: String?) async throws -> AccountRecord {
        let record = try await show(name)
        guard directory.providers.contains(provider) else { throw AccountError.unknownProvider(provider) }
        guard !record.enrolments.contains(where: { $0.provider == provider && $0.isActive }) else {
            throw AccountError.enrolledAlready(provider)
        }
        let reference: String
        if let providerAccount {
            reference = try Self.checked(providerAccount)
        } else {
            reference = environment.newUUID().description
            let announced = Enrolment(provider: provider, reference: reference, isActive: false)
            try await unitOfWork.run { [store] transaction in
                try store.put(announced, of: record.account.id, in: transaction)
            }
            try await directory.create(
                reference: reference,
                displayName: record.account.displayName,
                email: record.emails.first?.address.text,
                at: provider
            )
        }
        let enrolment = Enrolment(provider: provider, reference: reference, isActive: true)
        try await unitOfWork.run { [store, auditLog] transaction in
            try store.put(enrolment, of: record.account.id, in: transaction)
            try auditLog.append(
                AuditRecord(AccountAuditEvent.enrolled, of: record.account.id, detail: "with \(provider)"),
                in: transaction
            )
        }
        return try await show(name)
    }

    /// Disables an account: once this returns, it can't sign in, and no login of it is collected or refreshed.
    ///
    /// A disabled account stays unchanged, without an audit entry.
    package func disable(_ name: String) async throws -> AccountRecord {
        let record = try await show(name)
        try await unitOfWork.run { [store, auditLog, access] transaction in
            guard try store.setState(.disabled, of: record.account.id, in: transaction) else { return }
            try access.endElsewhere(of: record.account.id, except: nil, because: .disabled, in: transaction)
            try auditLog.append(AuditRecord(AccountAuditEvent.disabled, of: record.account.id), in: transaction)
        }
        try await access.settle(record.account.id, because: .disabled)
        return try await show(name)
    }

    /// Enables a disabled account, whose ended sessions stay ended, so that the person signs in again.
    package func enable(_ name: String) async throws -> AccountRecord {
        let record = try await show(name)
        try await unitOfWork.run { [store, auditLog] transaction in
            guard try store.setState(.active, of: record.account.id, in: transaction) else { return }
            try auditLog.append(AuditRecord(AccountAuditEvent.enabled, of: record.account.id), in: transaction)
        }
        return try await show(name)
    }

    private static func checked(_ providerAccount: String) throws(AccountError) -> String {
        guard (1...256).contains(providerAccount.count), !providerAccount.contains(where: \.isNewline) else {
            throw .badProviderAccount
        }
        return providerAccount
    }

    private func enrol(_ request: NewAccount, _ email: EmailAddress?) async throws -> [Enrolment] {
        guard let provider = request.enroll else {
            guard request.providerAccount == nil else { throw AccountError.providerAccountOfNobody }
            return []
        }
        // All names are checked before the first provider is called.
        let names = provider.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        for (index, name) in names.enumerated() {
            let isKnown = directory.providers.contains(name) && !names[..<index].contains(name)
            guard isKnown else { throw AccountError.unknownProvider(name) }
        }
        if let existing = request.providerAccount {
            guard names.count == 1 else { throw AccountError.providerAccountOfNobody }
            return [Enrolment(provider: provider, reference: try Self.checked(existing), isActive: true)]
        }
        var enrolments: [Enrolment] = []
        for name in names {
            let reference = environment.newUUID().description
            try await directory.create(reference: reference, displayName: request.name, email: email?.text, at: name)
            enrolments.append(Enrolment(provider: name, reference: reference, isActive: true))
        }
        return enrolments
    }
}
