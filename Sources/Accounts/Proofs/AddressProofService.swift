package import Kernel

/// The use cases of proving that an address is the account's.
///
/// An attacker may open an account with a person's address, or claim it for an existing account, and wait for that
/// person. So a proof from a device other than the account's own removes all earlier access (pre-hijacking; Sudhodanan
/// and Paverd, 2022).
package struct AddressProofService: Sendable {
    /// The lifetime of a link.
    package static let lifetime: Duration = .seconds(86_400)

    let environment: Environment
    let records: AddressRecords
    let mails: AddressMails
    let access: any AccountAccess
    let lockouts: Lockouts
    let factory: AddressProofFactory
    private let passwords: PasswordService

    package init(
        environment: Environment,
        records: AddressRecords,
        mails: AddressMails,
        access: any AccountAccess,
        passwords: PasswordService,
        lockouts: Lockouts,
        factory: AddressProofFactory
    ) {
        self.environment = environment
        self.records = records
        self.mails = mails
        self.access = access
        self.passwords = passwords
        self.lockouts = lockouts
        self.factory = factory
    }

    /// Mails the link that verifies the address, in the unit of work of the registration.
    ///
    /// A mailbox whose `turn` is refused gets no mail, but everything else is done. A signed-in person can request
    /// another link later.
    ///
    /// `client`: the client that the person uses, which mails and pages name.
    ///
    /// - Throws: ``MailError``, ``StoreError``.
    package func send(
        to email: EmailAddress,
        of account: AccountID,
        requester: Requester,
        client: String,
        turn: MailboxTurn,
        in transaction: borrowing Transaction
    ) throws {
        let mail = link(to: email, of: account, askedIn: nil, requester, client)
        guard turn.isGranted() else { return try mails.mailer.rehearse(mail, in: transaction) }
        try mails.mailer.enqueue(mail, in: transaction)
    }

    /// Returns the mail with the link.
    func link(
        to email: EmailAddress,
        of account: AccountID,
        askedIn session: SessionID?,
        _ requester: Requester,
        _ client: String
    ) -> AccountMail {
        let now = environment.now()
        let end = now + Self.lifetime
        let token = factory.token(for: email, of: account, askedIn: session, at: client, until: end)
        let code = factory.code(for: email, of: account, askedIn: session, at: now)
        return AccountMail(
            to: email,
            requester: requester,
            service: mails.service(client),
            client: client,
            content: .addressProof(link: mails.page(token), code: code, expiresAt: end)
        )
    }

    /// Returns the state of the link, and changes nothing.
    ///
    /// `linked`: finds the account's own device that the request came from.
    package func look(
        at token: Secret,
        linked: @escaping @Sendable (AccountID, borrowing Transaction) throws -> DeviceID?
    ) async throws -> AddressProofLook {
        guard let found = try await find(token) else { return .over }
        let isOwn = try await records.unitOfWork.read { try linked(found.account, $0) != nil }
        return .open(hasPassword: found.hasPassword, isOwnDevice: isOwn, service: mails.named(found.client))
    }

    /// Verifies the address, when the button of the link's page is pressed.
    ///
    /// A request from the account's own device, or with its password, shows that the person who verifies the address
    /// also set the account up. Then no access is removed.
    ///
    /// `password`: the password that was typed beside the link. `presented`: the evidence about its device that the
    /// request presents. `linked`: finds the account's own device that the request came from.
    package func prove(
        _ token: Secret,
        password: Secret?,
        presenting presented: PresentedDevice = PresentedDevice(),
        requester: Requester,
        linked: @escaping @Sendable (AccountID, borrowing Transaction) throws -> DeviceID?
    ) async throws -> AddressProofOutcome {
        guard let found = try await find(token) else { return .over }
        var verified: VerifiedPassword?
        if let password, try await records.unitOfWork.read({ try linked(found.account, $0) }) == nil {
            switch try await passwords.verify(password, of: found.account, on: nil) {
            case .right(let right): verified = right
            case .wrong: return .wrongPassword(service: mails.named(found.client))
            case .lockedOut(let wait): return .lockedOut(wait)
            }
        }
        let noted = try await records.unitOfWork.run { [verified] transaction in
            guard try isActive(found, in: transaction) else { return AddressProofNote.notTheirs }
            var isOwn = try linked(found.account, transaction) != nil
            if let verified { isOwn = try passwords.confirm(verified, in: transaction) || isOwn }
            return try note(
                found.account,
                isOwnDevice: isOwn,
                keeping: found.session.map { KeptAccess(session: $0, presenting: presented) },
                requester: requester,
                client: found.client,
                in: transaction
            ) { $0 == found.email }
        }
        if case .proven = noted { try await settle(found.account) }
        return noted == .notTheirs ? .over : .proven
    }

    /// Records that an address of the account is verified by a link or a mailed sign-in code, in the caller's unit of
    /// work.
    ///
    /// An address that replaces the previous one ends the access that the previous one opened. These are all sessions
    /// and devices but `kept`, the session that requested the address. ``settle(_:)`` has to follow if earlier access
    /// was removed.
    package func note(
        _ account: AccountID,
        isOwnDevice: Bool,
        keeping kept: KeptAccess? = nil,
        requester: Requester,
        client: String,
        in transaction: borrowing Transaction,
        _ isProven: (EmailAddress) -> Bool
    ) throws -> AddressProofNote {
        let reader = NoticeReader(client: client, requester: requester)
        let held = try records.addresses.addresses(of: account, in: transaction)
        guard let email = held.first(where: { isProven($0.address) }) else { return .notTheirs }
        guard !email.isVerified else { return .provenBefore }
        guard let former = try take(email.address, of: account, reader, in: transaction) else { return .notTheirs }
        guard !isOwnDevice else {
            if !former.isEmpty {
                try access.endElsewhere(of: account, except: kept, because: .address, in: transaction)
            }
            return .proven(removedEarlier: false)
        }
        try access.endElsewhere(of: account, except: nil, because: .addressFromElsewhere, in: transaction)
        try records.auditLog.append(AuditRecord(AccountAuditEvent.earlierAccessRemoved, of: account), in: transaction)
        try notify(email.address, of: .notice(.earlierAccessRemoved), for: reader, in: transaction)
        return .proven(removedEarlier: true)
    }

    /// Makes the address the account's only one, verified, and returns the addresses that it replaces.
    ///
    /// - Returns: `nil` if the address is neither the account's nor claimed by it, or is by now another account's.
    func take(
        _ email: EmailAddress,
        of account: AccountID,
        _ reader: NoticeReader,
        in transaction: borrowing Transaction
    ) throws -> [VerifiedEmail]? {
        guard try records.addresses.markVerified(email, of: account, in: transaction) else { return nil }
        try records.auditLog.append(AuditRecord(AccountAuditEvent.addressProven, of: account), in: transaction)
        let former = try records.addresses.dropOthers(than: email, of: account, in: transaction)
        if !former.isEmpty {
            try records.auditLog.append(AuditRecord(AccountAuditEvent.addressChanged, of: account), in: transaction)
        }
        for address in former where address.isVerified {
            try notify(address.address, of: .notice(.emailChanged), for: reader, in: transaction)
        }
        return former
    }

    /// Notifies the address by mail.
    ///
    /// A full mail queue is ignored: it must not keep an attacker signed in.
    func notify(
        _ email: EmailAddress,
        of content: AccountMail.Content,
        for reader: NoticeReader,
        in transaction: borrowing Transaction
    ) throws {
        let mail = AccountMail(
            to: email,
            requester: reader.requester,
            service: mails.service(reader.client),
            client: reader.client,
            content: content
        )
        do { try mails.mailer.enqueue(mail, in: transaction) } catch is MailError {}
    }

    /// Returns the oldest accounts that were opened with the address and have not verified it, in the caller's unit of
    /// work.
    ///
    /// No later claim displaces an older one, so that an attacker's does not.
    package func unverifiedAccounts(
        openedWith email: EmailAddress,
        in transaction: borrowing Transaction
    ) throws -> [AccountID] {
        try records.addresses.unverifiedAccounts(openedWith: email, limit: 20, in: transaction)
    }

    /// Ends the state in memory of the removed access.
    package func settle(_ account: AccountID) async throws {
        try await access.settle(account, because: .addressFromElsewhere)
    }

    /// The account and address of a valid link.
    private struct Found: Sendable {
        let account: AccountID
        let session: SessionID?
        let email: EmailAddress
        let hasPassword: Bool
        let client: String
    }

    private func find(_ token: Secret) async throws -> Found? {
        guard let proof = factory.read(token), environment.now() < proof.expiresAt,
            let record = try await records.accounts.find(proof.account), record.account.state == .active,
            let email = record.provable.first(where: { factory.isGood(proof, for: $0) })
        else { return nil }
        let found = Found(
            account: proof.account,
            session: proof.session,
            email: email,
            hasPassword: record.passwordHash != nil,
            client: proof.client
        )
        return try await records.unitOfWork.read { try isActive(found, in: $0) } ? found : nil
    }

    /// Whether the session that requested the address is still active: ending it withdraws the request.
    private func isActive(_ found: Found, in transaction: borrowing Transaction) throws -> Bool {
        try found.session.map { try access.isOpen($0, of: found.account, in: transaction) } ?? true
    }
}

