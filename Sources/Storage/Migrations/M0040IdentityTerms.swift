extension Migration {
    /// What a client's id tokens are signed with and say, and the languages that an authorization request asks for.
    static let identityTerms = Migration(
        version: 40,
        name: "identity terms",
        sqlite: """
            ALTER TABLE oauth_clients ADD COLUMN id_token_algorithm TEXT
                CHECK (id_token_algorithm IN ('ES256', 'EdDSA', 'RS256'));
            ALTER TABLE oauth_clients ADD COLUMN id_token_claims TEXT NOT NULL DEFAULT ''
                CHECK (length(id_token_claims) <= 200);
            ALTER TABLE oauth_interactions ADD COLUMN ui_locales TEXT CHECK (length(ui_locales) BETWEEN 1 AND 200);
            """
    )
}
