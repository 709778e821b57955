import Admin
import Kernel

/// The pages that show something.
struct ConsolePages: Sendable {
    /// The rows of a page, when an address names no other number.
    static let rows = 50

    let runner: CommandRunner
    let now: @Sendable () -> Instant

    /// Returns the page at an address; `nil` if there is none.
    func content(of address: PageAddress, token: String) async -> ConsoleContent? {
        let parts = address.parts
        switch (parts.first, parts.count) {
        case (nil, _): return await nowPage()
        case ("logins", 1): return await logins(address.query)
        case ("logins", 2): return await login(parts[1], token: token)
        case ("people", 1): return await people(address.query, token: token)
        case ("people", 2): return await person(parts[1], token: token)
        case ("providers", 1): return await providers()
        case ("commands", 1): return allCommands()
        case ("commands", 3): return await command(address, token: token)
        case ("items", 3): return await item(parts[2], of: parts[1], token: token)
        case (let name?, 1):
            guard let link = ConsoleLinks.all.first(where: { $0.path == "/" + name }), !link.groups.isEmpty else {
                return nil
            }
            return await page(of: link.groups, title: link.label, address.query, token: token)
        default: return nil
        }
    }

    /// Returns the page of groups: their lists with a search, and the commands that need nothing of the lists.
    private func page(
        of groups: [String],
        title: String,
        _ query: FormValues,
        token: String
    ) async -> ConsoleContent {
        var content = ConsoleContent.page(title, current: groups[0])
        let reading = groups.flatMap { runner.book[$0] }.filter { $0.effect == .reads && $0.subject == nil }
        for command in reading where command.isQuick {
            content.sections.append(await list(command, query, at: ConsoleLinks.page(of: command.group)))
        }
        content.sections.append(actions(groups.flatMap { runner.book.apart($0) }, FormValues(), token: token))
        let slow = reading.filter { !$0.isQuick }
        if !slow.isEmpty {
            let links = slow.map { ConsoleContent.Link(path: $0.path, label: $0.title) }
            content.sections.append(.init(name: "More", jumps: .init(all: links)))
        }
        return content
    }

    /// Returns a section with the reply to a command that lists, the search for it, and the next page.
    func list(
        _ command: ConsoleCommand,
        _ query: FormValues,
        at path: String,
        hasSearch: Bool = true
    ) async -> ConsoleContent.Section {
        let hasLimit = command.fields.contains { $0.key == "o_limit" }
        let values = hasLimit && query["o_limit"] == nil ? query.with("o_limit", String(Self.rows)) : query
        var section = ConsoleContent.Section(name: command.heading, heading: command.heading)
        let shown = command.fields.filter { $0.kind == .option && $0.key != "o_after" && $0.key != "o_limit" }
        if hasSearch, !shown.isEmpty {
            section.search = .init(path: path, fields: shown.map { .init($0, query, prefix: command.group) })
        }
        switch await runner.read(command, values) {
        case .success(let outcome):
            let next = nextPage(after: outcome, command, values).map { PageAddress.path(path, $0) }
            section.body = .init(
                outcome,
                caption: command.help.summary,
                link: { ConsoleLinks.link(in: command.group, $0, $1) },
                next: next
            )
        case .failure(let error): section.lead = error.message
        }
        return section
    }

    /// Returns the query of the next page; `nil` on the last one, or for a list without pages.
    private func nextPage(
        after outcome: CommandOutcome,
        _ command: ConsoleCommand,
        _ values: FormValues
    ) -> [(String, String)]? {
        guard command.fields.contains(where: { $0.key == "o_after" }), let table = outcome.table,
            let limit = values["o_limit"].flatMap({ Int($0) }), table.rows.count >= limit, let last = table.last
        else { return nil }
        let kept = command.fields.filter { $0.key != "o_after" }.compactMap { field in
            values[field.key].map { (field.key, $0) }
        }
        return kept + [("o_after", last)]
    }

    /// Returns the forms of commands, with some of their values filled in.
    func actions(_ commands: [ConsoleCommand], _ values: FormValues, token: String) -> ConsoleContent.Section {
        ConsoleContent.Section(
            name: "Actions",
            heading: commands.isEmpty ? nil : "Actions",
            forms: commands.map { .init($0, values, token: token, isShort: true) }
        )
    }
}

extension ConsoleCommand {
    /// Whether it is cheap enough to run whenever its page is opened.
    ///
    /// Verifying the audit reads all of it.
    var isQuick: Bool { !(group == "audit" && name == "verify") }
}
