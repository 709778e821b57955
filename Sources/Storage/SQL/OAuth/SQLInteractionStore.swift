package import Kernel
package import OAuth

/// The store of authorization requests that wait for a person.
///
/// A proof by a passkey is deleted with the passkey's row. If the passkey is already deleted, perhaps by the session
/// that began with it, the column stays NULL.
package struct SQLInteractionStore: InteractionStore {
    package init() {}

    package func insert(_ interaction: Interaction, keepingInAll: Int, in transaction: borrowing Transaction) throws {
        let writer = try transaction.connection()
        let number = try writer.insertNumbered(
            """
            INSERT INTO oauth_interactions (\(InteractionColumns.selected))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                (SELECT id FROM passkeys WHERE id = ?), ?, ?, ?, ?, ?)
            RETURNING number
            """,
            InteractionColumns.values(of: interaction)
        )
        if let number {
            try writer.keepNewest(keepingInAll, of: "oauth_interactions", after: number, with: interaction.id)
        }
    }

    package func find(_ id: Digest256, in transaction: borrowing Transaction) throws -> Interaction? {
        try transaction.connection().row(InteractionColumns.self, where: "id = ?", [id.column])
    }

    package func update(_ interaction: Interaction, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change(
            """
            UPDATE oauth_interactions
            SET account = ?, methods = ?, authenticated_at = ?, passkey = (SELECT id FROM passkeys WHERE id = ?),
                origin = ?, operation = ?, consented_by = ?
            WHERE id = ?
            """,
            InteractionColumns.changing(of: interaction) + [interaction.id.column]
        ) == 1
    }

    package func remove(_ id: Digest256, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.connection().change("DELETE FROM oauth_interactions WHERE id = ?", [id.column]) == 1
    }
}

/// The columns of an interaction, in the order of their values, without its number.
private enum InteractionColumns: RowColumns {
    static let table: StaticString = "oauth_interactions"
    static let selected = """
        id, browser, client, redirect_uri, names_redirect_uri, response_mode, state, scopes, resources, code_challenge,
        nonce, prompts, max_age, context_class, is_context_class_essential, login_hint, hinted_account, proof_key,
        ui_locales, id_token_claims, account, methods, authenticated_at, passkey, origin,
        operation, consented_by, created_at, expires_at
        """

    static func values(of interaction: Interaction) -> [ColumnValue] {
        let request = interaction.request
        let head: [ColumnValue] = [
            interaction.id.column, interaction.browser.column, request.clientID.column,
            request.target.redirectURI.column,
            request.target.namesRedirectURI.column, request.target.responseMode.rawValue.column,
            request.target.state.column(\.column),
            request.scopes.text.column, request.resources.spaced.column, request.binding.codeChallenge.column(\.column),
        ]
        let preferences: [ColumnValue] = [
            request.nonce.column(\.column), request.demands.prompts.map(\.rawValue).sorted().spaced.column,
            request.demands.maxAge.column(\.column), request.demands.contextClass.column(\.rawValue.column),
            request.demands.isContextClassEssential.column, request.demands.loginHint.column(\.column),
            request.demands.hintedAccount.column(\.column), request.binding.proofKey.column(\.column),
            request.demands.uiLocales.column(\.column), request.identityClaims.column,
        ]
        return head + preferences + changing(of: interaction)
            + [interaction.createdAt.column, interaction.expiresAt.column]
    }

    /// Returns the values of the columns that change while the interaction is open.
    static func changing(of interaction: Interaction) -> [ColumnValue] {
        [(interaction.proven?.account).column(\.column)]
            + (interaction.proven?.authentication.columns ?? [.null, .null, .null, .null])
            + [interaction.operation.column(\.column), interaction.consentedBy.column(\.column)]
    }

    static func read(_ columns: inout ColumnReader) throws -> Interaction {
        Interaction(
            id: try columns.digest("id"),
            browser: try columns.digest("browser"),
            request: try request(&columns),
            proven: try proven(&columns),
            operation: try columns.optionalText("operation").flatMap { UUIDBits($0) },
            consentedBy: try columns.optionalID("consented_by"),
            createdAt: try columns.instant("created_at"),
            expiresAt: try columns.instant("expires_at")
        )
    }

    private static func proven(_ columns: inout ColumnReader) throws -> Interaction.Proven? {
        guard let account = try columns.optionalID("account", AccountID.self) else { return nil }
        return Interaction.Proven(account: account, authentication: try AuthenticationContext(&columns))
    }

    private static func request(_ columns: inout ColumnReader) throws -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: try columns.text("client"),
            redirectURI: try columns.text("redirect_uri"),
            namesRedirectURI: try columns.flag("names_redirect_uri"),
            responseMode: try columns.value("response_mode"),
            state: try columns.optionalText("state"),
            scopes: ScopeSet(Set(try columns.words("scopes"))),
            resources: try columns.words("resources"),
            codeChallenge: try columns.optionalDigest("code_challenge"),
            nonce: try columns.optionalText("nonce"),
            prompts: Set(try columns.words("prompts").compactMap(AuthorizationRequest.Prompt.init)),
            maxAge: try columns.optionalInteger("max_age").map { Int($0) },
            contextClass: try columns.optionalValue("context_class"),
            isContextClassEssential: try columns.flag("is_context_class_essential"),
            loginHint: try columns.optionalText("login_hint"),
            hintedAccount: try columns.optionalID("hinted_account"),
            proofKey: try columns.optionalDigest("proof_key"),
            uiLocales: try columns.optionalText("ui_locales"),
            identityClaims: Set(identityClaims: try columns.text("id_token_claims"))
        )
    }
}
