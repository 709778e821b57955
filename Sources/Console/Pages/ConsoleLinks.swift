import Admin

/// The pages that every page leads to, and which page a group of commands belongs to.
enum ConsoleLinks {
    /// Paths with their labels and the groups that they show.
    static let all: [(path: String, label: String, groups: [String])] = [
        ("/", "Now", [""]), ("/logins", "Logins", ["operations"]),
        ("/people", "People", ["accounts", "devices", "passkeys", "sessions", "consents"]),
        ("/clients", "Clients", ["clients"]),
        ("/providers", "Providers", ["provider"]), ("/mail", "Mail and notices", ["mail", "notices"]),
        ("/keys", "Keys", ["keys"]),
        ("/audit", "Audit", ["audit"]), ("/nodes", "Nodes", ["nodes"]), ("/settings", "Settings", ["config"]),
        ("/commands", "All commands", []),
    ]

    /// The path of the page that shows a group.
    static func page(of group: String) -> String { all.first { $0.groups.contains(group) }?.path ?? "/commands" }

    /// Returns the address of the page about one thing of a group.
    static func item(_ id: String, of group: String) -> String {
        switch group {
        case "accounts": PageAddress.path("people", id)
        case "operations": PageAddress.path("logins", id)
        default: PageAddress.path("items", group, id)
        }
    }

    /// Returns the address behind a cell of a group's table: its first column names the thing.
    static func link(in group: String, _ title: String, _ value: String) -> String? {
        guard value != "-", value != "(decoy)" else { return nil }
        switch (group, title) {
        case (_, "ACCOUNT"): return item(value, of: "accounts")
        case (_, "CLIENT"): return group == "clients" ? nil : item(value, of: "clients")
        case (_, "PROVIDER"): return item(value.splitOffComma, of: "provider")
        case ("notices", "NOTICE"):
            return value.hasPrefix("ciba:") ? item(String(value.dropFirst("ciba:".count)), of: "operations") : nil
        case (_, "ID"), ("operations", "ROW"), ("keys", "KID"), ("nodes", "NAME"): return item(value, of: group)
        default: return nil
        }
    }
}

extension String {
    /// The text before a comma, like the provider in `mock, ok`.
    fileprivate var splitOffComma: String { String(prefix { $0 != "," }) }
}

extension ConsoleContent {
    /// Returns a page without content yet, with the links to the others.
    ///
    /// `current`: the group of commands that it is about.
    static func page(_ title: String, current group: String) -> ConsoleContent {
        let own = ConsoleLinks.page(of: group)
        let links = ConsoleLinks.all.map { Link(path: $0.path, label: $0.label, isCurrent: $0.path == own) }
        return ConsoleContent(title: title, navigation: Navigation(links: links))
    }
}

extension ConsoleCommand {
    /// The address to go back to from a command's page.
    var back: String { ConsoleLinks.page(of: group) }
}
