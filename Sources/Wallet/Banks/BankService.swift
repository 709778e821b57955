package import Kernel
package import Logging

/// The use cases of banks: a person brings the cards of one into the wallet, has them looked at again, and unlinks it.
package struct BankService: Sendable {
    /// From the start until the browser is back, and again from there until the person has answered.
    package static let attemptLifetime: Duration = .seconds(600)
    /// Attempts of one account: a further one takes the place of its oldest.
    package static let attemptsPerAccount = 10
    /// Removed cards of one bank in one wallet that are remembered.
    static let removedCardsPerBank = 200

    let environment: Environment
    let unitOfWork: any UnitOfWork
    let attempts: any BankEnrolmentStore
    let wallet: any WalletStore
    let gateway: any BankGateway
    let encryptor: any Encryptor
    let isActive: SessionLiveness
    let auditLog: any AuditLog
    let logger: Logger
    let syncs = BankSyncs()
    let unwritten = UnwrittenTokens()

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        attempts: any BankEnrolmentStore,
        wallet: any WalletStore,
        gateway: any BankGateway,
        encryptor: any Encryptor,
        isActive: @escaping SessionLiveness,
        auditLog: any AuditLog,
        logger: Logger
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.attempts = attempts
        self.wallet = wallet
        self.gateway = gateway
        self.encryptor = encryptor
        self.isActive = isActive
        self.auditLog = auditLog
        self.logger = logger
    }

    /// Forgets the bank's tokens and removes its cards; `false` where the bank is not enrolled.
    ///
    /// Cards that the person removed may come back with a later enrolment: that is a new beginning.
    /// - Throws: ``StoreError``.
    package func unlink(bankID: String, of account: AccountID) async throws -> Bool {
        let now = environment.now()
        let isUnlinked = try await unitOfWork.run { [wallet, auditLog] transaction in
            guard var link = try wallet.link(bankID, of: account, in: transaction), link.isOpen else { return false }
            let version = link.version
            link.close(at: now)
            guard try wallet.put(link, over: version, in: transaction) else { return false }
            var cards = CardSet(try wallet.heldCards(of: account, in: transaction))
            cards.unlink(bankID, at: now)
            try cards.write(to: wallet, in: transaction)
            try auditLog.append(
                AuditRecord(WalletAuditEvent.bankUnlinked, of: account, detail: bankID),
                in: transaction
            )
            return true
        }
        if isUnlinked { unwritten.forget(bankID, of: account) }
        return isUnlinked
    }

    /// The bank's cards as they can be kept.
    func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard] {
        let cards = try await gateway.cards(with: accessToken, at: bank)
        guard cards.count <= BankCard.mostPerBank else { throw .unusable(cause: "too many cards") }
        // Not even half of the list is kept: nobody knows what else that bank takes for a reference.
        guard !cards.contains(where: { CardNumber.isOne($0.reference) }) else {
            throw .unusable(cause: "a card number in the place of a token reference")
        }
        guard cards.allSatisfy(\.isSound) else { throw .unusable(cause: "a card that can't be shown") }
        guard Set(cards.map(\.reference)).count == cards.count else {
            throw .unusable(cause: "one reference for two cards")
        }
        return cards
    }

    /// A line for the operator: the bank's id and what is wrong, never what was sent.
    func warn(_ bank: Bank, _ failure: BankError) {
        let cause =
            switch failure {
            case .unavailable(let cause), .unusable(let cause), .refused(let cause): cause
            }
        logger.warning("a bank fails", metadata: ["bank": "\(bank.id)", "cause": "\(cause)"])
    }
}
