package import Kernel
package import OAuth

/// Authorization requests that wait for a person, in the in-memory store.
package struct MemoryInteractionStore: InteractionStore {
    package func insert(_ interaction: Interaction, keepingInAll: Int, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard !draft.tables.interactions.contains(where: { $0.id == interaction.id }) else {
            throw StoreError.conflict(cause: "there is such an interaction")
        }
        draft.tables.interactions.append(interaction)
        draft.tables.interactions = draft.tables.interactions.suffix(keepingInAll)
    }

    package func find(_ id: Digest256, in transaction: borrowing Transaction) throws -> Interaction? {
        try transaction.draft().tables.interactions.first { $0.id == id }
    }

    package func update(_ interaction: Interaction, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let index = draft.tables.interactions.firstIndex(where: { $0.id == interaction.id }) else { return false }
        draft.tables.interactions[index] = interaction
        return true
    }

    package func remove(_ id: Digest256, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let index = draft.tables.interactions.firstIndex(where: { $0.id == id }) else { return false }
        draft.tables.interactions.remove(at: index)
        return true
    }
}

/// Authorization codes in the in-memory store.
package struct MemoryAuthorizationCodeStore: AuthorizationCodeStore {
    package func insert(_ code: AuthorizationCode, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard draft.tables.authorizationCodes.updateValue(code, forKey: code.digest) == nil else {
            throw StoreError.conflict(cause: "there is such a code")
        }
    }

    package func find(_ digest: Digest256, in transaction: borrowing Transaction) throws -> AuthorizationCode? {
        try transaction.draft().tables.authorizationCodes[digest]
    }

    package func redeem(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let code = draft.tables.authorizationCodes[digest], code.redeemedAt == nil, now < code.expiresAt else {
            return false
        }
        draft.tables.authorizationCodes[digest] = code.with(redeemedAt: now, session: nil)
        return true
    }

    package func note(session: SessionID, for digest: Digest256, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard let code = draft.tables.authorizationCodes[digest], let redeemedAt = code.redeemedAt else { return }
        draft.tables.authorizationCodes[digest] = code.with(redeemedAt: redeemedAt, session: session)
    }
}

extension AuthorizationCode {
    fileprivate func with(redeemedAt: Instant, session: SessionID?) -> AuthorizationCode {
        AuthorizationCode(
            digest: digest,
            grant: grant,
            binding: binding,
            issuedAt: issuedAt,
            expiresAt: expiresAt,
            redeemedAt: redeemedAt,
            session: session
        )
    }
}

/// Pushed authorization requests in the in-memory store.
package struct MemoryPushedRequestStore: PushedRequestStore {
    package func has(
        _ count: Int,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try transaction.draft().tables.pushedRequests.count { $0.clientID == clientID && $0.expiresAt > now } >= count
    }

    package func insert(
        _ request: PushedRequest,
        keepingInAll: Int,
        in transaction: borrowing Transaction
    ) throws {
        let draft = try transaction.draft()
        guard !draft.tables.pushedRequests.contains(where: { $0.digest == request.digest }) else {
            throw StoreError.conflict(cause: "there is such a request")
        }
        draft.tables.pushedRequests.append(request)
        draft.tables.pushedRequests = draft.tables.pushedRequests.suffix(keepingInAll)
    }

    package func take(
        _ digest: Digest256,
        of clientID: String,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> PushedRequest? {
        let draft = try transaction.draft()
        let isIt = { (held: PushedRequest) in
            held.digest == digest && held.clientID == clientID && now < held.expiresAt
        }
        guard let index = draft.tables.pushedRequests.firstIndex(where: isIt) else { return nil }
        return draft.tables.pushedRequests.remove(at: index)
    }
}

/// The consents of people to clients, in the in-memory store.
package struct MemoryConsentStore: ConsentStore {
    package func find(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws -> [Consent] {
        try transaction.draft().tables.consents.filter { $0.account == account && $0.clientID == client }
    }

    package func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Consent] {
        let own = try transaction.draft().tables.consents.filter { $0.account == account }
        let ordered = own.sorted {
            ($0.clientID, $0.origin?.description ?? "") < ($1.clientID, $1.origin?.description ?? "")
        }
        return Array(ordered.prefix(limit))
    }

    package func put(_ consent: Consent, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        let isOfBoth = { (held: Consent) in held.account == consent.account && held.clientID == consent.clientID }
        draft.tables.consents.removeAll { isOfBoth($0) && $0.origin == consent.origin }
        draft.tables.consents.append(consent)
        let newest = draft.tables.consents.filter(isOfBoth).sorted { $0.grantedAt > $1.grantedAt }
        let old = newest.filter { $0 != consent }.dropFirst(Self.mostKept - 1)
        draft.tables.consents.removeAll { old.contains($0) }
    }

    package func remove(_ account: AccountID, client: String, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        draft.tables.consents.removeAll { $0.account == account && $0.clientID == client }
    }

    package func removeAll(of client: String, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.consents.removeAll { $0.clientID == client }
    }
}
