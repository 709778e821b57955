package import Kernel

/// The use cases of proofs that an address is the account's.
///
/// Whoever opens an account with somebody else's address, or gives his own account that address, waits for that person to
/// come: a proof from a device other than the account's own removes all that was set up before (pre-hijacking; Sudhodanan
/// and Paverd, 2022).
package struct AddressProofDesk: Sendable {
    /// How long a link works.
    package static let lifetime: Duration = .seconds(86_400)

    let facts: Facts
    let unitOfWork: any UnitOfWork
    let accounts: any AccountStore
    let addresses: any AddressStore
    let mailer: any CodeMailer
    private let journal: any AccountJournal
    private let access: any AccountAccess
    private let passwords: PasswordDesk
    private let mint: AddressProofMint
    private let address: @Sendable (Secret) -> Secret
    private let service: String

    /// `address`: of the page behind a link, for its token; `service`: what notices call the place.
    package init(
        facts: Facts,
        unitOfWork: any UnitOfWork,
        accounts: any AccountStore,
        addresses: any AddressStore,
        journal: any AccountJournal,
        mailer: any CodeMailer,
        access: any AccountAccess,
        passwords: PasswordDesk,
        mint: AddressProofMint,
        service: String,
        address: @escaping @Sendable (Secret) -> Secret
    ) {
        self.facts = facts
        self.unitOfWork = unitOfWork
        self.accounts = accounts
        self.addresses = addresses
        self.journal = journal
        self.mailer = mailer
        self.access = access
        self.passwords = passwords
        self.mint = mint
        self.service = service
        self.address = address
    }

    /// Mails the link that proves the address, in the caller's unit of work: that of the registration.
    ///
    /// A mailbox whose `turn` it is not gets none, and all else is done; who is signed in asks for another later.
    ///
    /// - Throws: ``MailRefusal``, or the store's fault.
    package func send(
        to email: EmailAddress,
        of account: AccountID,
        language: String,
        service: String,
        turn: MailboxTurn,
        in transaction: borrowing Transaction
    ) throws {
        let mail = link(to: email, of: account, askedIn: nil, language, service)
        guard turn.isGranted() else { return try mailer.rehearse(mail, in: transaction) }
        try mailer.enqueue(mail, in: transaction)
    }

    /// The mail with the link.
    func link(
        to email: EmailAddress,
        of account: AccountID,
        askedIn session: SessionID?,
        _ language: String,
        _ service: String
    ) -> AccountMail {
        let end = facts.now() + Self.lifetime
        let token = mint.token(for: email, of: account, askedIn: session, until: end)
        return AccountMail(
            to: email,
            language: language,
            service: service,
            content: .addressProof(link: address(token), expiresAt: end)
        )
    }

    /// Where the link leads; looking changes nothing.
    package func look(at token: Secret) async throws -> AddressProofLook {
        guard let found = try await find(token) else { return .over }
        return .open(hasPassword: found.hasPassword)
    }

    /// The button of the link's page: from then on the address is proven.
    ///
    /// `linked`: the account's own device that the request came from; `password`: what was typed beside it. Either says
    /// that who proves the address is who set the account up, so that nothing is removed. `credential`: SHA-256 of the
    /// device credential that the request shows.
    package func prove(
        _ token: Secret,
        password: Secret?,
        showing credential: Digest256? = nil,
        language: String,
        linked: @escaping @Sendable (AccountID, borrowing Transaction) throws -> DeviceID?
    ) async throws -> AddressProofOutcome {
        guard let found = try await find(token) else { return .over }
        var verified: VerifiedPassword?
        if let password, try await unitOfWork.run({ try linked(found.account, $0) }) == nil {
            switch try await passwords.verify(password, of: found.account, on: nil) {
            case .right(let right): verified = right
            case .wrong: return .wrongPassword
            case .lockedOut(let wait): return .lockedOut(wait)
            }
        }
        let noted = try await unitOfWork.run { [verified] transaction in
            guard try isStanding(found, in: transaction) else { return AddressProofNote.notTheirs }
            var isOwn = try linked(found.account, transaction) != nil
            if let verified { isOwn = try passwords.confirm(verified, in: transaction) || isOwn }
            return try note(
                found.account,
                isOwnDevice: isOwn,
                keeping: found.session.map { KeptAccess(session: $0, showing: credential) },
                language: language,
                in: transaction
            ) { $0 == found.email }
        }
        if noted == .proven(removedEarlier: true) { try await access.settle(found.account) }
        return noted == .notTheirs ? .over : .proven
    }

    /// Notes that an address of the account is proven, in the caller's unit of work: of the link, or of a sign-in by a
    /// mailed code.
    ///
    /// An address that takes the place of another ends what that one opened: all sessions and devices but the session that
    /// asked for it, `kept`. ``settle(_:)`` follows where earlier access was removed.
    package func note(
        _ account: AccountID,
        isOwnDevice: Bool,
        keeping kept: KeptAccess? = nil,
        language: String,
        in transaction: borrowing Transaction,
        _ isProven: (EmailAddress) -> Bool
    ) throws -> AddressProofNote {
        let held = try addresses.addresses(of: account, in: transaction)
        guard let email = held.first(where: { isProven($0.address) }) else { return .notTheirs }
        guard !email.isVerified else { return .provenBefore }
        guard try addresses.markVerified(email.address, of: account, in: transaction) else { return .notTheirs }
        try journal.record(.addressProven, of: account, detail: nil, in: transaction)
        let former = try addresses.dropOthers(than: email.address, of: account, in: transaction)
        if !former.isEmpty { try journal.record(.addressChanged, of: account, detail: nil, in: transaction) }
        for address in former where address.isVerified {
            try tell(.emailChanged, address.address, language, in: transaction)
        }
        guard !isOwnDevice else {
            if !former.isEmpty {
                try access.endElsewhere(of: account, except: kept, because: .address, in: transaction)
            }
            return .proven(removedEarlier: false)
        }
        try access.removeAll(of: account, in: transaction)
        try journal.record(.earlierAccessRemoved, of: account, detail: nil, in: transaction)
        try tell(.earlierAccessRemoved, email.address, language, in: transaction)
        return .proven(removedEarlier: true)
    }

    /// A full queue must not keep in who is to be out.
    private func tell(
        _ notice: AccountNotice,
        _ email: EmailAddress,
        _ language: String,
        in transaction: borrowing Transaction
    ) throws {
        let mail = AccountMail(to: email, language: language, service: service, content: .notice(notice))
        do { try mailer.enqueue(mail, in: transaction) } catch is MailRefusal {}
    }

    /// Ends what of the removed access is live in memory.
    package func settle(_ account: AccountID) async throws { try await access.settle(account) }

    /// What a link is about.
    private struct Found: Sendable {
        let account: AccountID
        let session: SessionID?
        let email: EmailAddress
        let hasPassword: Bool
    }

    private func find(_ token: Secret) async throws -> Found? {
        guard let proof = mint.read(token), facts.now() < proof.expiresAt,
            let record = try await accounts.find(proof.account), record.account.state == .active,
            let email = record.provable.first(where: { mint.isGood(proof, for: $0) })
        else { return nil }
        let found = Found(
            account: proof.account,
            session: proof.session,
            email: email,
            hasPassword: record.passwordHash != nil
        )
        return try await unitOfWork.run { try isStanding(found, in: $0) } ? found : nil
    }

    /// Whether the session that asked for the address has not been ended since: who has ended it does not want this.
    private func isStanding(_ found: Found, in transaction: borrowing Transaction) throws -> Bool {
        try found.session.map { try access.isOpen($0, of: found.account, in: transaction) } ?? true
    }
}
