extension Migration {
    /// Authorization requests: those that clients pushed, those that wait for a person, the codes that came of them, and what
    /// people have agreed to.
    static let authorizations = Migration(
        version: 24,
        name: "authorizations",
        sqlite: """
            -- What came first has the lowest number: it is the first to go where there are too many.
            CREATE TABLE oauth_requests (
                number INTEGER PRIMARY KEY NOT NULL,
                digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 131072),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);

            CREATE TABLE oauth_interactions (
                number INTEGER PRIMARY KEY NOT NULL,
                id BLOB NOT NULL UNIQUE CHECK (length(id) = 32),
                browser BLOB NOT NULL CHECK (length(browser) = 32),
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                redirect_uri TEXT NOT NULL CHECK (length(redirect_uri) BETWEEN 1 AND 2048),
                names_redirect_uri INTEGER NOT NULL CHECK (names_redirect_uri IN (0, 1)),
                response_mode TEXT NOT NULL CHECK (response_mode IN ('query', 'form_post')),
                state TEXT CHECK (length(state) BETWEEN 1 AND 4096),
                scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
                resources TEXT NOT NULL CHECK (length(resources) <= 16384),
                code_challenge BLOB CHECK (length(code_challenge) = 32),
                nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 1024),
                prompts TEXT NOT NULL CHECK (length(prompts) <= 64),
                max_age INTEGER CHECK (max_age >= 0),
                context_class TEXT CHECK (context_class IN ('face', 'passkey', 'face+passkey')),
                is_context_class_essential INTEGER NOT NULL CHECK (is_context_class_essential IN (0, 1)),
                login_hint TEXT CHECK (length(login_hint) BETWEEN 1 AND 1024),
                hinted_account TEXT CHECK (length(hinted_account) = 36),
                proof_key BLOB CHECK (length(proof_key) = 32),
                account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
                methods TEXT CHECK (length(methods) <= 200),
                authenticated_at INTEGER,
                operation TEXT CHECK (length(operation) = 36),
                consented_by TEXT CHECK (length(consented_by) = 36),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                CHECK ((account IS NULL) = (methods IS NULL) AND (account IS NULL) = (authenticated_at IS NULL))
            ) STRICT;
            CREATE INDEX oauth_interactions_by_account ON oauth_interactions (account) WHERE account IS NOT NULL;
            CREATE INDEX oauth_interactions_by_expiry ON oauth_interactions (expires_at);

            CREATE TABLE oauth_codes (
                digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
                resources TEXT NOT NULL CHECK (length(resources) <= 16384),
                methods TEXT NOT NULL CHECK (length(methods) <= 200),
                authenticated_at INTEGER NOT NULL,
                nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 1024),
                redirect_uri TEXT NOT NULL CHECK (length(redirect_uri) BETWEEN 1 AND 2048),
                names_redirect_uri INTEGER NOT NULL CHECK (names_redirect_uri IN (0, 1)),
                code_challenge BLOB CHECK (length(code_challenge) = 32),
                proof_key BLOB CHECK (length(proof_key) = 32),
                issued_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                redeemed_at INTEGER,
                session TEXT CHECK (length(session) = 36),
                CHECK (session IS NULL OR redeemed_at IS NOT NULL)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX oauth_codes_by_account ON oauth_codes (account);
            CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

            CREATE TABLE oauth_consents (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
                scopes TEXT NOT NULL CHECK (length(scopes) <= 8192),
                resources TEXT NOT NULL CHECK (length(resources) <= 65536),
                granted_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                PRIMARY KEY (account, client)
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX oauth_consents_by_expiry ON oauth_consents (expires_at);
            """
    )
}
