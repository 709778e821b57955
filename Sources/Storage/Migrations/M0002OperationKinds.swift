extension Migration {
    /// Operations may be enrolments and approvals as well as logins.
    ///
    /// SQLite can't change a CHECK in place, so the table is made anew.
    static let operationKinds = Migration(
        version: 2,
        name: "operation kinds",
        sqlite: """
            CREATE TABLE operations_of_three_kinds (
                id TEXT NOT NULL UNIQUE,
                public_id BLOB NOT NULL CHECK (length(public_id) = 32),
                ticket BLOB NOT NULL CHECK (length(ticket) = 32),
                kind TEXT NOT NULL CHECK (kind IN ('login', 'enroll', 'approve')),
                account TEXT,
                device TEXT,
                provider TEXT NOT NULL,
                client TEXT NOT NULL,
                policy TEXT NOT NULL,
                code_challenge BLOB,
                binding_cookie BLOB NOT NULL CHECK (length(binding_cookie) = 32),
                is_bound INTEGER NOT NULL CHECK (is_bound IN (0, 1)),
                state TEXT NOT NULL
                    CHECK (state IN ('created', 'opened', 'pending', 'approved', 'redeemed', 'closed', 'failed')),
                failure TEXT
                    CHECK (failure IN ('declined', 'denied_not_me', 'not_matched', 'liveness_failed', 'too_many_attempts',
                        'expired', 'canceled', 'superseded', 'provider_error', 'provider_unavailable',
                        'account_blocked')),
                scan_reference TEXT,
                scan_browser BLOB,
                scan_attempt INTEGER,
                scan_started_at INTEGER,
                scan_progress TEXT CHECK (scan_progress IN ('user_in_provider', 'processing')),
                approved_at INTEGER,
                session TEXT,
                access_jti TEXT,
                refresh_jti TEXT,
                issued_at INTEGER,
                authenticated_at INTEGER,
                redeemed_at INTEGER,
                collector BLOB,
                seq INTEGER NOT NULL,
                created_at INTEGER NOT NULL,
                deadline INTEGER NOT NULL,
                ended_at INTEGER,
                node TEXT NOT NULL,
                lease_until INTEGER,
                CHECK ((ended_at IS NOT NULL) = (state IN ('closed', 'failed'))),
                CHECK ((failure IS NOT NULL) = (state = 'failed'))
            ) STRICT;
            INSERT INTO operations_of_three_kinds (
                id, public_id, ticket, kind, account, device, provider, client, policy,
                code_challenge, binding_cookie, is_bound, state, failure, scan_reference,
                scan_browser, scan_attempt, scan_started_at, scan_progress, approved_at,
                session, access_jti, refresh_jti, issued_at, authenticated_at, redeemed_at,
                collector, seq, created_at, deadline, ended_at, node, lease_until
            )
            SELECT
                id, public_id, ticket, kind, account, device, provider, client, policy,
                code_challenge, binding_cookie, is_bound, state, failure, scan_reference,
                scan_browser, scan_attempt, scan_started_at, scan_progress, approved_at,
                session, access_jti, refresh_jti, issued_at, authenticated_at, redeemed_at,
                collector, seq, created_at, deadline, ended_at, node, lease_until
            FROM operations;
            DROP TABLE operations;
            ALTER TABLE operations_of_three_kinds RENAME TO operations;
            CREATE INDEX operations_by_end ON operations (ended_at) WHERE ended_at IS NOT NULL;
            -- Live operations are found on the board: their random ids would cost a page of the log each.
            CREATE UNIQUE INDEX ended_operations_by_public_id ON operations (public_id) WHERE ended_at IS NOT NULL;
            """
    )
}
