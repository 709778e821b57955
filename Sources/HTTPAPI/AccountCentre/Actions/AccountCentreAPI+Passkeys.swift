import Hummingbird
import Kernel
import Passkeys
import SignIn
import Web

// Passkeys: their names, and their removal.
extension AccountCentreAPI {
    /// `passkey`: asks for the passkey's name.
    func showPasskey(_ visit: AccountVisit) async throws -> Response {
        renaming(try await passkey(visit), visit)
    }

    /// `passkey`: renames the passkey.
    func renamePasskey(_ visit: AccountVisit) async throws -> AccountOutcome {
        let passkey = try await passkey(visit)
        do {
            let label = try PasskeyInput.label(visit.field("name"))
            let changes = services.passkeys.changes
            try await changes.rename(passkey.id, to: label, of: visit.who.account, by: visit.who.session)
            return .done(.passkeyRenamed)
        } catch let error as APIError where error == .invalidPasskeyName {
            return .answer(renaming(passkey, visit, fault: .nameWrong))
        }
    }

    /// `passkey-removal`: says what the removal ends, or why this is not the passkey to remove.
    func showPasskeyRemoval(_ visit: AccountVisit) async throws -> Response {
        try await removing(try await passkey(visit), visit, canBe: try await isEntitled(visit))
    }

    /// `passkey-removal`: removes the passkey with the sessions that it opened.
    func removePasskey(_ visit: AccountVisit) async throws -> AccountOutcome {
        let passkey = try await passkey(visit)
        guard try await isEntitled(visit) else { return .answer(pages.stronger(visit, for: .passkeyRemoval)) }
        do {
            try await services.passkeys.changes.remove(
                passkey.id,
                of: visit.who.account,
                by: visit.who.session,
                client: AccountVisit.client,
                requester: visit.requester
            )
        } catch PasskeyError.last {
            return .answer(try await showPasskeyRemoval(visit))
        } catch PasskeyError.notFound { throw AccountThingMissingError() }
        return .done(.passkeyRemoved)
    }

    /// Whether the session may remove the passkey (``CoolingOff``).
    private func isEntitled(_ visit: AccountVisit) async throws -> Bool {
        let id: PasskeyID = try visit.parsed()
        do { try await changes.coolingOff.requireRemoval(of: id, visit.who) } catch let error as APIError
            where error == .stepUpRequired
        { return false }
        return true
    }

    private func passkey(_ visit: AccountVisit) async throws -> Passkey {
        let id: PasskeyID = try visit.parsed()
        let owned = try await services.passkeys.owned.list(of: visit.who.account)
        guard let passkey = owned.first(where: { $0.id == id }) else { throw AccountThingMissingError() }
        return passkey
    }

    private func renaming(_ passkey: Passkey, _ visit: AccountVisit, fault: AccountKey? = nil) -> Response {
        let input = AccountContent.Input(
            field: "name",
            caption: visit.texts[AccountKey.passkeyName],
            typed: fault == nil ? passkey.label : visit.field("name"),
            isWrong: fault != nil,
            most: 64
        )
        let section = section(
            .passkey,
            visit,
            hidden: [("id", visit.id)],
            inputs: [input],
            button: .save
        )
        return form(
            visit,
            title: .renameTitle,
            lead: name(of: passkey, visit),
            fault: fault.map { visit.texts[$0] },
            sections: [section]
        )
    }

    private func removing(_ passkey: Passkey, _ visit: AccountVisit, canBe isEntitled: Bool) async throws -> Response {
        guard isEntitled else { return pages.stronger(visit, for: .passkeyRemoval) }
        guard try await owner.means.ways(of: visit.who.account).surviveOnePasskey else {
            return lastWay(visit, title: .passkeyRemovalTitle)
        }
        let section = section(
            .passkeyRemoval,
            visit,
            intro: .passkeyRemovalLead,
            ends: .passkeyRemoved,
            hidden: [("id", visit.id)],
            button: .remove,
            tone: .quiet
        )
        return form(visit, title: .passkeyRemovalTitle, lead: name(of: passkey, visit), sections: [section])
    }

    /// Returns the page that refuses to remove the last way in, and says what helps.
    func lastWay(_ visit: AccountVisit, title: AccountKey) -> Response {
        let content = AccountContent(
            title: visit.texts[title],
            back: visit.location.home,
            lead: visit.texts[AccountKey.lastWayLead]
        )
        return pages.render(content, status: .conflict, at: visit.location, in: visit.texts)
    }

    private func name(of passkey: Passkey, _ visit: AccountVisit) -> String {
        let maker = PasskeyMakers.name(passkey.credential.record.authenticator.aaguid)
        return passkey.label.isEmpty ? maker ?? visit.texts[AccountKey.passkey] : passkey.label
    }
}
