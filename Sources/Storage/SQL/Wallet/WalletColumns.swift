import Kernel
import Wallet

/// The columns of cards and of bank links, each in the order of their values.
enum WalletColumns {
    static let held = """
        id, account, bank, reference, last_four, card_type, is_default, added_at, removed_at, removed_by
        """

    static let link = """
        account, bank, name, logo, access_token, refresh_token, tokens_expire_at, tokens_leased_until, enrolled_at,
        unlinked_at, version
        """

    static func values(of card: HeldCard) -> [ColumnValue] {
        [
            card.id.column, card.account.column, card.bankID.column, card.bankCard.reference.column,
            card.bankCard.lastFour.column, card.bankCard.network.column, card.isDefault.column, card.addedAt.column,
            card.removal.column { $0.at.column }, card.removal.column { $0.cause.rawValue.column },
        ]
    }

    /// Returns the values of a link's primary key.
    static func names(of link: BankLink) -> [ColumnValue] { [link.account.column, link.bankID.column] }

    /// Returns the values of a link's other columns.
    static func values(of link: BankLink) -> [ColumnValue] {
        let tokens = link.tokens
        return [
            link.name.column, link.logoURL.column { $0.column }, tokens.column { $0.access.column },
            (tokens?.refresh).column { $0.column }, (tokens?.expiresAt).column { $0.column },
            (tokens?.leaseEnd).column { $0.column }, link.enrolledAt.column, link.unlinkedAt.column { $0.column },
            link.version.column,
        ]
    }

    static func card(_ columns: inout ColumnReader) throws -> WalletCard {
        WalletCard(
            id: try columns.id("id"),
            reference: try columns.text("reference"),
            label: CardLabel(
                lastFour: try columns.text("last_four"),
                cardType: try columns.text("card_type"),
                bankName: try columns.text("name")
            ),
            bankID: try columns.text("bank"),
            bankLogo: try columns.optionalText("logo"),
            isDefault: try columns.flag("is_default"),
            addedAt: try columns.instant("added_at")
        )
    }

    static func heldCard(_ columns: inout ColumnReader) throws -> HeldCard {
        HeldCard(
            id: try columns.id("id"),
            account: try columns.id("account"),
            bankID: try columns.text("bank"),
            bankCard: BankCard(
                reference: try columns.text("reference"),
                lastFour: try columns.text("last_four"),
                network: try columns.text("card_type")
            ),
            isDefault: try columns.flag("is_default"),
            addedAt: try columns.instant("added_at"),
            removal: try removal(&columns)
        )
    }

    static func bankLink(_ columns: inout ColumnReader) throws -> BankLink {
        BankLink(
            account: try columns.id("account"),
            bankID: try columns.text("bank"),
            name: try columns.text("name"),
            logoURL: try columns.optionalText("logo"),
            tokens: try tokens(&columns),
            enrolledAt: try columns.instant("enrolled_at"),
            unlinkedAt: try columns.optionalInstant("unlinked_at"),
            version: try columns.count("version")
        )
    }

    private static func removal(_ columns: inout ColumnReader) throws -> HeldCard.Removal? {
        guard let at = try columns.optionalInstant("removed_at") else { return nil }
        return HeldCard.Removal(at: at, cause: try columns.value("removed_by"))
    }

    private static func tokens(_ columns: inout ColumnReader) throws -> BankLink.EncryptedTokens? {
        guard let access = try columns.optionalText("access_token") else { return nil }
        return BankLink.EncryptedTokens(
            access: access,
            refresh: try columns.optionalText("refresh_token"),
            expiresAt: try columns.optionalInstant("tokens_expire_at"),
            leaseEnd: try columns.optionalInstant("tokens_leased_until")
        )
    }
}
