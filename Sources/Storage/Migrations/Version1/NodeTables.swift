extension Migration {
    /// What the daemons that share a PostgreSQL database need.
    ///
    /// `nodes`: the daemons, with times by the server's clock. After `lease_until` another daemon may follow this one's
    /// operations, and `adopted_by` is the one that does. `serving_since`: since when it accepts requests. `config`: a
    /// digest of the settings in which all daemons have to agree. `encryption_key`: the name of the key with which it
    /// encrypts rows. `is_draining`: whether an operator wants it to leave its load balancer. `notices`: how
    /// it tells others of changes.
    ///
    /// `notices`: messages between daemons that don't use LISTEN, for about a minute.
    ///
    /// `key_rings`: the signing keys, encrypted under `root.key`.
    ///
    /// `limit_uses`: the uses of small limits (GCRA), by a keyed digest.
    ///
    /// `checkpoints`: the lines of the audit's checkpoint log.
    ///
    /// The indices find operations of other daemons: live ones, and by their tickets also those that have ended.
    /// Without other daemons, each of them is in memory.
    static let nodeTables = """
        CREATE TABLE nodes (
            name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40),
            life TEXT NOT NULL,
            version TEXT NOT NULL CHECK (length(version) <= 100),
            config TEXT NOT NULL CHECK (length(config) <= 100),
            encryption_key TEXT NOT NULL CHECK (length(encryption_key) <= 100),
            started_at INTEGER NOT NULL,
            serving_since INTEGER,
            is_draining INTEGER NOT NULL DEFAULT 0 CHECK (is_draining IN (0, 1)),
            lease_until INTEGER NOT NULL,
            adopted_by TEXT CHECK (adopted_by IS NULL OR adopted_by <> name),
            notices TEXT NOT NULL DEFAULT 'listen' CHECK (notices IN ('listen', 'poll'))
        ) STRICT;

        CREATE TABLE notices (
            sender TEXT NOT NULL CHECK (length(sender) <= 40),
            number INTEGER NOT NULL CHECK (number > 0),
            batch TEXT NOT NULL CHECK (length(batch) <= 8000),
            sent_at INTEGER NOT NULL,
            PRIMARY KEY (sender, number)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX notices_by_time ON notices (sent_at);

        CREATE TABLE key_rings (
            name TEXT NOT NULL UNIQUE CHECK (length(name) BETWEEN 1 AND 40),
            version INTEGER NOT NULL CHECK (version > 0),
            content BLOB NOT NULL
        ) STRICT;

        CREATE TABLE limit_uses (
            key INTEGER NOT NULL UNIQUE,
            paid_until INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX limit_uses_by_end ON limit_uses (paid_until);

        CREATE TABLE checkpoints (
            number INTEGER NOT NULL UNIQUE CHECK (number > 0),
            line TEXT NOT NULL
        ) STRICT;

        CREATE INDEX live_operations_by_node ON operations (node, id) WHERE ended_at IS NULL;
        CREATE INDEX live_operations_by_public_id ON operations (public_id) WHERE ended_at IS NULL;
        -- Of every operation, also those without a browser: the browser changes at each opening. If a predicate named it,
        -- PostgreSQL would write an entry in every index of the table then. The end of an operation does so once.
        CREATE INDEX operations_by_ticket ON operations (ticket);
        CREATE INDEX live_operations_of_accounts ON operations (account)
            WHERE account IS NOT NULL AND ended_at IS NULL;
        """
}
