import Admin

// The pages of single commands, and of single things.
extension ConsolePages {
    /// Returns the list of all commands.
    func allCommands() -> ConsoleContent {
        var content = ConsoleContent.page("All commands", current: "none")
        content.sections = runner.book.groups.filter { !$0.commands.isEmpty }.map { group in
            let name = group.name.isEmpty ? "daemon" : group.name
            let links = group.commands.map { ConsoleContent.Link(path: $0.path, label: $0.name) }
            return .init(name: name, heading: name, jumps: .init(all: links))
        }
        return content
    }

    /// Returns the form of a command, and the reply to one that reads.
    func command(_ address: PageAddress, token: String) async -> ConsoleContent? {
        guard let command = runner.book[address.group, address.parts[2]] else { return nil }
        var content = ConsoleContent.page(command.title, current: command.group)
        content.sections = [
            .init(name: command.title, forms: [.init(command, address.query, token: token)])
        ]
        guard command.effect == .reads, address.query["run"] != nil else { return content }
        let words = command.words(address.query)
        var section = ConsoleContent.Section(name: "Reply", heading: "Reply", lead: words.text)
        switch await runner.read(command, address.query) {
        case .success(let outcome):
            content.fault = outcome.problem
            section.body = .init(
                outcome,
                caption: command.help.summary,
                link: { ConsoleLinks.link(in: command.group, $0, $1) }
            )
        case .failure(let error): content.fault = error.message
        }
        content.sections.append(section)
        return content
    }

    /// Returns the page about one thing of a group: what `show` says of it, and each command about it.
    func item(_ id: String, of group: String, token: String) async -> ConsoleContent? {
        let commands = runner.book.about(group)
        guard !commands.isEmpty else { return nil }
        var content = ConsoleContent.page("\(group): \(id)", current: group)
        for command in commands where command.effect == .reads {
            content.sections.append(await about(command, id))
        }
        let values = Self.values(commands, id)
        var section = actions(commands.filter { $0.effect == .writes }, values, token: token)
        for (index, command) in commands.filter({ $0.effect == .writes }).enumerated() {
            section.forms[index].heads.ends = await outlook(command, values)
        }
        content.sections.append(section)
        return content
    }

    /// Returns what a command about a thing would do now; `nil` where that is not known.
    private func outlook(_ command: ConsoleCommand, _ values: FormValues) async -> String? {
        guard let preview = try? command.check(command.words(values), runner.input),
            case .success(let outlook) = await runner.outlook(preview)
        else { return nil }
        return outlook.sentence
    }

    /// Returns a section with the reply to a command about one thing.
    func about(_ command: ConsoleCommand, _ id: String) async -> ConsoleContent.Section {
        var section = ConsoleContent.Section(name: command.heading, heading: command.heading)
        switch await runner.read(command, Self.values([command], id)) {
        case .success(let outcome):
            section.body = .init(
                outcome,
                caption: command.help.summary,
                link: { ConsoleLinks.link(in: command.group, $0, $1) }
            )
        case .failure(let error): section.lead = error.message
        }
        return section
    }

    /// Returns the values of forms that are about one thing.
    static func values(_ commands: [ConsoleCommand], _ id: String) -> FormValues {
        FormValues(
            Dictionary(commands.compactMap(\.subject).map { ($0.key, id) }, uniquingKeysWith: { first, _ in first })
        )
    }
}
