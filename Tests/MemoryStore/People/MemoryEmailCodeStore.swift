package import Accounts
package import Kernel

/// The sign-in codes of the in-memory store.
package struct MemoryEmailCodeStore: EmailCodeStore {
    let connection: MemoryConnection

    package func insert(_ code: EmailCode, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let codes = draft.tables.emailCodes
        guard codes[code.id] == nil, !codes.values.contains(where: { $0.digests.link == code.digests.link }) else {
            throw StoreError.conflict(cause: "there is such a code")
        }
        for (id, other) in codes
        where other.endedAt == nil && other.device == code.device && other.recipient.account == code.recipient.account {
            draft.tables.emailCodes[id]?.endedAt = code.validity.createdAt
        }
        draft.tables.emailCodes[code.id] = code
    }

    package func find(_ id: EmailCodeID, in transaction: borrowing Transaction) throws -> EmailCode? {
        try transaction.draft().tables.emailCodes[id]
    }

    package func find(
        address: Digest256,
        device: DeviceName,
        in transaction: borrowing Transaction
    ) throws -> EmailCode? {
        try transaction.draft().tables.emailCodes.values
            .filter { $0.recipient.address == address && $0.device == device && $0.endedAt == nil }
            .max { $0.validity.createdAt < $1.validity.createdAt }
    }

    package func find(link: Digest256) async throws -> EmailCode? {
        try await connection.read { tables in tables.emailCodes.values.first { $0.digests.link == link } }
    }

    package func noteWrongTry(of id: EmailCodeID, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard let code = draft.tables.emailCodes[id] else { return }
        guard code.wrongTries < EmailCodePolicy.tries else { throw StoreError.conflict(cause: "too many tries") }
        draft.tables.emailCodes[id]?.wrongTries += 1
    }

    package func end(_ id: EmailCodeID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let code = draft.tables.emailCodes[id], code.endedAt == nil else { return false }
        draft.tables.emailCodes[id]?.endedAt = now
        return true
    }

    package func endAll(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        for (id, code) in draft.tables.emailCodes where code.recipient.account == account && code.endedAt == nil {
            draft.tables.emailCodes[id]?.endedAt = now
        }
    }

    package func use(
        of account: AccountID,
        on linkedDevice: DeviceID?,
        codesSince: Instant,
        triesSince: Instant,
        in transaction: borrowing Transaction
    ) throws -> EmailCodeUse {
        let codes = try transaction.draft().tables.emailCodes.values
            .filter { $0.recipient.account == account && $0.linkedDevice == linkedDevice }
        let sent = codes.filter { $0.validity.createdAt > codesSince }
        let tried = codes.filter { $0.validity.createdAt > triesSince && $0.wrongTries > 0 }
        return EmailCodeUse(
            codes: sent.count,
            firstCode: sent.map(\.validity.createdAt).min(),
            wrongTries: tried.reduce(0) { $0 + $1.wrongTries },
            firstWrong: tried.map(\.validity.createdAt).min()
        )
    }
}
