import Hummingbird
import SignIn
import Web

// Which page shows what, and which form does what.
extension AccountCentreAPI {
    func show(_ page: AccountPage, _ visit: AccountVisit) async throws -> Response {
        switch page {
        case .login: try await showLogin(visit)
        case .session: try await showSession(visit)
        case .passkey: try await showPasskey(visit)
        case .passkeyRemoval: try await showPasskeyRemoval(visit)
        case .card: try await showCard(visit)
        case .face: try await showFace(visit)
        case .faceScan: try await showFaceScan(visit)
        case .email: try await showEmail(visit)
        case .password: try await showPassword(visit)
        case .passwordRemoval: try await showPasswordRemoval(visit)
        case .data: showData(visit)
        case .close: try await showClosing(visit)
        case .end, .others, .signOut, .device, .app, .again: throw APIError.notFound
        }
    }

    func change(_ page: AccountPage, _ visit: AccountVisit) async throws -> AccountOutcome {
        switch page {
        case .login: try await disownLogin(visit)
        case .session: try await disownSession(visit)
        case .end: try await endSession(visit)
        case .others: try await endOtherSessions(visit)
        case .signOut: try await signOut(visit)
        case .device: try await removeDevice(visit)
        case .passkey: try await renamePasskey(visit)
        case .passkeyRemoval: try await removePasskey(visit)
        case .app: try await withdrawConsent(visit)
        case .card: try await removeCard(visit)
        case .face: try await changeFace(visit)
        case .email: try await changeEmail(visit)
        case .password: try await changePassword(visit)
        case .passwordRemoval: try await removePassword(visit)
        case .data: try await download(visit)
        case .close: try await close(visit)
        case .again: try await signInAgain(visit)
        case .faceScan: throw APIError.notFound
        }
    }

    /// `again`: signs the person in again, and returns to the page that needed a stronger proof.
    private func signInAgain(_ visit: AccountVisit) async throws -> AccountOutcome {
        let page = AccountPage(rawValue: visit.field("to")).flatMap { $0.isShown ? $0 : nil }
        return .answer(try await stepUp.begin(returningTo: page, id: visit.id, visit.request, visit.context))
    }

    /// Returns the page of a change: one form, with what its button ends.
    func form(
        _ visit: AccountVisit,
        title: AccountKey,
        lead: String?,
        fault: String? = nil,
        sections: [AccountContent.Section]
    ) -> Response {
        let content = AccountContent(
            title: visit.texts[title],
            back: visit.location.home,
            lead: lead,
            fault: fault,
            sections: sections
        )
        return pages.render(
            content,
            status: fault == nil ? .ok : .badRequest,
            at: visit.location,
            in: visit.texts
        )
    }

    /// Returns a section with a form of the page.
    func section(
        _ page: AccountPage,
        _ visit: AccountVisit,
        heading: AccountKey? = nil,
        intro: AccountKey? = nil,
        ends remedy: Remedy? = nil,
        hidden: [(String, String)] = [],
        inputs: [AccountContent.Input] = [],
        button: AccountKey,
        tone: ButtonStyle = .primary
    ) -> AccountContent.Section {
        .init(
            anchor: hidden.first?.1 ?? page.rawValue,
            heading: heading.map { visit.texts[$0] },
            intro: intro.map { visit.texts[$0] },
            ends: remedy.flatMap { .init(EndedThings.sentences($0, in: visit.texts)) },
            form: .init(
                action: visit.location.path(page),
                formToken: visit.token,
                hidden: hidden.map { .init(key: $0.0, value: $0.1) },
                inputs: inputs,
                button: visit.texts[button],
                tone: tone.rawValue
            )
        )
    }

    /// Returns the person, for the removal of a means or the end of the account.
    func person(_ visit: AccountVisit) -> MeansRemoval.Person {
        .init(
            account: visit.who.account,
            session: visit.who.session,
            client: AccountVisit.client,
            requester: visit.requester
        )
    }
}
