package import Kernel
package import OAuth

/// The store of authorization codes: a code that was proved with a passkey is deleted with the passkey's row.
package struct SQLAuthorizationCodeStore: AuthorizationCodeStore {
    package init() {}

    package func insert(_ code: AuthorizationCode, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            """
            INSERT INTO oauth_codes (\(CodeColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, (SELECT id FROM passkeys WHERE id = ?), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            CodeColumns.values(of: code)
        )
    }

    package func find(_ digest: Digest256, in transaction: borrowing Transaction) throws -> AuthorizationCode? {
        try transaction.connection().row(CodeColumns.self, where: "digest = ?", [digest.column])
    }

    package func redeem(_ digest: Digest256, at now: Instant, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            "UPDATE oauth_codes SET redeemed_at = ? WHERE digest = ? AND redeemed_at IS NULL AND expires_at > ?",
            [now.column, digest.column, now.column]
        ) == 1
    }

    package func note(session: SessionID, for digest: Digest256, in transaction: borrowing Transaction) throws {
        try transaction.connection().change(
            "UPDATE oauth_codes SET session = ? WHERE digest = ? AND redeemed_at IS NOT NULL",
            [session.column, digest.column]
        )
    }
}

/// The columns of a code, in the order of their values.
private enum CodeColumns: RowColumns {
    static let table: StaticString = "oauth_codes"
    static let selected = """
        digest, account, client, scopes, resources, methods, authenticated_at, passkey, origin, nonce,
        id_token_claims, redirect_uri, names_redirect_uri, code_challenge, proof_key, issued_at, expires_at, redeemed_at, session
        """

    static func values(of code: AuthorizationCode) -> [ColumnValue] {
        let grant = code.grant
        let granted: [ColumnValue] = [
            code.digest.column, grant.account.column, grant.clientID.column, grant.scopes.text.column,
            grant.resources.spaced.column,
        ]
        let bound: [ColumnValue] = [
            grant.nonce.column(\.column), grant.identityClaims.column, code.binding.redirectURI.column,
            code.binding.namesRedirectURI.column, code.binding.codeChallenge.column(\.column),
            code.binding.proofKey.column(\.column), code.issuedAt.column, code.expiresAt.column,
            code.redeemedAt.column(\.column), code.session.column(\.column),
        ]
        return granted + grant.authentication.columns + bound
    }

    static func read(_ columns: inout ColumnReader) throws -> AuthorizationCode {
        AuthorizationCode(
            digest: try columns.digest("digest"),
            grant: AuthorizedGrant(
                account: try columns.id("account"),
                clientID: try columns.text("client"),
                scopes: ScopeSet(Set(try columns.words("scopes"))),
                resources: try columns.words("resources"),
                authentication: try AuthenticationContext(&columns),
                nonce: try columns.optionalText("nonce"),
                identityClaims: Set(identityClaims: try columns.text("id_token_claims"))
            ),
            binding: AuthorizationCode.Binding(
                redirectURI: try columns.text("redirect_uri"),
                namesRedirectURI: try columns.flag("names_redirect_uri"),
                codeChallenge: try columns.optionalDigest("code_challenge"),
                proofKey: try columns.optionalDigest("proof_key")
            ),
            issuedAt: try columns.instant("issued_at"),
            expiresAt: try columns.instant("expires_at"),
            redeemedAt: try columns.optionalInstant("redeemed_at"),
            session: try columns.optionalID("session")
        )
    }
}
