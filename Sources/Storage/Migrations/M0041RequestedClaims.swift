extension Migration {
    /// What an authorization request asks the id token to say of the person, as far as the tokens of its grant.
    static let requestedClaims = Migration(
        version: 41,
        name: "requested claims",
        sqlite: """
            ALTER TABLE oauth_interactions ADD COLUMN id_token_claims TEXT NOT NULL DEFAULT ''
                CHECK (length(id_token_claims) <= 200);
            ALTER TABLE oauth_codes ADD COLUMN id_token_claims TEXT NOT NULL DEFAULT ''
                CHECK (length(id_token_claims) <= 200);
            ALTER TABLE oauth_grants ADD COLUMN id_token_claims TEXT NOT NULL DEFAULT ''
                CHECK (length(id_token_claims) <= 200);
            """
    )
}
