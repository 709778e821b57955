extension Migration {
    /// Payments: what people were asked to confirm, and what became of it.
    static let payments = Migration(
        version: 32,
        name: "payments",
        sqlite: """
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
                state TEXT NOT NULL CHECK (state IN ('pending', 'confirmed', 'cancelled', 'expired')),
                cancelled_at INTEGER,
                confirmed_at INTEGER,
                confirmed_in TEXT,
                method TEXT CHECK (method IN ('device-key', 'passkey', 'face')),
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
    )
}
