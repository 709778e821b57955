extension Migration {
    /// Mail that is to be delivered, and mail that bounced; sealed, and gone when delivered.
    static let mailQueue = Migration(
        version: 11,
        name: "mail queue",
        sqlite: """
            CREATE TABLE mail_queue (
                id TEXT PRIMARY KEY NOT NULL,
                kind TEXT NOT NULL CHECK (kind IN ('sign_in_code', 'address_proof', 'notice', 'test')),
                state TEXT NOT NULL CHECK (state IN ('queued', 'bounced')),
                sealing_key TEXT NOT NULL CHECK (length(sealing_key) BETWEEN 1 AND 64),
                recipient BLOB NOT NULL CHECK (length(recipient) BETWEEN 1 AND 1024),
                message BLOB CHECK ((message IS NOT NULL) = (state = 'queued')),
                created_at INTEGER NOT NULL,
                expires_at INTEGER NOT NULL,
                due_at INTEGER NOT NULL,
                attempts INTEGER NOT NULL CHECK (attempts >= 0),
                failure TEXT CHECK (failure IN ('temporary', 'permanent', 'configuration', 'unreadable')),
                reply INTEGER CHECK (reply BETWEEN 100 AND 599),
                lease TEXT CHECK (lease IS NULL OR state = 'queued'),
                ended_at INTEGER CHECK ((ended_at IS NOT NULL) = (state = 'bounced'))
            ) STRICT;
            CREATE INDEX mail_queue_due ON mail_queue (due_at) WHERE state = 'queued';
            CREATE INDEX mail_queue_ended ON mail_queue (ended_at) WHERE state = 'bounced';
            """
    )
}
