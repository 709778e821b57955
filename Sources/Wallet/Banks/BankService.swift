package import Kernel
package import Logging

/// The use cases of banks: a person adds the cards of a bank to the wallet, syncs them, and unlinks the bank.
package struct BankService: Sendable {
    /// The time from the start to the callback, and again from there to the person's confirmation.
    package static let attemptLifetime: Duration = .seconds(600)
    /// The most attempts of one account: a further one replaces its oldest.
    package static let attemptsPerAccount = 10
    /// The most removed cards of one bank in one wallet that are remembered.
    static let removedCardsPerBank = 200

    let environment: Environment
    let records: BankRecords
    let gateway: any BankGateway
    let encryptor: any Encryptor
    let isActive: SessionLiveness
    let logger: Logger
    let syncs = BankSyncs()
    let unwritten = UnwrittenTokens()

    package init(
        environment: Environment,
        records: BankRecords,
        gateway: any BankGateway,
        encryptor: any Encryptor,
        isActive: @escaping SessionLiveness,
        logger: Logger
    ) {
        self.environment = environment
        self.records = records
        self.gateway = gateway
        self.encryptor = encryptor
        self.isActive = isActive
        self.logger = logger
    }

    /// Deletes the bank's tokens and removes its cards; returns `false` if the bank is not enrolled.
    ///
    /// A later enrolment may add cards again that the person had removed.
    /// - Throws: ``StoreError``.
    package func unlink(bankID: String, of account: AccountID) async throws -> Bool {
        let now = environment.now()
        return try await records.unitOfWork.run { [records, unwritten] transaction in
            guard var link = try records.wallet.link(bankID, of: account, in: transaction), link.isOpen else {
                return false
            }
            let version = link.version
            link.close(at: now)
            guard try records.wallet.put(link, over: version, in: transaction) else { return false }
            var cards = CardSet(try records.wallet.heldCards(of: account, in: transaction))
            cards.unlink(bankID, at: now)
            try cards.write(to: records.wallet, in: transaction)
            try records.auditLog.append(
                AuditRecord(WalletAuditEvent.bankUnlinked, of: account, detail: bankID),
                in: transaction
            )
            transaction.whenDurable { unwritten.forget(bankID, of: account) }
            return true
        }
    }

    /// Returns the bank's cards, all of which must be valid.
    func cards(with accessToken: Secret, at bank: Bank) async throws(BankError) -> [BankCard] {
        let cards = try await gateway.cards(with: accessToken, at: bank)
        guard cards.count <= BankCard.mostPerBank else { throw .unusable(cause: "too many cards") }
        // The whole list is refused, because other references of that bank may be card numbers too.
        guard !cards.contains(where: { CardNumber.isOne($0.reference) }) else {
            throw .unusable(cause: "a card number in the place of a token reference")
        }
        guard cards.allSatisfy(\.isSound) else { throw .unusable(cause: "a card that can't be shown") }
        guard Set(cards.map(\.reference)).count == cards.count else {
            throw .unusable(cause: "one reference for two cards")
        }
        return cards
    }

    /// Logs the bank's id and the cause for the operator, never the data that was sent.
    func warn(_ bank: Bank, _ failure: BankError) {
        let cause =
            switch failure {
            case .unavailable(let cause), .unusable(let cause), .refused(let cause): cause
            }
        logger.warning(
            "a bank fails: check its address and its status",
            metadata: ["bank": "\(bank.id)", "cause": "\(cause)"]
        )
    }
}

/// The stores that the use cases of banks write in one unit of work: enrolment attempts, the wallet, the audit log.
package struct BankRecords: Sendable {
    let unitOfWork: any UnitOfWork
    let attempts: any BankEnrolmentStore
    let wallet: any WalletStore
    let auditLog: any AuditLog

    package init(
        unitOfWork: any UnitOfWork,
        attempts: any BankEnrolmentStore,
        wallet: any WalletStore,
        auditLog: any AuditLog
    ) {
        self.unitOfWork = unitOfWork
        self.attempts = attempts
        self.wallet = wallet
        self.auditLog = auditLog
    }
}
