package import Kernel
package import OAuth

/// The store of grants, which limit the authorization server's sessions.
package struct SQLOAuthGrantStore: OAuthGrantStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func insert(_ grant: SessionGrant, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO oauth_grants (session, client, scopes, resources, nonce, backchannel_request, id_token_claims)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                grant.session.column, grant.clientID.column, grant.scopes.text.column,
                // A URI has no space (RFC 3986 §2).
                grant.resources.spaced.column, grant.nonce.column(\.column),
                grant.backchannelRequest.column(\.column), grant.identityClaims.column,
            ]
        )
    }

    package func find(_ session: SessionID) async throws -> SessionGrant? {
        try await database.reading { try find(session, in: $0) }
    }

    package func find(_ session: SessionID, in transaction: borrowing Transaction) throws -> SessionGrant? {
        try transaction.connection().first(
            """
            SELECT client, scopes, resources, nonce, backchannel_request, id_token_claims FROM oauth_grants
            WHERE session = ?
            """,
            [session.column]
        ) { columns in
            SessionGrant(
                session: session,
                clientID: try columns.text("client"),
                scopes: ScopeSet(Set(try columns.words("scopes"))),
                resources: try columns.words("resources"),
                nonce: try columns.optionalText("nonce"),
                backchannelRequest: try columns.optionalText("backchannel_request"),
                identityClaims: Set(identityClaims: try columns.text("id_token_claims"))
            )
        }
    }
}
