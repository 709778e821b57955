import Admin

// The pages of logins and of people.
extension ConsolePages {
    /// Returns the list of logins, with a search by person, client and state.
    func logins(_ query: FormValues) async -> ConsoleContent? {
        guard let list = runner.book["operations", "list"] else { return nil }
        var content = ConsoleContent.page("Logins", current: "operations")
        // The id of one login leads to its page.
        if let id = query["id"] {
            content.sections = [
                .init(name: "One login", jumps: .init(all: [.init(path: PageAddress.path("logins", id), label: id)]))
            ]
        }
        let field = ConsoleContent.Field(
            id: "login-id",
            key: "id",
            label: "id",
            value: query["id"] ?? "",
            standard: "",
            hint: "",
            kind: .init(isText: true)
        )
        content.sections.append(
            .init(name: "Search by id", search: .init(path: "/logins", fields: [field]))
        )
        content.sections.append(await self.list(list, query, at: "/logins"))
        return content
    }

    /// Returns one login: its state and its wait, what its provider answered, what happened to it, and what can be done
    /// about it.
    func login(_ row: String, token: String) async -> ConsoleContent? {
        var content = ConsoleContent.page("Login \(row)", current: "operations")
        content.isLive = true
        for name in ["show", "answers", "history"] {
            guard let command = runner.book["operations", name] else { continue }
            content.sections.append(await about(command, row))
        }
        let commands = runner.book.about("operations").filter { $0.effect == .writes }
        content.sections.append(actions(commands, Self.values(commands, row), token: token))
        return content
    }

    /// Returns the list of accounts, with a search by a part of a name or an address.
    func people(_ query: FormValues, token: String) async -> ConsoleContent? {
        guard let list = runner.book["accounts", "list"] else { return nil }
        var content = ConsoleContent.page("People", current: "accounts")
        content.sections = [
            await self.list(list, query, at: "/people"),
            actions(runner.book.apart("accounts"), FormValues(), token: token),
        ]
        return content
    }

    /// Returns one person: the account, its means and sessions, and the remedies with what each ends.
    func person(_ account: String, token: String) async -> ConsoleContent? {
        var content = ConsoleContent.page("Person", current: "accounts")
        let groups = [("accounts", "show"), ("devices", "list"), ("passkeys", "list"), ("sessions", "list")]
        for (group, name) in groups {
            guard let command = runner.book[group, name] else { continue }
            content.sections.append(await about(command, account))
        }
        if let consents = await consents(of: account, token: token) { content.sections.append(consents) }
        if let list = runner.book["operations", "list"] {
            let query = FormValues(["o_account": account, "o_limit": "20"])
            content.sections.append(await self.list(list, query, at: "/logins", hasSearch: false))
        }
        let remedies = runner.book.about("accounts").filter { $0.effect == .writes }
        content.sections.append(await remedy(remedies, account, token: token))
        return content
    }

    /// The most consents of a person with a form of their own.
    private static let mostConsents = 20

    /// Returns the person's consents, each with the form that withdraws it.
    private func consents(of account: String, token: String) async -> ConsoleContent.Section? {
        guard let list = runner.book["consents", "list"], let withdraw = runner.book["consents", "withdraw"] else {
            return nil
        }
        var section = await about(list, account)
        let clients = section.body.table?.rows.compactMap(\.cells.first?.value) ?? []
        if clients.count > Self.mostConsents {
            section.lead =
                "The first \(Self.mostConsents) can be withdrawn here, and the others with `consents withdraw`."
        }
        section.forms = clients.prefix(Self.mostConsents).enumerated().map { index, client in
            let values = FormValues(["p_client": client, "o_account": account])
            return .init(withdraw, values, token: token, isShort: true, number: index)
        }
        return section
    }

    /// Returns the remedies of a person, with all that each of them ends.
    private func remedy(
        _ commands: [ConsoleCommand],
        _ account: String,
        token: String
    ) async -> ConsoleContent.Section {
        var forms = commands.map { command in
            ConsoleContent.Form(command, Self.values([command], account), token: token, isShort: true)
        }
        if let revoke = runner.book["sessions", "revoke"] {
            forms.append(.init(revoke, FormValues(["o_account": account]), token: token, isShort: true))
        }
        return .init(
            name: "Remedies",
            heading: "Remedies",
            body: .init(table: await ends(of: account)),
            forms: forms
        )
    }

    /// The remedies about a whole account, by their command lines.
    private static let remedies: [(line: String, kind: PreviewRemedy.Kind)] = [
        ("accounts disable", .disableAccount), ("sessions revoke --account", .revokeSessions),
        ("accounts set --password", .setPassword), ("accounts set --email", .setEmail),
    ]

    /// Returns what each remedy would end of the account now; `nil` if that is not known.
    private func ends(of account: String) async -> ConsoleContent.Table? {
        var rows: [ConsoleContent.Row] = []
        var titles = ["remedy"]
        for (line, kind) in Self.remedies {
            guard case .success(let ended) = await runner.ask(PreviewRemedy(kind, of: account)) else { return nil }
            titles = ["remedy"] + ended.numbers.map(\.name)
            let values = [line] + ended.numbers.map { String($0.count) }
            rows.append(.init(cells: zip(titles, values).map { title, value in .init(value, in: title) }))
        }
        return .init(caption: "What each remedy would end now", titles: titles, rows: rows)
    }
}
