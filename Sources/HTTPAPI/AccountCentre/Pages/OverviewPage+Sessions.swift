import Devices
import Kernel
import Operations
import Passkeys
import Sessions
import SignIn
import Web

// Where the person is signed in, and who tried to be.
extension OverviewPage {
    var sessions: AccountContent.Section {
        let active = read.sessions.filter(\.isActive).sorted { $1.usedAt < $0.usedAt }
        let items = active.map { seen in
            let isOwn = seen.session.id == visit.who.session
            let (name, id) = (name(of: seen), seen.session.id.description)
            let acts =
                isOwn
                ? [press(.signOut, .signOut, about: name, style: .quiet)]
                : [
                    press(.end, .end, id: id, about: name, style: .quiet),
                    link(.session, .notMe, id: id, about: name, style: .quiet),
                ]
            return AccountContent.Item(
                name: name,
                badge: isOwn ? texts[AccountKey.thisBrowser] : nil,
                details: details(of: seen) + [
                    texts.text(AccountKey.usedAt, with: ago(seen.usedAt)),
                    texts.text(AccountKey.since, with: ago(seen.session.createdAt)),
                ],
                own: .init(acts)
            )
        }
        return section(
            .sessions,
            .sessionsTitle,
            intro: .sessionsLead,
            list: .init(items, orSaying: ""),
            acts: active.count > 1 ? [press(.others, .endOthers, style: .quiet)] : []
        )
    }

    var logins: AccountContent.Section {
        let opened = read.sessions.map { seen in (at: seen.session.createdAt, item: item(of: seen)) }
        let others = read.operations.operations.filter { $0.operation.session == nil }
            .map { owned in (at: owned.operation.validity.createdAt, item: item(of: owned)) }
        let newest = (opened + others).sorted { $1.at < $0.at }.prefix(Self.mostLogins).map(\.item)
        return section(
            .logins,
            .loginsTitle,
            intro: .loginsLead,
            list: .init(newest, orSaying: texts[AccountKey.noLogins])
        )
    }

    var devices: AccountContent.Section? {
        guard !read.devices.isEmpty else { return nil }
        let items = read.devices.map { seen in
            let device = seen.listed.device
            let name = device.label.isEmpty ? texts[AccountKey.namelessDevice] : device.label
            let details = [
                reader.name(of: device.name.client),
                place(seen.origin?.address),
                seen.usedAt.map { texts.text(AccountKey.usedAt, with: ago($0)) },
                texts.text(AccountKey.addedAt, with: ago(device.validity.createdAt)),
                seen.listed.key == nil ? nil : texts[AccountKey.deviceHasKey],
            ]
            return AccountContent.Item(
                name: name,
                badge: device.id == visit.who.device ? texts[AccountKey.thisDevice] : nil,
                details: details.compactMap(\.self),
                own: .init([press(.device, .deviceRemove, id: device.id.description, about: name, style: .quiet)])
            )
        }
        return section(.devices, .devicesTitle, intro: .devicesLead, list: .init(items, orSaying: ""))
    }

    /// Returns the device's own name, else the browser or app that is known, else the app.
    private func name(of seen: AccountReader.SeenSession) -> String {
        if let device = seen.device, !device.label.isEmpty { return device.label }
        if let agent = seen.origin?.agent, !agent.isEmpty { return agent }
        return reader.name(of: seen.session.client)
    }

    /// Returns what is known of the session: the app, the place and the way in.
    private func details(of seen: AccountReader.SeenSession) -> [String] {
        let app = reader.name(of: seen.session.client)
        let way = AccountWords.way(
            seen.session.authentication.methods,
            isPasskey: seen.session.authentication.passkey != nil,
            in: texts
        )
        let named = seen.passkey.flatMap { $0.label.isEmpty ? nil : "\(way ?? "") (\($0.label))" }
        return [
            name(of: seen) == app ? nil : app, named ?? way, place(seen.origin?.address),
        ].compactMap(\.self)
    }

    private func place(_ address: String?) -> String? {
        AccountWords.place(address, seenFrom: visit.requester.address, in: texts)
    }

    private func item(of seen: AccountReader.SeenSession) -> AccountContent.Item {
        let (name, isOwn) = (name(of: seen), seen.session.id == visit.who.session)
        let isDisowned = seen.session.revocation?.reason == .notMe
        let state: AccountKey = seen.isActive ? .signedIn : isDisowned ? .disowned : .over
        let acts = [link(.session, .notMe, id: seen.session.id.description, about: name, style: .quiet)]
        return AccountContent.Item(
            name: name,
            badge: texts[isOwn ? AccountKey.thisBrowser : state],
            details: details(of: seen) + [ago(seen.session.createdAt)],
            own: isOwn || isDisowned ? nil : .init(acts)
        )
    }

    private func item(of owned: OwnedOperation) -> AccountContent.Item {
        let operation = owned.operation
        let app = reader.name(of: operation.request.policy.signsInTo)
        let origin = operation.binding.origin
        let agent = origin.flatMap { $0.agent.isEmpty ? nil : $0.agent }
        let (name, isOver) = (agent ?? app, operation.state.name.isTerminal)
        let kind: AccountKey = operation.request.purpose.kind == .approve ? .approval : .byFace
        let state: AccountKey
        switch operation.state {
        case .created, .opened, .pending, .approved: state = .inProgress
        case .redeemed, .closed: state = .completed
        case .failed: state = .failed
        }
        let details = [
            agent == nil ? nil : app, texts[kind], place(origin?.address),
            operation.request.purpose.approval?.message, ago(operation.validity.createdAt),
        ]
        let act = link(.login, .notMe, id: operation.id.description, about: name, style: .quiet)
        return AccountContent.Item(
            name: name,
            badge: texts[state],
            details: details.compactMap(\.self),
            own: isOver && operation.involvedSession == nil ? nil : .init([act])
        )
    }
}
