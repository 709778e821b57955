import GRDB
package import Kernel
package import Wallet

/// Cards and banks in SQLite.
package struct SQLiteWalletStore: WalletStore {
    private let database: SQLiteDatabase

    package init(_ database: SQLiteDatabase) { self.database = database }

    package func contents(of account: AccountID) async throws -> WalletContents {
        try await database.read { reader in
            WalletContents(cards: try Self.cards(account, reader), banks: try Self.banks(account, reader))
        }
    }

    private static func cards(_ account: AccountID, _ reader: Database) throws -> [WalletCard] {
        try reader.all(
            """
            SELECT wallet_cards.id, last_four, card_type, name, is_default, added_at
            FROM wallet_cards JOIN wallet_banks USING (account, bank)
            WHERE account = ? ORDER BY is_default DESC, added_at DESC, wallet_cards.id
            """,
            [account.column]
        ) { columns in
            WalletCard(
                id: try columns.text(),
                lastFour: try columns.text(),
                cardType: try columns.text(),
                bank: try columns.text(),
                isDefault: try columns.integer() == 1,
                addedAt: try columns.instant()
            )
        }
    }

    private static func banks(_ account: AccountID, _ reader: Database) throws -> [WalletBank] {
        try reader.all(
            """
            SELECT bank, name, (
                SELECT COUNT(*) FROM wallet_cards
                WHERE wallet_cards.account = wallet_banks.account AND wallet_cards.bank = wallet_banks.bank
            )
            FROM wallet_banks WHERE account = ? ORDER BY name, bank
            """,
            [account.column]
        ) { columns in
            WalletBank(id: try columns.text(), name: try columns.text(), cards: Int(try columns.integer()))
        }
    }
}