/// The stores that proofs of addresses use in one unit of work: accounts, their addresses, and the audit log.
package struct AddressRecords: Sendable {
    let unitOfWork: any UnitOfWork
    let accounts: any AccountStore
    let addresses: any AddressStore
    let auditLog: any AuditLog

    package init(
        unitOfWork: any UnitOfWork,
        accounts: any AccountStore,
        addresses: any AddressStore,
        auditLog: any AuditLog
    ) {
        self.unitOfWork = unitOfWork
        self.accounts = accounts
        self.addresses = addresses
        self.auditLog = auditLog
    }
}

/// How mails about addresses are sent, and what they name.
package struct AddressMails: Sendable {
    let mailer: any CodeMailer
    let service: @Sendable (String) -> String
    let page: @Sendable (Secret) -> Secret

    /// Creates the value.
    ///
    /// `service`: makes a client's display name from its id. `page`: makes the address of the page behind a link from
    /// its token.
    package init(
        mailer: any CodeMailer,
        service: @escaping @Sendable (String) -> String,
        page: @escaping @Sendable (Secret) -> Secret
    ) {
        self.mailer = mailer
        self.service = service
        self.page = page
    }

    func named(_ client: String) -> NamedClient { NamedClient(id: client, name: service(client)) }
}

/// The reader of a notice.
struct NoticeReader: Sendable {
    /// The client that the person uses, and that mails name.
    let client: String
    /// The person behind the request.
    let requester: Requester
}
