import Accounts
package import Kernel
package import Passkeys

/// The passkeys of the in-memory store.
package struct MemoryPasskeyStore: PasskeyStore {
    let connection: MemoryConnection

    package func insert(_ passkey: Passkey, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard !draft.tables.passkeys.values.contains(where: { $0.credential.record.id == passkey.credential.record.id })
        else { return false }
        draft.tables.passkeys[passkey.id] = passkey
        return true
    }

    package func find(_ credential: CredentialID, in transaction: borrowing Transaction) throws -> Passkey? {
        try transaction.draft().tables.passkeys.values.first { $0.credential.record.id == credential }
    }

    package func find(_ credential: CredentialID) async throws -> Passkey? {
        try await connection.read { tables in tables.passkeys.values.first { $0.credential.record.id == credential } }
    }

    package func find(_ id: PasskeyID, in transaction: borrowing Transaction) throws -> Passkey? {
        try transaction.draft().tables.passkeys[id]
    }

    package func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Passkey] {
        Array(Self.sorted(try transaction.draft().tables, of: account).prefix(limit))
    }

    package func list(of account: AccountID, limit: Int) async throws -> [Passkey] {
        try await connection.read { tables in Array(Self.sorted(tables, of: account).prefix(limit)) }
    }

    package func noteUse(_ use: PasskeyUse, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard var passkey = draft.tables.passkeys[use.id], passkey.credential.record.signCount == use.countBefore else {
            return false
        }
        passkey.credential.record.signCount = use.count
        passkey.credential.record.backup.isBackedUp = use.isBackedUp
        passkey.lastUsedAt = use.at
        draft.tables.passkeys[use.id] = passkey
        return true
    }

    package func noteCloneSign(of id: PasskeyID, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.passkeys[id]?.cloneSigns += 1
    }

    package func rename(
        _ id: PasskeyID,
        of account: AccountID,
        to label: String,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.passkeys[id]?.account == account else { return false }
        draft.tables.passkeys[id]?.label = label
        return true
    }

    package func remove(_ id: PasskeyID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.passkeys[id]?.account == account else { return false }
        draft.tables.dropPasskey(id)
        return true
    }

    package func listAccounts(limit: Int) async throws -> [ListedPasskeys] {
        try await connection.read { tables in
            let people = Set(tables.passkeys.values.map(\.account)).map { (id: $0, row: tables.identity.accounts[$0]) }
            let newest = people.sorted { left, right in
                let (first, second) = (left.row?.createdAt, right.row?.createdAt)
                return first == second ? left.id.bits < right.id.bits : (second ?? Self.past) < (first ?? Self.past)
            }
            return newest.prefix(limit).map { person in
                ListedPasskeys(
                    name: person.row?.listedName ?? person.id.description,
                    passkeys: Self.sorted(tables, of: person.id)
                )
            }
        }
    }

    private static let past = Instant(milliseconds: 0)

    private static func sorted(_ tables: MemoryTables, of account: AccountID) -> [Passkey] {
        tables.passkeys.values.filter { $0.account == account }
            .sorted { ($0.createdAt, $0.id.bits) < ($1.createdAt, $1.id.bits) }
    }
}

/// The open challenges of the in-memory store.
package struct MemoryPasskeyChallengeStore: PasskeyChallengeStore {
    let connection: MemoryConnection

    package func insert(
        _ challenge: PasskeyChallenge,
        keepingPerSource: Int,
        inAll: Int,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        guard !draft.tables.passkeyChallenges.contains(where: { $0.digest == challenge.digest }) else {
            throw StoreError.conflict(cause: "there is such a challenge")
        }
        draft.tables.passkeyChallenges.append(challenge)
        let ofSource = draft.tables.passkeyChallenges.filter { $0.source == challenge.source }
        let dropped = Set(ofSource.dropLast(keepingPerSource).map(\.digest))
        draft.tables.passkeyChallenges.removeAll { dropped.contains($0.digest) }
        draft.tables.passkeyChallenges = draft.tables.passkeyChallenges.suffix(inAll)
    }

    package func find(_ digest: Digest256) async throws -> PasskeyChallenge? {
        try await connection.read { tables in tables.passkeyChallenges.first { $0.digest == digest } }
    }

    package func isBound(to binding: Digest256, at now: Instant) async throws -> Bool {
        try await connection.read { tables in
            tables.passkeyChallenges.contains { $0.binding == binding && now < $0.expiresAt }
        }
    }

    package func use(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard
            let index = draft.tables.passkeyChallenges.firstIndex(where: { $0.digest == digest && now < $0.expiresAt })
        else { return false }
        draft.tables.passkeyChallenges.remove(at: index)
        return true
    }
}

extension MemoryAccount {
    /// A user name that looks like an address is marked.
    fileprivate var listedName: String {
        let name = username.map { $0.text.contains("@") ? "user:\($0.text)" : $0.text }
        return name ?? emails.map(\.address.text).min() ?? displayName
    }
}
