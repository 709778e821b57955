extension Migration {
    /// Banks linked to accounts with their cards, enrolments at banks, and payments.
    static let walletTables = """
        CREATE TABLE wallet_banks (
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            bank TEXT NOT NULL CHECK (length(bank) BETWEEN 1 AND 64),
            name TEXT NOT NULL CHECK (name <> ''),
            logo TEXT CHECK (logo <> ''),
            access_token TEXT CHECK (access_token <> ''),
            refresh_token TEXT CHECK (refresh_token <> ''),
            tokens_expire_at INTEGER,
            tokens_leased_until INTEGER,
            enrolled_at INTEGER NOT NULL,
            unlinked_at INTEGER,
            version INTEGER NOT NULL CHECK (version > 0),
            PRIMARY KEY (account, bank),
            CHECK (
                (unlinked_at IS NULL) = (access_token IS NOT NULL)
                AND (
                    unlinked_at IS NULL
                    OR (refresh_token IS NULL AND tokens_expire_at IS NULL AND tokens_leased_until IS NULL)
                )
            )
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE wallet_cards (
            id TEXT PRIMARY KEY NOT NULL,
            account TEXT NOT NULL,
            bank TEXT NOT NULL,
            reference TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 256),
            last_four TEXT NOT NULL CHECK (length(last_four) = 4),
            card_type TEXT NOT NULL CHECK (card_type <> ''),
            is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
            added_at INTEGER NOT NULL,
            removed_at INTEGER,
            removed_by TEXT CHECK (removed_by = 'person' OR removed_by = 'bank' OR removed_by = 'unlink'),
            UNIQUE (account, bank, reference),
            FOREIGN KEY (account, bank) REFERENCES wallet_banks (account, bank) ON DELETE CASCADE,
            CHECK ((removed_at IS NULL) = (removed_by IS NULL)),
            CHECK (is_default = 0 OR removed_at IS NULL)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX wallet_cards_by_default ON wallet_cards (account) WHERE is_default = 1;

        -- The oldest has the lowest number: it is the first to go where too many are open.
        CREATE TABLE bank_enrolments (
            number INTEGER PRIMARY KEY NOT NULL,
            state BLOB NOT NULL UNIQUE CHECK (length(state) = 32),
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            session TEXT NOT NULL,
            bank TEXT NOT NULL CHECK (length(bank) BETWEEN 1 AND 64),
            browser BLOB CHECK (length(browser) = 32),
            redirect_uri TEXT NOT NULL CHECK (length(redirect_uri) BETWEEN 1 AND 2048),
            is_mobile INTEGER NOT NULL CHECK (is_mobile IN (0, 1)),
            deep_link TEXT CHECK (length(deep_link) BETWEEN 1 AND 2048),
            needs_confirmation INTEGER NOT NULL CHECK (needs_confirmation IN (0, 1)),
            created_at INTEGER NOT NULL,
            stage TEXT NOT NULL CHECK (stage = 'pending' OR stage = 'arrived' OR stage = 'asking' OR stage = 'ended'),
            token BLOB UNIQUE CHECK (length(token) = 32),
            held TEXT,
            verifier TEXT NOT NULL,
            expires_at INTEGER NOT NULL,
            CHECK ((stage = 'pending') = (verifier <> '')),
            CHECK ((stage = 'asking') = (held IS NOT NULL)),
            CHECK (stage = 'ended' OR (stage = 'asking') = (token IS NOT NULL))
        ) STRICT;
        CREATE INDEX bank_enrolments_by_account ON bank_enrolments (account, number);
        CREATE INDEX bank_enrolments_by_expiry ON bank_enrolments (expires_at);

        -- The card is named and not referred to: a payment is kept for longer than a card that was removed.
        CREATE TABLE payments (
            id TEXT PRIMARY KEY NOT NULL,
            account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
            session TEXT NOT NULL,
            client TEXT NOT NULL CHECK (length(client) <= 256),
            card TEXT NOT NULL,
            last_four TEXT NOT NULL CHECK (length(last_four) = 4),
            card_type TEXT NOT NULL,
            bank_name TEXT NOT NULL,
            amount TEXT NOT NULL CHECK (length(amount) BETWEEN 1 AND 17),
            currency TEXT NOT NULL CHECK (length(currency) = 3),
            merchant TEXT NOT NULL CHECK (length(merchant) BETWEEN 1 AND 100),
            merchant_id TEXT CHECK (length(merchant_id) BETWEEN 1 AND 64),
            nonce BLOB NOT NULL CHECK (length(nonce) = 32),
            created_at INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            idempotency_key BLOB CHECK (length(idempotency_key) = 32),
            idempotency_content BLOB CHECK (length(idempotency_content) = 32),
            wrong_proofs INTEGER NOT NULL CHECK (wrong_proofs BETWEEN 0 AND 5),
            version INTEGER NOT NULL CHECK (version >= 1),
            state TEXT NOT NULL
                CHECK (state = 'pending' OR state = 'confirmed' OR state = 'cancelled' OR state = 'expired'),
            cancelled_at INTEGER,
            confirmed_at INTEGER,
            confirmed_in TEXT,
            method TEXT CHECK (method = 'device-key' OR method = 'passkey' OR method = 'face'),
            card_token BLOB CHECK (length(card_token) = 32),
            card_token_expires_at INTEGER,
            redeemed_at INTEGER,
            CHECK ((idempotency_key IS NULL) = (idempotency_content IS NULL)),
            CHECK ((state = 'cancelled') = (cancelled_at IS NOT NULL)),
            CHECK (
                (state = 'confirmed') = (confirmed_at IS NOT NULL)
                AND (state = 'confirmed') = (confirmed_in IS NOT NULL)
                AND (state = 'confirmed') = (method IS NOT NULL)
                AND (state = 'confirmed') = (card_token IS NOT NULL)
                AND (state = 'confirmed') = (card_token_expires_at IS NOT NULL)
                AND (state = 'confirmed' OR redeemed_at IS NULL)
            )
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX payments_by_account ON payments (account, created_at, id);
        CREATE UNIQUE INDEX payments_by_key ON payments (account, idempotency_key)
            WHERE idempotency_key IS NOT NULL;
        CREATE UNIQUE INDEX payments_by_card_token ON payments (card_token) WHERE card_token IS NOT NULL;
        CREATE INDEX payments_by_age ON payments (created_at);
        """
}
