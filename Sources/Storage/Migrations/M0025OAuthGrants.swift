extension Migration {
    /// What the sessions of the authorization server are limited to; scopes and resources with a space between two.
    static let oauthGrants = Migration(
        version: 25,
        name: "oauth grants",
        sqlite: """
            CREATE TABLE oauth_grants (
                session TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
                resources TEXT NOT NULL CHECK (length(resources) <= 16384),
                nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 4096),
                backchannel_request TEXT CHECK (length(backchannel_request) BETWEEN 1 AND 256)
            ) STRICT, WITHOUT ROWID;
            """
    )
}
