package import Kernel
package import Operations
import Sessions
import TokenReading
package import Tokens

/// Signs what a refresh is worth: of the same rows the same claims, so that an answer can be lost.
package struct SessionTokens: Sendable {
    /// What an answer carries.
    struct Fresh {
        let access: Secret
        /// `nil` where the old one goes on.
        let refresh: Secret?
        let refreshExpiresAt: Instant
        let expiresIn: Int
        let type: String
    }

    private let issuer: TokenIssuer
    private let succession: RefreshSuccession
    private let clients: ClientDirectory
    private let accepted: AcceptedClients
    private let facts: Facts

    package init(
        issuer: TokenIssuer,
        succession: RefreshSuccession,
        clients: ClientDirectory,
        accepted: AcceptedClients,
        facts: Facts
    ) {
        self.issuer = issuer
        self.succession = succession
        self.clients = clients
        self.accepted = accepted
        self.facts = facts
    }

    /// The order of whoever holds that token, at a route that takes those refresh tokens.
    func order(_ held: HeldRefreshToken, _ evidence: RefreshEvidence, _ demand: TokenDemand) -> RefreshOrder {
        RefreshOrder(
            account: held.claims.account,
            session: held.claims.session,
            key: held.claims.rowKey,
            successor: refreshRowKey(succession.successor(of: held.claims.tokenID)),
            clients: accepted.ids(demand),
            carrier: held.carrier,
            evidence: evidence
        )
    }

    /// The tokens of the grant that the held token got.
    func sign(_ grant: RefreshGrant, _ held: HeldRefreshToken) throws -> Fresh {
        let policy: ClientPolicy
        do { policy = try clients.client(named: grant.session.client, surface: nil) } catch {
            throw Problem.unauthorized(.badRefreshToken)
        }
        let now = facts.now()
        var (tokenID, issuedAt, end) = (held.claims.tokenID, now, held.claims.expiresAt)
        if let successor = grant.successor {
            tokenID = succession.successor(of: tokenID)
            end = successor.expiresAt
            // The same access token again, while half of its time is left; to one who comes later it would be no use.
            if now - successor.issuedAt < policy.accessTokenLifetime / 2 { issuedAt = successor.issuedAt }
        }
        let expiresAt = min(issuedAt + policy.accessTokenLifetime, end)
        // The first answer with a token says its whole lifetime; a repeated one says what is left of it.
        let asOf = grant.isRotation ? issuedAt : now
        let access = try issuer.sign(
            access: AccessClaims(
                account: grant.session.account,
                audience: policy.audience,
                clientID: policy.clientID,
                session: grant.session.id,
                deviceID: held.claims.deviceID,
                tokenID: succession.accessTokenID(for: tokenID, issuedAt: issuedAt),
                issuedAt: issuedAt,
                expiresAt: expiresAt,
                authenticatedAt: grant.session.authenticatedAt,
                methods: grant.session.methods,
                contextClass: ContextClass.of(grant.session.methods),
                confirmation: grant.session.proofKey.map { KeyID($0) }
            )
        )
        return Fresh(
            access: access,
            refresh: grant.successor.map { refresh(tokenID, $0, held) },
            refreshExpiresAt: end,
            expiresIn: Int(max(0, (expiresAt - asOf).wholeMilliseconds / 1000)),
            type: TokenScheme.of(grant.session.proofKey)
        )
    }

    private func refresh(_ tokenID: String, _ row: RefreshToken, _ held: HeldRefreshToken) -> Secret {
        issuer.sign(
            refresh: RefreshClaims(
                account: held.claims.account,
                session: held.claims.session,
                deviceID: held.claims.deviceID,
                tokenID: tokenID,
                issuedAt: row.issuedAt,
                expiresAt: row.expiresAt
            )
        )
    }
}
