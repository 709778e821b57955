import Accounts
import Kernel
import OAuth
import Operations
import Passkeys
import SignIn
import Wallet
import Web

/// Makes the overview of an account: each section with its things, and what can be done with them by one press.
struct OverviewPage: Sendable {
    /// The most sign-ins that are listed.
    static let mostLogins = 15

    let read: AccountReader.Overview
    let reader: AccountReader
    let visit: AccountVisit
    let now: Instant
    /// What the server offers, which sections depend on.
    let offers: AccountOffers
    /// Whether a passkey that is added in this session waits a day before it counts.
    let newPasskeysWait: Bool

    var texts: LocalizedStrings { visit.texts }

    /// Returns the page, with the sentence of the change that was just made.
    func content(after done: AccountDone?) -> AccountContent {
        let sections = [
            sessions, logins, devices, passkeys, face, access, apps, cards, account,
        ].compactMap(\.self)
        return AccountContent(
            title: texts[AccountKey.title],
            person: AccountPerson.name(of: read.record),
            status: done.map { texts[AccountKey($0)] },
            contents: .init(
                entries: sections.compactMap { section in
                    section.heading.map { .init(anchor: section.anchor, heading: $0) }
                }
            ),
            sections: sections
        )
    }

    func section(
        _ section: AccountSection,
        _ heading: AccountKey,
        intro: AccountKey? = nil,
        list: AccountContent.ItemList? = nil,
        acts: [AccountContent.Act] = []
    ) -> AccountContent.Section {
        .init(
            anchor: section.rawValue,
            heading: texts[heading],
            intro: intro.map { texts[$0] },
            list: list,
            acts: .init(acts)
        )
    }

    /// Returns a link to a page about a thing.
    func link(
        _ page: AccountPage,
        _ label: AccountKey,
        id: String? = nil,
        about: String? = nil,
        style: ButtonStyle = .plain
    ) -> AccountContent.Act {
        .init(
            label: texts[label],
            about: about,
            link: id.map { visit.location.path(page, $0) } ?? visit.location.path(page),
            tone: style.rawValue
        )
    }

    /// Returns a button that makes a change at once.
    func press(
        _ page: AccountPage,
        _ label: AccountKey,
        id: String? = nil,
        about: String? = nil,
        style: ButtonStyle = .plain
    ) -> AccountContent.Act {
        let fields = id.map { [AccountContent.HiddenField(key: "id", value: $0)] } ?? []
        return .init(
            label: texts[label],
            about: about,
            press: .init(path: visit.location.path(page), token: visit.token, fields: fields),
            tone: style.rawValue
        )
    }

    func ago(_ instant: Instant) -> String { AccountWords.ago(instant, now: now, in: texts) }

    // MARK: Ways in

    private var passkeys: AccountContent.Section? {
        guard offers.passkeys || !read.passkeys.isEmpty else { return nil }
        let items = read.passkeys.map { passkey in
            let aaguid = passkey.credential.record.authenticator.aaguid
            let maker = PasskeyMakers.name(aaguid)
            let name = passkey.label.isEmpty ? maker ?? texts[AccountKey.passkey] : passkey.label
            let details = [
                passkey.label.isEmpty ? nil : maker,
                texts.text(AccountKey.madeAt, with: ago(passkey.createdAt)),
                passkey.countsFrom > now
                    ? texts.text(AccountKey.countsFrom, with: AccountWords.time(passkey.countsFrom)) : nil,
                passkey.lastUsedAt.map { texts.text(AccountKey.usedAt, with: ago($0)) },
                passkey.credential.record.backup.isBackedUp ? texts[AccountKey.synced] : nil,
            ]
            let id = passkey.id.description
            return AccountContent.Item(
                name: name,
                picture: PasskeyMakers.kind(aaguid).map {
                    AccountContent.Picture(alternative: texts[$0.label], outline: $0.outline)
                },
                details: details.compactMap(\.self),
                own: .init([
                    link(.passkey, .rename, id: id, about: name),
                    link(.passkeyRemoval, .remove, id: id, about: name, style: .quiet),
                ])
            )
        }
        let adding = AccountContent.Act(
            label: texts[AccountKey.addPasskey],
            link: visit.location.site("passkeys?from=account"),
            tone: ButtonStyle.primary.rawValue
        )
        var section = section(
            .passkeys,
            .passkeysTitle,
            intro: .passkeysLead,
            list: .init(items, orSaying: texts[AccountKey.noPasskeys]),
            acts: offers.passkeyPage ? [adding] : []
        )
        section.acts?.passkeyWait = .of(waits: newPasskeysWait, in: texts)
        return section
    }

