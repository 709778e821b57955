package import Kernel

/// Port: takes back what was set up for an account before its address was proven.
package protocol EarlierAccess: Sendable {
    /// Ends the account's sessions, its devices with their keys, its password and its enrolments, in the caller's unit
    /// of work.
    func remove(of account: AccountID, in transaction: borrowing Transaction) throws

    /// Ends what of it is live in memory, once that is durable.
    func settle(_ account: AccountID) async throws
}

/// The use cases of proofs that an address is the account's.
///
/// Whoever opens an account with somebody else's address waits for that person to come: the first proof from a device
/// other than the one that opened it removes all that was set up before (pre-hijacking; Sudhodanan and Paverd, 2022).
package struct AddressProofDesk: Sendable {
    /// How long a link works.
    package static let lifetime: Duration = .seconds(86_400)

    private let facts: Facts
    private let unitOfWork: any UnitOfWork
    private let accounts: any AccountStore
    private let addresses: any AddressStore
    private let journal: any AccountJournal
    private let mailer: any Mailer
    private let earlier: any EarlierAccess
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
        mailer: any Mailer,
        earlier: any EarlierAccess,
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
        self.earlier = earlier
        self.mint = mint
        self.service = service
        self.address = address
    }

    /// Mails the link that proves the address, in the caller's unit of work: that of the registration.
    ///
    /// - Throws: ``MailRefusal``, or the store's fault.
    package func send(
        to email: EmailAddress,
        of account: AccountID,
        language: String,
        service: String,
        in transaction: borrowing Transaction
    ) throws {
        let end = facts.now() + Self.lifetime
        try mailer.enqueue(
            AccountMail(
                to: email,
                language: language,
                service: service,
                content: .addressProof(link: address(mint.token(for: email, of: account, until: end)), expiresAt: end)
            ),
            in: transaction
        )
    }

    /// Whether the link still leads somewhere; looking changes nothing.
    package func isOpen(_ token: Secret) async throws -> Bool { try await find(token) != nil }

    /// The button of the link's page: from then on the address is proven; `false` if the link is over or was never
    /// made.
    ///
    /// `session`: whose session came with the request, if one did: the account's own is no other device.
    package func prove(_ token: Secret, session: AccountID?, language: String) async throws -> Bool {
        guard let (account, email) = try await find(token) else { return false }
        let isFirst = try await unitOfWork.run { transaction in
            try note(account, isSameDevice: session == account, language: language, in: transaction) { $0 == email }
        }
        if isFirst { try await earlier.settle(account) }
        return true
    }

    /// Notes that an address of the account is proven, in the caller's unit of work: of the link, or of a sign-in by a
    /// mailed code.
    ///
    /// Returns whether earlier access was removed; ``settle(_:)`` follows on that.
    package func note(
        _ account: AccountID,
        isSameDevice: Bool,
        language: String,
        in transaction: borrowing Transaction,
        _ isProven: (EmailAddress) -> Bool
    ) throws -> Bool {
        guard let email = try addresses.addresses(of: account, in: transaction).map(\.address).first(where: isProven),
            try addresses.markVerified(email, of: account, in: transaction)
        else { return false }
        try journal.record(.addressProven, of: account, detail: nil, in: transaction)
        guard !isSameDevice else { return false }
        try earlier.remove(of: account, in: transaction)
        try journal.record(.earlierAccessRemoved, of: account, detail: nil, in: transaction)
        try tell(email, language, in: transaction)
        return true
    }

    /// A full queue must not keep in who is to be out.
    private func tell(_ email: EmailAddress, _ language: String, in transaction: borrowing Transaction) throws {
        let notice = AccountMail(
            to: email,
            language: language,
            service: service,
            content: .notice(.earlierAccessRemoved)
        )
        do { try mailer.enqueue(notice, in: transaction) } catch is MailRefusal {}
    }

    /// Ends what of the removed access is live in memory.
    package func settle(_ account: AccountID) async throws { try await earlier.settle(account) }

    private func find(_ token: Secret) async throws -> (AccountID, EmailAddress)? {
        guard let proof = mint.read(token), facts.now() < proof.expiresAt,
            let record = try await accounts.find(proof.account), record.account.state == .active,
            let email = record.provable.first(where: { mint.isGood(proof, for: $0) })
        else { return nil }
        return (proof.account, email)
    }
}
