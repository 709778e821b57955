import Accounts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Kernel
import OAuth
import SignIn
import Wallet
import Web

// Apps, cards, the download, and the end of the account.
extension AccountCentreAPI {
    /// `app`: withdraws the person's consent to a client, and ends the client's sessions.
    func withdrawConsent(_ visit: AccountVisit) async throws -> AccountOutcome {
        let account = visit.who.account
        guard try await owner.consents.withdraw(visit.id, of: account, by: visit.who.session) else {
            throw AccountThingMissingError()
        }
        return .done(.consentWithdrawn)
    }

    // MARK: Cards

    /// `card`: asks whether to remove a card of the wallet.
    func showCard(_ visit: AccountVisit) async throws -> Response {
        let id: CardID = try visit.parsed()
        guard reader.hasWallet,
            let card = try await services.wallet.cards.cards(of: visit.who.account).first(where: { $0.id == id })
        else { throw AccountThingMissingError() }
        let section = section(
            .card,
            visit,
            intro: .cardRemovalLead,
            hidden: [("id", visit.id)],
            button: .remove,
            tone: .quiet
        )
        let name = "\(card.label.bankName), \(card.label.cardType) •••• \(card.label.lastFour)"
        return form(visit, title: .cardRemovalTitle, lead: name, sections: [section])
    }

    /// `card`: removes the card for good.
    func removeCard(_ visit: AccountVisit) async throws -> AccountOutcome {
        let id: CardID = try visit.parsed()
        guard reader.hasWallet, try await services.wallet.cards.remove(id, of: visit.who.account) else {
            throw AccountThingMissingError()
        }
        return .done(.cardRemoved)
    }

    // MARK: Download

    func showData(_ visit: AccountVisit) -> Response {
        form(
            visit,
            title: .downloadTitle,
            lead: visit.texts[AccountKey.downloadLead],
            sections: [section(.data, visit, button: .download)]
        )
    }

    /// `data`: the account's data as a file, which the audit log records.
    func download(_ visit: AccountVisit) async throws -> AccountOutcome {
        let now = environment.now()
        let account = visit.who.account
        guard let read = try await reader.overview(of: account, most: AccountDownload.most, at: now) else {
            throw SessionEndedError()
        }
        try await owner.closing.noteDownload(of: account, by: visit.who.session)
        let data = AccountDownload(read, for: visit.who, at: now) { reader.name(of: $0) }
        var response = JSONReply.encode(data)
        response.headers[.contentDisposition] =
            "attachment; filename=\"account-\(AccountWords.date(now)).json\""
        return .answer(response)
    }

    // MARK: Closing

    /// `close`: says what closing ends, and asks for the account's name.
    func showClosing(_ visit: AccountVisit) async throws -> Response { try await closing(visit, fault: nil) }

    private func closing(_ visit: AccountVisit, fault: AccountKey?) async throws -> Response {
        guard let record = try await services.accounts.accounts.active(visit.who.account) else {
            throw SessionEndedError()
        }
        let name = AccountPerson.name(of: record)
        let input = AccountContent.Input(
            field: "name",
            caption: visit.texts.text(AccountKey.closeName, with: name),
            isWrong: fault != nil
        )
        let section = section(
            .close,
            visit,
            intro: .closeEndsLead,
            ends: .accountClosed,
            inputs: [input],
            button: .closeAccount,
            tone: .danger
        )
        return form(
            visit,
            title: .closeTitle,
            lead: visit.texts[AccountKey.closeLead],
            fault: fault.map { visit.texts[$0] },
            sections: [section]
        )
    }

    /// `close`: closes the account, if its name was typed.
    func close(_ visit: AccountVisit) async throws -> AccountOutcome {
        guard let record = try await services.accounts.accounts.active(visit.who.account) else {
            throw SessionEndedError()
        }
        let typed = String(visit.field("name").prefix(1024).trimmed)
        guard typed.lowercased() == AccountPerson.name(of: record).lowercased() else {
            return .answer(try await closing(visit, fault: .closeNameWrong))
        }
        try await owner.closing.close(person(visit))
        return .answer(farewell(.closed, visit))
    }
}
