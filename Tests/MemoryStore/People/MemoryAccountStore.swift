package import Accounts
package import Kernel

/// The accounts of the in-memory store.
package struct MemoryAccountStore: AccountStore {
    let connection: MemoryConnection

    package func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let id = record.account.id
        let others = draft.tables.identity.accounts
        guard others[id] == nil else { throw StoreError.conflict(cause: "there is such an account") }
        for email in record.emails { try refuse(email.address, of: id, in: others) }
        if let username = record.username, others.values.contains(where: { $0.username == username }) {
            throw AccountError.usernameTaken
        }
        for enrolment in record.enrolments { try refuse(enrolment, of: id, in: others) }
        draft.tables.identity.accounts[id] = MemoryAccount(record)
    }

    package func put(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let accounts = draft.tables.identity.accounts
        let held = accounts[account]?.faces[enrolment.provider]?.enrolment
        if held?.isActive == true { throw AccountError.enrolledAlready(enrolment.provider) }
        try refuse(enrolment, of: account, in: accounts)
        let written = Enrolment(
            provider: enrolment.provider,
            reference: enrolment.reference,
            isActive: enrolment.isActive,
            version: held.map { $0.version + 1 } ?? enrolment.version
        )
        draft.tables.identity.accounts[account]?.faces[enrolment.provider] = MemoryFace(enrolment: written)
    }

    package func find(_ id: AccountID) async throws -> AccountRecord? {
        try await connection.read { $0.identity.accounts[id]?.record }
    }

    package func find(email: EmailAddress) async throws -> AccountRecord? {
        try await connection.read { $0.identity.owner(of: email)?.record }
    }

    package func account(named username: Username, in transaction: borrowing Transaction) throws -> AccountID? {
        try transaction.draft().tables.identity.accounts.values.first { $0.username == username }?.id
    }

    package func list(limit: Int) async throws -> [AccountRecord] {
        try await connection.read { tables in
            tables.identity.accounts.values.sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }
                .prefix(limit).map(\.record)
        }
    }

    package func list(_ search: AccountSearch) async throws -> [AccountRecord] {
        try await connection.read { tables in
            Array(
                tables.identity.accounts.values.sorted { ($1.createdAt, $0.id.bits) < ($0.createdAt, $1.id.bits) }
                    .map(\.record).filter { $0.matches(search) }.prefix(search.limit)
            )
        }
    }

    package func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        try transaction.draft().tables.identity.accounts[id]?.record.profile
    }

    package func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? {
        try transaction.draft().tables.identity.owner(of: email).map { account in
            LoginCandidate(
                account: account.id,
                state: account.state,
                isEnrolled: account.faces[provider]?.enrolment.isActive == true
            )
        }
    }

    package func setState(
        _ state: Account.State,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard let account = draft.tables.identity.accounts[id], account.state != state else { return false }
        draft.tables.identity.accounts[id]?.state = state
        return true
    }

    package func setDisplayName(_ name: String, of id: AccountID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.accounts[id]?.displayName = name
    }

    package func setAttribute(
        _ name: String,
        to value: String?,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws { try transaction.draft().tables.identity.accounts[id]?.attributes[name] = value }

    package func passwordHash(of id: AccountID, in transaction: borrowing Transaction) throws -> Secret? {
        try transaction.draft().tables.identity.accounts[id]?.passwordHash
    }

    package func setPasswordHash(_ hash: Secret?, of id: AccountID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.identity.accounts[id]?.passwordHash = hash
    }

    package func replaceEmails(
        with email: VerifiedEmail,
        of id: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        try refuse(email.address, of: id, in: draft.tables.identity.accounts)
        draft.tables.identity.accounts[id]?.emails = [email]
        draft.tables.identity.accounts[id]?.claim = nil
    }

    package func close(_ id: AccountID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard var account = draft.tables.identity.accounts[id] else { return }
        account.state = .disabled
        account.displayName = Account.closedName
        (account.emails, account.username, account.claim) = ([], nil, nil)
        account.attributes = [:]
        (account.passwordHash, account.passwordOrigin) = (nil, nil)
        draft.tables.identity.accounts[id] = account
    }

    private func refuse(_ email: EmailAddress, of id: AccountID, in accounts: [AccountID: MemoryAccount]) throws {
        let isTaken = accounts.values.contains { $0.id != id && $0.has(email) }
        guard !isTaken else { throw AccountError.emailTaken(email.text) }
    }

    private func refuse(_ enrolment: Enrolment, of id: AccountID, in accounts: [AccountID: MemoryAccount]) throws {
        let isTaken = accounts.values.contains { account in
            account.id != id && account.faces[enrolment.provider]?.enrolment.reference == enrolment.reference
        }
        guard !isTaken else { throw AccountError.providerAccountTaken(enrolment.reference) }
    }
}

