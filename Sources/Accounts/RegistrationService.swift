package import Kernel

/// The data that a person gives to open an account.
///
/// An operator decides the person's rights (``AccountAttributes``).
package struct Registration: Sendable {
    package let email: String
    package let name: String
    package let password: Secret?

    package init(email: String, name: String, password: Secret?) {
        self.email = email
        self.name = name
        self.password = password
    }
}

/// The use case of opening one's own account.
package struct RegistrationService: Sendable {
    private let environment: Environment
    private let store: any AccountStore
    private let auditLog: any AuditLog
    private let passwords: PasswordService
    /// Whether an address becomes the account's only once it is verified.
    private let claims: Bool

    /// Creates the service.
    ///
    /// `claims`: whether an address only becomes the account's when its owner verifies it. Then opening an account does
    /// not reveal whether the address has one, and an attacker can't occupy the address. Before that nobody can sign in
    /// to the account by the address.
    package init(
        environment: Environment,
        store: any AccountStore,
        auditLog: any AuditLog,
        passwords: PasswordService,
        claims: Bool
    ) {
        self.claims = claims
        self.environment = environment
        self.store = store
        self.auditLog = auditLog
        self.passwords = passwords
    }

    /// Validates the registration, and does the work that needs no database, which is the same for a free and a taken
    /// address.
    ///
    /// - Throws: ``AccountError``; ``PasswordHasherBusyError``.
    package func prepare(_ registration: Registration) async throws -> AccountRecord {
        guard let email = EmailAddress(registration.email) else { throw AccountError.badEmail(registration.email) }
        let name = try Account.checked(name: registration.name)
        var hash: Secret?
        if let password = registration.password { hash = try await passwords.hash(password) }
        return AccountRecord(
            account: Account(
                id: environment.newID(),
                displayName: name,
                state: .active,
                attributes: AccountAttributes(),
                createdAt: environment.now()
            ),
            emails: claims ? [] : [VerifiedEmail(address: email, isVerified: false)],
            claim: claims ? email : nil,
            enrolments: [],
            passwordHash: hash
        )
    }

    /// Opens an account without an address by a name that its owner chose, in the caller's unit of work.
    ///
    /// `name`: the person's display name; a name in the form of an address gets its mark here too.
    ///
    /// - Throws: ``AccountError/usernameTaken``, ``AccountError/badName``.
    package func open(
        _ username: Username,
        called name: String,
        in transaction: borrowing Transaction
    ) throws -> AccountID {
        let account = Account(
            id: environment.newID(),
            displayName: try Account.checked(name: Username.shown(name) ?? name),
            state: .active,
            attributes: AccountAttributes(),
            createdAt: environment.now()
        )
        let record = AccountRecord(account: account, emails: [], username: username, enrolments: [], passwordHash: nil)
        try open(record, in: transaction)
        return account.id
    }

    /// Opens an account with an address that its owner has just proved, in the caller's unit of work.
    ///
    /// Its display name is the beginning of the address.
    ///
    /// - Throws: ``AccountError/badName``; ``AccountError/emailTaken(_:)`` if another account has the address.
    package func open(_ proven: EmailAddress, in transaction: borrowing Transaction) throws -> AccountID {
        let account = Account(
            id: environment.newID(),
            displayName: try Account.checked(name: String(proven.text.prefix { $0 != "@" })),
            state: .active,
            attributes: AccountAttributes(),
            createdAt: environment.now()
        )
        let email = VerifiedEmail(address: proven, isVerified: true)
        try open(AccountRecord(account: account, emails: [email], enrolments: [], passwordHash: nil), in: transaction)
        return account.id
    }

    /// Opens the account with an unverified address, in the caller's unit of work.
    ///
    /// - Throws: ``AccountError/emailTaken(_:)`` if an address that is not only claimed is taken; nothing is written.
    package func open(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        try store.insert(record, in: transaction)
        try auditLog.append(AuditRecord(AccountAuditEvent.registered, of: record.account.id), in: transaction)
    }
}
