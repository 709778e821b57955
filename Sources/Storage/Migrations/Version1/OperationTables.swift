extension Migration {
    /// Logins, enrolments and approvals, with the scans at providers that decide them.
    static let operationTables = """
        CREATE TABLE operations (
            id TEXT NOT NULL UNIQUE,
            public_id BLOB NOT NULL CHECK (length(public_id) = 32),
            ticket BLOB NOT NULL CHECK (length(ticket) = 32),
            kind TEXT NOT NULL CHECK (kind = 'login' OR kind = 'enroll' OR kind = 'approve'),
            account TEXT,
            device TEXT,
            device_proof TEXT CHECK (device_proof = 'cookie' OR device_proof = 'credential' OR device_proof = 'key'),
            language TEXT CHECK (length(language) BETWEEN 2 AND 35),
            provider TEXT NOT NULL,
            client TEXT NOT NULL,
            policy TEXT NOT NULL,
            code_challenge BLOB,
            binding_cookie BLOB NOT NULL CHECK (length(binding_cookie) = 32),
            is_bound INTEGER NOT NULL CHECK (is_bound IN (0, 1)),
            mode TEXT NOT NULL DEFAULT 'same-device' CHECK (mode IN ('same-device', 'cross-device')),
            pairing_number INTEGER CHECK (pairing_number BETWEEN 0 AND 99),
            wrong_numbers INTEGER NOT NULL DEFAULT 0 CHECK (wrong_numbers BETWEEN 0 AND 3),
            binding_message TEXT CHECK (length(binding_message) BETWEEN 1 AND 100),
            origin_email TEXT CHECK (length(origin_email) <= 100),
            origin_address TEXT CHECK (length(origin_address) <= 100),
            origin_agent TEXT CHECK (length(origin_agent) <= 100),
            return_url TEXT CHECK (length(return_url) <= 2048),
            return_code BLOB CHECK (length(return_code) = 32),
            started_by TEXT CHECK ((started_by IS NULL) = (kind = 'login')),
            approval_message TEXT
                CHECK ((approval_message IS NOT NULL) = (kind = 'approve')
                    AND length(approval_message) BETWEEN 1 AND 200),
            approval_amount TEXT
                CHECK (approval_amount IS NULL
                    OR (approval_message IS NOT NULL AND length(approval_amount) BETWEEN 1 AND 17)),
            approval_currency TEXT
                CHECK ((approval_currency IS NULL) = (approval_amount IS NULL)
                    AND (approval_currency IS NULL OR length(approval_currency) = 3)),
            approval_payee TEXT
                CHECK (approval_payee IS NULL
                    OR (approval_message IS NOT NULL AND length(approval_payee) BETWEEN 1 AND 100)),
            approval_payload BLOB
                CHECK (approval_payload IS NULL
                    OR (approval_message IS NOT NULL AND length(approval_payload) = 32)),
            state TEXT NOT NULL
                CHECK (state = 'created' OR state = 'opened' OR state = 'pending' OR state = 'approved'
                    OR state = 'redeemed' OR state = 'closed' OR state = 'failed'),
            failure TEXT
                CHECK (failure IS NULL OR failure = 'declined' OR failure = 'denied_not_me'
                    OR failure = 'not_matched' OR failure = 'liveness_failed' OR failure = 'too_many_attempts'
                    OR failure = 'expired' OR failure = 'canceled' OR failure = 'superseded'
                    OR failure = 'provider_error' OR failure = 'provider_unavailable' OR failure = 'account_blocked'),
            scan_reference TEXT,
            scan_browser BLOB,
            scan_attempt INTEGER,
            scan_started_at INTEGER,
            scan_progress TEXT CHECK (scan_progress IN ('user_in_provider', 'processing')),
            scan_page TEXT CHECK (scan_page IS NULL OR (state = 'pending' AND scan_browser IS NOT NULL)),
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
            CHECK ((ended_at IS NOT NULL) = (state IN ('closed', 'failed'))),
            CHECK ((failure IS NOT NULL) = (state = 'failed'))
        ) STRICT;
        -- The list of operators, page by page, with what they search by. It is read backwards, and grows at its end: the newest
        -- entries share the last page, so that a start costs no page of its own.
        CREATE INDEX operations_by_start ON operations (created_at, id DESC, client, account);
        CREATE INDEX operations_by_end ON operations (ended_at) WHERE ended_at IS NOT NULL;
        -- Live operations are found in memory: their random ids would cost a page of the log each.
        CREATE UNIQUE INDEX ended_operations_by_public_id ON operations (public_id) WHERE ended_at IS NOT NULL;
        -- Written when an operation ends, and not for those that came to nothing: a start costs no page of it, and an
        -- unauthenticated caller's starts don't fill it.
        CREATE INDEX operations_of_accounts ON operations (account, created_at DESC, id)
            WHERE account IS NOT NULL AND ended_at IS NOT NULL
            AND failure IS NOT 'expired' AND failure IS NOT 'canceled' AND failure IS NOT 'superseded';
        -- Anybody begins logins, and any number of them must not keep an enrolment from being found.
        CREATE INDEX enrolments_of_accounts ON operations (account, created_at DESC, id)
            WHERE kind = 'enroll' AND ended_at IS NOT NULL;

        -- `face`: the mark of the face that the scan was begun by.
        CREATE TABLE scans (
            scan BLOB PRIMARY KEY NOT NULL CHECK (length(scan) = 32),
            operation TEXT NOT NULL REFERENCES operations (id) ON DELETE CASCADE,
            face TEXT
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX scans_by_operation ON scans (operation);
        """
}
