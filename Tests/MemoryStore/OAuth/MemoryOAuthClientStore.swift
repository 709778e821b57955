package import Kernel
package import OAuth

/// The OAuth clients of the in-memory store.
package struct MemoryOAuthClientStore: OAuthClientStore {
    let connection: MemoryConnection

    package func insert(_ stored: StoredOAuthClient, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard draft.tables.oauthClients[stored.client.id] == nil else { return false }
        draft.tables.oauthClients[stored.client.id] = stored
        return true
    }

    package func find(_ id: String, in transaction: borrowing Transaction) throws -> StoredOAuthClient? {
        try transaction.draft().tables.oauthClients[id]
    }

    package func all() async throws -> [StoredOAuthClient] {
        try await connection.read { tables in tables.oauthClients.values.sorted { $0.client.id < $1.client.id } }
    }

    package func count(in transaction: borrowing Transaction) throws -> Int {
        try transaction.draft().tables.oauthClients.count
    }

    package func setEnabled(_ id: String, _ isEnabled: Bool, in transaction: borrowing Transaction) throws -> Bool {
        try change(id, in: transaction) { $0.with(isEnabled: isEnabled) }
    }

    package func replace(_ client: OAuthClient, in transaction: borrowing Transaction) throws {
        _ = try change(client.id, in: transaction) { stored in
            var replaced = client
            if case .secret = stored.client.authentication { replaced.authentication = stored.client.authentication }
            return StoredOAuthClient(client: replaced, createdAt: stored.createdAt)
        }
    }

    package func remove(_ id: String, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.draft().tables.oauthClients.removeValue(forKey: id) != nil
    }

    package func setSecrets(_ id: String, _ secrets: [SecretHash], in transaction: borrowing Transaction) throws {
        _ = try change(id, in: transaction) { $0.with(authentication: .secret(secrets)) }
    }

    package func insert(_ ticket: RegistrationTicket, in transaction: borrowing Transaction) throws {
        try transaction.draft().tables.registrationTickets[ticket.digest] = ticket
    }

    package func use(_ ticket: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        let draft = try transaction.draft()
        guard let found = draft.tables.registrationTickets[ticket], found.uses > 0, now < found.expiresAt else {
            return false
        }
        draft.tables.registrationTickets[ticket] = RegistrationTicket(
            digest: ticket,
            uses: found.uses - 1,
            createdAt: found.createdAt,
            expiresAt: found.expiresAt
        )
        return true
    }

    private func change(
        _ id: String,
        in transaction: borrowing Transaction,
        _ body: (StoredOAuthClient) -> StoredOAuthClient
    ) throws -> Bool {
        let draft = try transaction.draft()
        guard let stored = draft.tables.oauthClients[id] else { return false }
        draft.tables.oauthClients[id] = body(stored)
        return true
    }
}

extension StoredOAuthClient {
    func with(
        isEnabled: Bool? = nil,
        authentication: OAuthClient.Authentication? = nil
    ) -> StoredOAuthClient {
        StoredOAuthClient(
            client: OAuthClient(
                id: client.id,
                name: client.name,
                origin: client.origin,
                isEnabled: isEnabled ?? client.isEnabled,
                authentication: authentication ?? client.authentication,
                access: OAuthClient.Access(
                    grants: client.access.grants,
                    scopes: client.access.scopes,
                    audience: client.access.audience,
                    resources: client.access.resources
                ),
                authorization: OAuthClient.AuthorizationRules(
                    redirectURIs: client.authorization.redirectURIs,
                    postLogoutRedirectURIs: client.authorization.postLogoutRedirectURIs,
                    requiresPushedRequests: client.authorization.requiresPushedRequests,
                    requires: client.authorization.requires,
                    backchannel: client.authorization.backchannel
                ),
                tokens: OAuthClient.TokenRules(
                    requiresDPoP: client.tokens.requiresDPoP,
                    identityAlgorithm: client.tokens.identityAlgorithm,
                    identityClaims: client.tokens.identityClaims,
                    logout: client.tokens.logout
                )
            ),
            createdAt: createdAt
        )
    }
}