    private var face: AccountContent.Section? {
        guard offers.faces || read.ways.hasFace else { return nil }
        let isPending = read.operations.enrolments.contains { !$0.operation.state.name.isTerminal }
        let item = AccountContent.Item(
            name: texts[read.ways.hasFace ? AccountKey.faceSet : .faceUnset],
            details: isPending ? [texts[AccountKey.facePending]] : []
        )
        return section(
            .face,
            .faceTitle,
            list: .init([item], orSaying: ""),
            acts: [link(.face, read.ways.hasFace ? .faceChange : .faceAdd)]
        )
    }

    private var access: AccountContent.Section {
        let profile = read.record.profile
        let address = AccountContent.Item(
            name: profile.email?.text ?? texts[AccountKey.noAddress],
            badge: profile.email == nil ? nil : texts[profile.isEmailVerified ? AccountKey.confirmed : .unconfirmed],
            own: .init([link(.email, profile.email == nil ? .addressAdd : .addressChange)])
        )
        var acts = [link(.password, read.ways.hasPassword ? .passwordChange : .passwordAdd)]
        if read.ways.hasPassword { acts.append(link(.passwordRemoval, .passwordRemove, style: .quiet)) }
        let password = AccountContent.Item(
            name: texts[read.ways.hasPassword ? AccountKey.passwordSet : .passwordUnset],
            own: .init(acts)
        )
        return section(.access, .accessTitle, list: .init([address, password], orSaying: ""))
    }

    // MARK: Apps, wallet and account

    private var apps: AccountContent.Section {
        let items = read.consents.map { consent in
            let name = reader.name(of: consent.clientID)
            return AccountContent.Item(
                name: name,
                details: [texts.text(AccountKey.givenAt, with: ago(consent.grantedAt))],
                granted: .init(ScopeSentences.of(consent.scopes, consent.resources.sorted(), in: texts)),
                own: .init([press(.app, .withdraw, id: consent.clientID, about: name, style: .quiet)])
            )
        }
        return section(.apps, .appsTitle, intro: .appsLead, list: .init(items, orSaying: texts[AccountKey.noApps]))
    }

    private var cards: AccountContent.Section? {
        guard let wallet = read.wallet else { return nil }
        let items = wallet.cards.map { card in
            let name = "\(card.label.cardType) •••• \(card.label.lastFour)"
            return AccountContent.Item(
                name: name,
                badge: card.isDefault ? texts[AccountKey.defaultCard] : nil,
                details: [card.label.bankName, texts.text(AccountKey.addedAt, with: ago(card.addedAt))],
                own: .init([link(.card, .remove, id: card.id.description, about: name, style: .quiet)])
            )
        }
        return section(.cards, .cardsTitle, list: .init(items, orSaying: texts[AccountKey.noCards]))
    }

    private var account: AccountContent.Section {
        section(
            .account,
            .accountTitle,
            intro: .accountLead,
            acts: [
                link(.data, .download), press(.signOut, .signOut, style: .quiet),
                link(.close, .closeAccount, style: .danger),
            ]
        )
    }
}

/// What the server offers to its people.
struct AccountOffers: Sendable {
    /// Whether anybody can sign in with a passkey, and whether the site's page for passkeys is served.
    let passkeys, passkeyPage: Bool
    /// Whether faces can be set up.
    let faces: Bool
}

/// The names of an account's person.
enum AccountPerson {
    static func name(of record: AccountRecord) -> String {
        record.profile.email?.text ?? record.username?.shown ?? record.account.displayName
    }
}
