import GRDB
package import Kernel
package import OAuth

/// Authorization requests that wait for a person, in SQLite.
///
/// What a passkey has proved goes with the passkey's row. One that is gone already, which the session that removed it may
/// have begun with, is written as none.
package struct SQLiteInteractionStore: InteractionStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func insert(
        _ interaction: Interaction,
        keepingInAll: Int,
        in transaction: borrowing Transaction
    ) throws {
        let writer = try transaction.database()
        try writer.change(
            """
            INSERT INTO oauth_interactions (number, \(InteractionColumns.selected))
            VALUES (1 + COALESCE((SELECT MAX(number) FROM oauth_interactions), 0),
                ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,
                (SELECT id FROM passkeys WHERE id = ?), ?, ?, ?, ?, ?)
            """,
            InteractionColumns.values(of: interaction)
        )
        try writer.keepNewest(keepingInAll, of: "oauth_interactions")
    }

    package func find(_ id: Digest256) async throws -> Interaction? {
        try await database.read { reader in try reader.interaction(id) }
    }

    package func find(_ id: Digest256, in transaction: borrowing Transaction) throws -> Interaction? {
        try transaction.database().interaction(id)
    }

    package func update(_ interaction: Interaction, in transaction: borrowing Transaction) throws -> Bool {
        try transaction.database().change(
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
        try transaction.database().change("DELETE FROM oauth_interactions WHERE id = ?", [id.column]) == 1
    }

    package func purge(
        expiredBefore instant: Instant,
        limit: Int,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try transaction.database().purge(
            "oauth_interactions",
            by: "number",
            where: "expires_at",
            before: instant,
            limit
        )
    }
}

extension Database {
    fileprivate func interaction(_ id: Digest256) throws -> Interaction? {
        try first(
            "SELECT \(InteractionColumns.selected) FROM oauth_interactions WHERE id = ?",
            [id.column],
            InteractionColumns.read
        )
    }
}

/// The columns of an interaction, in one order; its number apart.
private enum InteractionColumns {
    static let selected = """
        id, browser, client, redirect_uri, names_redirect_uri, response_mode, state, scopes, resources, code_challenge,
        nonce, prompts, max_age, context_class, is_context_class_essential, login_hint, hinted_account, proof_key,
        ui_locales, id_token_claims, account, methods, authenticated_at, passkey, origin,
        operation, consented_by, created_at, expires_at
        """

    static func values(of interaction: Interaction) -> [ColumnValue] {
        let request = interaction.request
        let head: [ColumnValue] = [
            interaction.id.column, interaction.browser.column, request.clientID.column, request.redirectURI.column,
            request.namesRedirectURI.column, request.responseMode.rawValue.column, request.state.column(\.column),
            request.scopes.text.column, request.resources.spaced.column, request.codeChallenge.column(\.column),
        ]
        let wishes: [ColumnValue] = [
            request.nonce.column(\.column), request.prompts.map(\.rawValue).sorted().spaced.column,
            request.maxAge.column(\.column), request.contextClass.column(\.rawValue.column),
            request.isContextClassEssential.column, request.loginHint.column(\.column),
            request.hintedAccount.column(\.column), request.proofKey.column(\.column),
            request.uiLocales.column(\.column), request.identityClaims.column,
        ]
        return head + wishes + changing(of: interaction)
            + [interaction.createdAt.column, interaction.expiresAt.column]
    }

    /// What changes while the interaction is open.
    static func changing(of interaction: Interaction) -> [ColumnValue] {
        [
            (interaction.proven?.account).column(\.column),
            (interaction.proven?.authentication.methods).column(\.spaced.column),
            (interaction.proven?.authentication.at).column(\.column),
            (interaction.proven?.authentication.passkey).column(\.column),
            (interaction.proven?.authentication.session).column(\.column),
            interaction.operation.column(\.column), interaction.consentedBy.column(\.column),
        ]
    }

    static func read(_ columns: inout ColumnReader) throws -> Interaction {
        let (id, browser) = (try columns.digest(), try columns.digest())
        let request = try request(&columns)
        let account = try columns.optionalID(AccountID.self)
        let (methods, at) = (columns.optionalText(), columns.optionalInstant())
        let passkey = try columns.optionalID(PasskeyID.self)
        let session = try columns.optionalID(SessionID.self)
        var proven: Interaction.Proven?
        if let account, let methods, let at {
            let authentication = AuthenticationFacts(
                methods: methods.words,
                at: at,
                passkey: passkey,
                session: session
            )
            proven = Interaction.Proven(account: account, authentication: authentication)
        }
        return Interaction(
            id: id,
            browser: browser,
            request: request,
            proven: proven,
            operation: columns.optionalText().flatMap { UUIDBits($0) },
            consentedBy: try columns.optionalID(AccountID.self),
            createdAt: try columns.instant(),
            expiresAt: try columns.instant()
        )
    }

    private static func request(_ columns: inout ColumnReader) throws -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: try columns.text(),
            redirectURI: try columns.text(),
            namesRedirectURI: try columns.integer() == 1,
            responseMode: try columns.value(),
            state: columns.optionalText(),
            scopes: ScopeSet(Set(try columns.text().words)),
            resources: try columns.text().words,
            codeChallenge: try columns.optionalDigest(),
            nonce: columns.optionalText(),
            prompts: Set(try columns.text().words.compactMap(AuthorizationRequest.Prompt.init)),
            maxAge: columns.optionalInteger().map { Int($0) },
            contextClass: try columns.optionalValue(),
            isContextClassEssential: try columns.integer() == 1,
            loginHint: columns.optionalText(),
            hintedAccount: try columns.optionalID(),
            proofKey: try columns.optionalDigest(),
            uiLocales: columns.optionalText(),
            identityClaims: Set(identityClaims: try columns.text())
        )
    }
}

extension [String] {
    /// With a space between two: of words that have none in them.
    var spaced: String { joined(separator: " ") }
}

extension String {
    var words: [String] { split(separator: " ").map(String.init) }
}
