extension Migration {
    /// What is in a wallet: banks that were let in, and their cards.
    static let wallet = Migration(
        version: 14,
        name: "wallet",
        sqlite: """
            CREATE TABLE wallet_banks (
                account TEXT NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
                bank TEXT NOT NULL,
                name TEXT NOT NULL,
                enrolled_at INTEGER NOT NULL,
                PRIMARY KEY (account, bank)
            ) STRICT, WITHOUT ROWID;

            CREATE TABLE wallet_cards (
                id TEXT PRIMARY KEY NOT NULL,
                account TEXT NOT NULL,
                bank TEXT NOT NULL,
                last_four TEXT NOT NULL CHECK (length(last_four) = 4),
                card_type TEXT NOT NULL,
                is_default INTEGER NOT NULL CHECK (is_default IN (0, 1)),
                added_at INTEGER NOT NULL,
                FOREIGN KEY (account, bank) REFERENCES wallet_banks (account, bank) ON DELETE CASCADE
            ) STRICT, WITHOUT ROWID;
            CREATE INDEX wallet_cards_by_bank ON wallet_cards (account, bank);
            """
    )
}
