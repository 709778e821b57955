extension Migration {
    /// Accounts with their attributes, names, addresses and faces, and failed tries at secrets.
    static let accountTables = """
        -- `folded_name`: what the list of operators is searched by, whatever the case of letters.
        -- `password_origin`: the session that the password was set in.
        CREATE TABLE accounts (
            id TEXT PRIMARY KEY NOT NULL,
            display_name TEXT NOT NULL,
            folded_name TEXT NOT NULL DEFAULT '',
            state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
            password_hash TEXT,
            password_origin TEXT CHECK (length(password_origin) = 36),
            created_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE INDEX accounts_by_creation ON accounts (created_at DESC, id);

        CREATE TABLE account_attributes (
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            name TEXT NOT NULL,
            value TEXT NOT NULL,
            PRIMARY KEY (account, name)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE identifiers (
            kind TEXT NOT NULL CHECK (kind IN ('email', 'username')),
            value TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
            PRIMARY KEY (kind, value)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX identifiers_by_account ON identifiers (account);

        -- Addresses that accounts have not proved yet.
        CREATE TABLE address_claims (
            account TEXT PRIMARY KEY NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            value TEXT NOT NULL,
            claimed_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX address_claims_by_value ON address_claims (value);

        -- `version`: higher each time that the face is set up or withdrawn, since a name at a provider stays.
        -- `origin`, `origin_methods`: the session that the face was set up in, and how its person had signed in.
        CREATE TABLE enrolments (
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            provider TEXT NOT NULL,
            reference TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('active', 'revoked')),
            version INTEGER NOT NULL DEFAULT 0,
            origin TEXT CHECK (length(origin) = 36),
            origin_methods TEXT CHECK (length(origin_methods) <= 200),
            PRIMARY KEY (account, provider)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX enrolments_by_reference ON enrolments (provider, reference);

        CREATE TABLE lockouts (
            subject BLOB PRIMARY KEY NOT NULL CHECK (length(subject) = 32),
            tries INTEGER NOT NULL CHECK (tries > 0),
            last_tried_at INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX lockouts_by_try ON lockouts (last_tried_at);
        """
}
