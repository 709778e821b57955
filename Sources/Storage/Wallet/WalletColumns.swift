import Kernel
import Wallet

/// The columns of cards and of banks' links, each in one order.
enum WalletColumns {
    static let held = """
        id, account, bank, reference, last_four, card_type, is_default, added_at, removed_at, removed_by
        """

    static let link = """
        account, bank, name, logo, access_token, refresh_token, tokens_expire_at, enrolled_at, unlinked_at, version
        """

    static func values(of card: HeldCard) -> [ColumnValue] {
        [
            card.id.column, card.account.column, card.bankID.column, card.reference.column, card.lastFour.column,
            card.network.column, card.isDefault.column, card.addedAt.column, card.removal.column { $0.at.column },
            card.removal.column { $0.cause.rawValue.column },
        ]
    }

    /// What a link is found by.
    static func names(of link: BankLink) -> [ColumnValue] { [link.account.column, link.bankID.column] }

    /// The rest of it.
    static func values(of link: BankLink) -> [ColumnValue] {
        let tokens = link.tokens
        return [
            link.name.column, link.logoURL.column { $0.column }, tokens.column { $0.access.column },
            (tokens?.refresh).column { $0.column }, (tokens?.expiresAt).column { $0.column },
            link.enrolledAt.column, link.unlinkedAt.column { $0.column }, link.version.column,
        ]
    }

    static func card(_ columns: inout ColumnReader) throws -> WalletCard {
        WalletCard(
            id: try columns.id(),
            reference: try columns.text(),
            lastFour: try columns.text(),
            cardType: try columns.text(),
            bankID: try columns.text(),
            bank: try columns.text(),
            bankLogo: columns.optionalText(),
            isDefault: try columns.integer() == 1,
            addedAt: try columns.instant()
        )
    }

    static func heldCard(_ columns: inout ColumnReader) throws -> HeldCard {
        HeldCard(
            id: try columns.id(),
            account: try columns.id(),
            bankID: try columns.text(),
            reference: try columns.text(),
            lastFour: try columns.text(),
            network: try columns.text(),
            isDefault: try columns.integer() == 1,
            addedAt: try columns.instant(),
            removal: try removal(&columns)
        )
    }

    static func bankLink(_ columns: inout ColumnReader) throws -> BankLink {
        BankLink(
            account: try columns.id(),
            bankID: try columns.text(),
            name: try columns.text(),
            logoURL: columns.optionalText(),
            tokens: try tokens(&columns),
            enrolledAt: try columns.instant(),
            unlinkedAt: columns.optionalInstant(),
            version: Int(try columns.integer())
        )
    }

    private static func removal(_ columns: inout ColumnReader) throws -> HeldCard.Removal? {
        guard let at = columns.optionalInstant() else {
            columns.skip(1)
            return nil
        }
        return HeldCard.Removal(at: at, cause: try columns.value())
    }

    private static func tokens(_ columns: inout ColumnReader) throws -> BankLink.SealedTokens? {
        guard let access = columns.optionalText() else {
            columns.skip(2)
            return nil
        }
        return BankLink.SealedTokens(
            access: access,
            refresh: columns.optionalText(),
            expiresAt: columns.optionalInstant()
        )
    }
}
