extension Migration {
    /// Mail that waits for delivery or has bounced, and the codes that were mailed.
    static let mailTables = """
        -- Encrypted, and gone when delivered.
        CREATE TABLE mail_queue (
            id TEXT PRIMARY KEY NOT NULL,
            kind TEXT NOT NULL
                CHECK (kind = 'sign_in_code' OR kind = 'address_proof' OR kind = 'notice' OR kind = 'test'),
            state TEXT NOT NULL CHECK (state IN ('queued', 'bounced')),
            sealing_key TEXT NOT NULL CHECK (length(sealing_key) BETWEEN 1 AND 64),
            recipient BLOB NOT NULL CHECK (length(recipient) BETWEEN 1 AND 1024),
            message BLOB CHECK ((message IS NOT NULL) = (state = 'queued')),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            due_at INTEGER NOT NULL,
            attempts INTEGER NOT NULL CHECK (attempts >= 0),
            failure TEXT
                CHECK (failure = 'temporary' OR failure = 'permanent' OR failure = 'configuration'
                    OR failure = 'unreadable'),
            reply INTEGER CHECK (reply BETWEEN 100 AND 599),
            lease TEXT CHECK (lease IS NULL OR state = 'queued'),
            ended_at INTEGER CHECK ((ended_at IS NOT NULL) = (state = 'bounced'))
        ) STRICT;
        CREATE INDEX mail_queue_due ON mail_queue (due_at) WHERE state = 'queued';
        CREATE INDEX mail_queue_by_age ON mail_queue (created_at) WHERE state = 'queued';
        CREATE INDEX mail_queue_ended ON mail_queue (ended_at) WHERE state = 'bounced';

        -- For as long as their tries are counted. Addresses of no account have rows under a stand-in: `account` names
        -- nothing.
        CREATE TABLE email_codes (
            id TEXT PRIMARY KEY NOT NULL,
            account TEXT NOT NULL,
            address BLOB NOT NULL CHECK (length(address) = 32),
            client TEXT NOT NULL,
            device TEXT NOT NULL CHECK (length(device) BETWEEN 1 AND 128),
            linked_device TEXT,
            digits BLOB NOT NULL CHECK (length(digits) = 32),
            link BLOB NOT NULL UNIQUE CHECK (length(link) = 32),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            wrong_tries INTEGER NOT NULL CHECK (wrong_tries BETWEEN 0 AND 5),
            ended_at INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX email_codes_live ON email_codes (account, client, device) WHERE ended_at IS NULL;
        CREATE INDEX email_codes_address ON email_codes (address, client, device) WHERE ended_at IS NULL;
        CREATE INDEX email_codes_account ON email_codes (account, created_at);
        CREATE INDEX email_codes_created ON email_codes (created_at);
        """
}
