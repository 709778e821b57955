import Admin

/// All commands of the table that have a form, by group and name.
struct CommandBook: Sendable {
    let groups: [(name: String, commands: [ConsoleCommand])]

    init() {
        groups = AdminTable.groups.map { group in
            (group.name, group.commands.compactMap { ConsoleCommand($0, in: group.name) })
        }
    }

    subscript(group: String) -> [ConsoleCommand] { groups.first { $0.name == group }?.commands ?? [] }

    subscript(group: String, name: String) -> ConsoleCommand? { self[group].first { $0.name == name } }

    /// Returns the commands of a group about one thing of it, like `disable ID`, without those that list its things.
    func about(_ group: String) -> [ConsoleCommand] {
        self[group].filter { $0.subject != nil && $0.name != "list" && !$0.isAboutAnAddress }
    }

    /// Returns the other commands of a group that change something.
    func apart(_ group: String) -> [ConsoleCommand] {
        self[group].filter { $0.effect == .writes && ($0.subject == nil || $0.isAboutAnAddress) }
    }
}

extension ConsoleCommand {
    /// Whether its value is an address outside, like that of a test mail.
    fileprivate var isAboutAnAddress: Bool { subject?.name == "address" }
}
