extension Migration {
    /// Authorization requests, the codes and grants that result from them, and consents.
    ///
    /// Scopes and resources are texts separated by spaces. `origin`: the session in which the row was approved.
    static let authorizationTables = """
        -- The oldest has the lowest number: it is the first to go where there are too many.
        CREATE TABLE oauth_requests (
            number INTEGER PRIMARY KEY NOT NULL,
            digest BLOB NOT NULL UNIQUE CHECK (length(digest) = 32),
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 131072),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX oauth_requests_by_client ON oauth_requests (client, expires_at);
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
            context_class TEXT
                CHECK (context_class = 'face' OR context_class = 'passkey' OR context_class = 'face-and-passkey'),
            is_context_class_essential INTEGER NOT NULL CHECK (is_context_class_essential IN (0, 1)),
            ui_locales TEXT CHECK (length(ui_locales) BETWEEN 1 AND 200),
            id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
            login_hint TEXT CHECK (length(login_hint) BETWEEN 1 AND 1024),
            hinted_account TEXT CHECK (length(hinted_account) = 36),
            proof_key BLOB CHECK (length(proof_key) = 32),
            account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            methods TEXT CHECK (length(methods) <= 200),
            authenticated_at INTEGER,
            passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE,
            origin TEXT CHECK (length(origin) = 36),
            operation TEXT CHECK (length(operation) = 36),
            consented_by TEXT CHECK (length(consented_by) = 36),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            CHECK ((account IS NULL) = (methods IS NULL) AND (account IS NULL) = (authenticated_at IS NULL))
        ) STRICT;
        CREATE INDEX oauth_interactions_by_account ON oauth_interactions (account) WHERE account IS NOT NULL;
        CREATE INDEX oauth_interactions_by_passkey ON oauth_interactions (passkey) WHERE passkey IS NOT NULL;
        CREATE INDEX oauth_interactions_by_expiry ON oauth_interactions (expires_at);

        CREATE TABLE oauth_codes (
            digest BLOB PRIMARY KEY NOT NULL CHECK (length(digest) = 32),
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
            resources TEXT NOT NULL CHECK (length(resources) <= 16384),
            methods TEXT NOT NULL CHECK (length(methods) <= 200),
            authenticated_at INTEGER NOT NULL,
            passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE,
            origin TEXT CHECK (length(origin) = 36),
            nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 1024),
            id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
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
        CREATE INDEX oauth_codes_by_passkey ON oauth_codes (passkey) WHERE passkey IS NOT NULL;
        CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

        -- `origin`: the session that the consent was given in; empty where there is none.
        CREATE TABLE oauth_consents (
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            origin TEXT NOT NULL CHECK (length(origin) IN (0, 36)),
            scopes TEXT NOT NULL CHECK (length(scopes) <= 8192),
            resources TEXT NOT NULL CHECK (length(resources) <= 65536),
            granted_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (account, client, origin)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX oauth_consents_by_client ON oauth_consents (client);
        CREATE INDEX oauth_consents_by_expiry ON oauth_consents (expires_at);

        -- What a session of the authorization server is limited to.
        CREATE TABLE oauth_grants (
            session TEXT PRIMARY KEY NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
            resources TEXT NOT NULL CHECK (length(resources) <= 16384),
            nonce TEXT CHECK (length(nonce) BETWEEN 1 AND 4096),
            id_token_claims TEXT NOT NULL DEFAULT '' CHECK (length(id_token_claims) <= 200),
            backchannel_request TEXT CHECK (length(backchannel_request) BETWEEN 1 AND 256)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE device_authorizations (
            number INTEGER PRIMARY KEY NOT NULL,
            device_code BLOB NOT NULL UNIQUE CHECK (length(device_code) = 32),
            user_code BLOB NOT NULL UNIQUE CHECK (length(user_code) = 32),
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            scopes TEXT NOT NULL CHECK (length(scopes) <= 1024),
            resources TEXT NOT NULL CHECK (length(resources) <= 16384),
            source BLOB NOT NULL CHECK (length(source) = 32),
            origin_address TEXT NOT NULL CHECK (length(origin_address) <= 64),
            origin_agent TEXT NOT NULL CHECK (length(origin_agent) <= 64),
            state TEXT NOT NULL
                CHECK (state = 'pending' OR state = 'approved' OR state = 'denied' OR state = 'redeemed'),
            account TEXT REFERENCES accounts (id) ON DELETE CASCADE,
            methods TEXT CHECK (length(methods) <= 200),
            authenticated_at INTEGER,
            passkey TEXT REFERENCES passkeys (id) ON DELETE CASCADE,
            origin TEXT CHECK (length(origin) = 36),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            CHECK (
                (state = 'approved') = (account IS NOT NULL)
                AND (state = 'approved') = (methods IS NOT NULL)
                AND (state = 'approved') = (authenticated_at IS NOT NULL)
            )
        ) STRICT;
        CREATE INDEX device_authorizations_by_source ON device_authorizations (source, number);
        CREATE INDEX device_authorizations_by_account ON device_authorizations (account)
            WHERE account IS NOT NULL;
        CREATE INDEX device_authorizations_by_passkey ON device_authorizations (passkey)
            WHERE passkey IS NOT NULL;
        CREATE INDEX device_authorizations_by_expiry ON device_authorizations (expires_at);

        CREATE TABLE backchannel_requests (
            id BLOB PRIMARY KEY NOT NULL CHECK (length(id) = 32),
            operation TEXT NOT NULL UNIQUE,
            client TEXT NOT NULL CHECK (length(client) BETWEEN 1 AND 256),
            delivery TEXT NOT NULL CHECK (delivery = 'poll' OR delivery = 'ping' OR delivery = 'push'),
            scopes TEXT NOT NULL CHECK (length(scopes) BETWEEN 6 AND 1024),
            resources TEXT NOT NULL CHECK (length(resources) <= 16384),
            interval_ms INTEGER NOT NULL CHECK (interval_ms > 0),
            endpoint TEXT CHECK (length(endpoint) BETWEEN 1 AND 2048),
            sealing_key TEXT CHECK (length(sealing_key) BETWEEN 1 AND 64),
            sealed BLOB CHECK (length(sealed) BETWEEN 1 AND 2048),
            created_at INTEGER NOT NULL,
            kept_until INTEGER NOT NULL,
            notice_due_at INTEGER,
            notice_expires_at INTEGER,
            notice_attempts INTEGER NOT NULL DEFAULT 0 CHECK (notice_attempts >= 0),
            notice_lease TEXT,
            CHECK ((endpoint IS NULL) = (sealed IS NULL) AND (endpoint IS NULL) = (sealing_key IS NULL)),
            CHECK (endpoint IS NULL OR delivery <> 'poll'),
            CHECK (notice_due_at IS NULL OR (endpoint IS NOT NULL AND notice_expires_at IS NOT NULL)),
            CHECK (notice_lease IS NULL OR notice_due_at IS NOT NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX backchannel_requests_by_end ON backchannel_requests (kept_until);
        CREATE INDEX backchannel_notices_due ON backchannel_requests (notice_due_at, operation)
            WHERE notice_due_at IS NOT NULL;
        CREATE INDEX backchannel_notices_by_client
            ON backchannel_requests (client, notice_due_at, operation) WHERE notice_due_at IS NOT NULL;
        CREATE INDEX backchannel_notices_by_age ON backchannel_requests (delivery, notice_expires_at)
            WHERE notice_due_at IS NOT NULL;
        """
}