extension MemoryAccount {
    func has(_ email: EmailAddress) -> Bool { emails.contains { $0.address == email } }
}

extension MemoryIdentityTables {
    /// Returns the account whose own the address is.
    func owner(of email: EmailAddress) -> MemoryAccount? { accounts.values.first { $0.has(email) } }
}

/// The addresses of the in-memory store.
package struct MemoryAddressStore: AddressStore {
    package func addresses(of account: AccountID, in transaction: borrowing Transaction) throws -> [VerifiedEmail] {
        guard let found = try transaction.draft().tables.identity.accounts[account] else { return [] }
        let claimed = found.claim.map { VerifiedEmail(address: $0, isVerified: false) }
        return (found.emails + [claimed].compactMap(\.self)).sorted { $0.address.text < $1.address.text }
    }

    package func claim(
        _ email: EmailAddress,
        for account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        draft.tables.identity.accounts[account]?.claim = email
        draft.tables.identity.accounts[account]?.claimedAt = now
    }

    package func unverifiedAccounts(
        openedWith email: EmailAddress,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> [AccountID] {
        let found = try transaction.draft().tables.identity.accounts.values.filter {
            $0.claim == email && $0.emails.isEmpty && $0.username == nil && $0.state == .active
        }
        let sorted = found.sorted { ($0.claimedAt, $0.id.description) < ($1.claimedAt, $1.id.description) }
        return sorted.prefix(limit).map(\.id)
    }

    package func markVerified(
        _ email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard var found = draft.tables.identity.accounts[account] else { return false }
        let verified = VerifiedEmail(address: email, isVerified: true)
        guard let index = found.emails.firstIndex(where: { $0.address == email && !$0.isVerified }) else {
            guard found.claim == email else { return false }
            found.claim = nil
            let isFree = draft.tables.identity.owner(of: email) == nil
            if isFree { found.emails.append(verified) }
            draft.tables.identity.accounts[account] = found
            return isFree
        }
        found.emails[index] = verified
        draft.tables.identity.accounts[account] = found
        return true
    }

    package func dropOthers(
        than email: EmailAddress,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> [VerifiedEmail] {
        let draft = try transaction.draft()
        let dropped = draft.tables.identity.accounts[account]?.emails.filter { $0.address != email } ?? []
        draft.tables.identity.accounts[account]?.emails.removeAll { $0.address != email }
        draft.tables.identity.accounts[account]?.claim = nil
        return dropped
    }

    package func isTaken(
        _ email: EmailAddress,
        besides account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.draft().tables.identity.owner(of: email).map { $0.id != account } ?? false
    }
}

/// The enrolments of the in-memory store.
package struct MemoryEnrolmentStore: EnrolmentStore {
    package func find(
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Enrolment? {
        try transaction.draft().tables.identity.accounts[account]?.faces[provider]?.enrolment
    }

    package func face(
        of account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> FaceInForce? {
        guard let face = try transaction.draft().tables.identity.accounts[account]?.faces[provider],
            face.enrolment.isActive
        else { return nil }
        return FaceInForce(mark: face.enrolment.mark, origin: face.origin)
    }

    package func insert(_ enrolment: Enrolment, of account: AccountID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let isTaken = draft.tables.identity.accounts.values.contains { other in
            other.faces[enrolment.provider].map {
                other.id == account || $0.enrolment.reference == enrolment.reference
            } ?? false
        }
        guard !isTaken else { throw StoreError.conflict(cause: "there is such an enrolment") }
        draft.tables.identity.accounts[account]?.faces[enrolment.provider] = MemoryFace(enrolment: enrolment)
    }

    package func setActive(
        _ isActive: Bool,
        _ account: AccountID,
        at provider: String,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard let face = draft.tables.identity.accounts[account]?.faces[provider], isActive || face.enrolment.isActive
        else { return false }
        draft.tables.identity.accounts[account]?.faces[provider]?.setActive(isActive)
        return true
    }
}

extension AccountRecord {
    /// Whether the account passes the search.
    package func matches(_ search: AccountSearch) -> Bool {
        if let after = search.after, (account.createdAt, after.id.bits) >= (after.createdAt, account.id.bits) {
            return false
        }
        let texts =
            [AccountSearch.folded(account.displayName)] + emails.map(\.address.text)
            + [username?.text, claim?.text].compactMap(\.self)
        return search.text.isEmpty || texts.contains { $0.contains(search.text) }
    }
}
