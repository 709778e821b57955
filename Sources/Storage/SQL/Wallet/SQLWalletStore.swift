package import Kernel
package import Wallet

/// The store of cards and banks.
package struct SQLWalletStore: WalletStore {
    private let database: any SQLDatabase

    package init(_ database: any SQLDatabase) { self.database = database }

    package func contents(of account: AccountID) async throws -> WalletContents {
        try await database.reading { transaction in
            WalletContents(
                cards: try cards(of: account, in: transaction),
                banks: try Self.banks(account, transaction.connection())
            )
        }
    }

    package func cards(of account: AccountID, in transaction: borrowing Transaction) throws -> [WalletCard] {
        try transaction.connection().all(
            """
            SELECT wallet_cards.id, reference, last_four, card_type, bank, name, logo, is_default, added_at
            FROM wallet_cards JOIN wallet_banks USING (account, bank)
            WHERE account = ? AND removed_at IS NULL ORDER BY is_default DESC, added_at DESC, wallet_cards.id
            """,
            [account.column],
            read: WalletColumns.card
        )
    }

    package func heldCards(of account: AccountID, in transaction: borrowing Transaction) throws -> [HeldCard] {
        try transaction.connection().all(
            "SELECT \(WalletColumns.held) FROM wallet_cards WHERE account = ? ORDER BY added_at, id",
            [account.column],
            read: WalletColumns.heldCard
        )
    }

    package func put(_ card: HeldCard, in transaction: borrowing Transaction) throws {
        let written = try transaction.connection().change(
            """
            INSERT INTO wallet_cards (\(WalletColumns.held)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET
                last_four = excluded.last_four, card_type = excluded.card_type, is_default = excluded.is_default,
                added_at = excluded.added_at, removed_at = excluded.removed_at, removed_by = excluded.removed_by
            WHERE wallet_cards.account = excluded.account AND wallet_cards.bank = excluded.bank
                AND wallet_cards.reference = excluded.reference
            """,
            WalletColumns.values(of: card)
        )
        guard written == 1 else { throw StoreError.conflict(cause: "a card is another account's or bank's") }
    }

    package func forgetRemoved(
        _ bankID: String,
        of account: AccountID,
        keeping: Int,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.connection().change(
            """
            DELETE FROM wallet_cards
            WHERE account = ?1 AND bank = ?2 AND removed_at IS NOT NULL AND id NOT IN (
                SELECT id FROM wallet_cards WHERE account = ?1 AND bank = ?2 AND removed_at IS NOT NULL
                ORDER BY CASE removed_by WHEN 'person' THEN 0 ELSE 1 END, removed_at DESC, id LIMIT ?3
            )
            """,
            [account.column, bankID.column, keeping.column]
        )
    }

    package func link(_ bankID: String, of account: AccountID) async throws -> BankLink? {
        try await database.reading { try link(bankID, of: account, in: $0) }
    }

    package func link(
        _ bankID: String,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> BankLink? {
        try transaction.connection().first(
            "SELECT \(WalletColumns.link) FROM wallet_banks WHERE account = ? AND bank = ?",
            [account.column, bankID.column],
            read: WalletColumns.bankLink
        )
    }

    package func put(_ link: BankLink, over version: Int?, in transaction: borrowing Transaction) throws -> Bool {
        let writer = try transaction.connection()
        guard let version else {
            return try writer.change(
                """
                INSERT INTO wallet_banks (\(WalletColumns.link)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, bank) DO NOTHING
                """,
                WalletColumns.names(of: link) + WalletColumns.values(of: link)
            ) == 1
        }
        return try writer.change(
            """
            UPDATE wallet_banks SET name = ?, logo = ?, access_token = ?, refresh_token = ?, tokens_expire_at = ?,
                tokens_leased_until = ?, enrolled_at = ?, unlinked_at = ?, version = ?
            WHERE account = ? AND bank = ? AND version = ?
            """,
            WalletColumns.values(of: link) + WalletColumns.names(of: link) + [version.column]
        ) == 1
    }

    private static func banks(_ account: AccountID, _ reader: SQLConnection) throws -> [WalletBank] {
        try reader.all(
            """
            SELECT bank, name, (
                SELECT COUNT(*) FROM wallet_cards
                WHERE wallet_cards.account = wallet_banks.account AND wallet_cards.bank = wallet_banks.bank
                    AND removed_at IS NULL
            ) AS cards
            FROM wallet_banks WHERE account = ? AND unlinked_at IS NULL ORDER BY name, bank
            """,
            [account.column]
        ) { columns in
            WalletBank(id: try columns.text("bank"), name: try columns.text("name"), cards: try columns.count("cards"))
        }
    }
}
