import Admin
import ArgumentParser

/// `vestibule accounts`.
struct AccountsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "accounts",
        "Add, list, show, change, enrol, disable, enable or import accounts.",
        examples: ["vestibule accounts list", "vestibule accounts show person@example.com"],
        subcommands: AdminTable.accounts.commandLine + [Import.self]
    )
}

/// `vestibule devices`.
struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "devices",
        "List or revoke the registered devices of an account.",
        examples: [
            "vestibule devices list person@example.com",
            "vestibule devices revoke 0b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a11",
        ],
        subcommands: AdminTable.devices.commandLine
    )
}

/// `vestibule consents`.
struct ConsentsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "consents",
        "List or withdraw a person's consents to clients.",
        examples: [
            "vestibule consents list person@example.com",
            "vestibule consents withdraw shop --account person@example.com",
        ],
        subcommands: AdminTable.consents.commandLine
    )
}

/// `vestibule sessions`.
struct SessionsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "sessions",
        "List or revoke the sessions of an account.",
        examples: [
            "vestibule sessions list person@example.com",
            "vestibule sessions revoke --account person@example.com",
        ],
        subcommands: AdminTable.sessions.commandLine
    )
}

/// `vestibule keys`.
struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "keys",
        "List, rotate or retire the keys that sign tokens.",
        about: """
            A key is next (published, and will sign), active (signs), retiring (only verifies until its \
            last token has expired) or retired (verifies nothing). The daemon rotates by secrets.rotateEvery. Keys of the \
            use identity sign id tokens by RS256 for clients that ask for it, and are rotated with the others.
            """,
        examples: ["vestibule keys list", "vestibule keys rotate"],
        subcommands: AdminTable.keys.commandLine
    )
}

/// `vestibule audit`.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "audit",
        "Check the audit, list its rows, make a checkpoint.",
        examples: ["vestibule audit verify", "vestibule audit list --limit 20"],
        subcommands: AdminTable.audit.commandLine
    )
}

/// `vestibule mail`.
struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "mail",
        "List queued and bounced mail, try to send it now, or send a test mail.",
        examples: ["vestibule mail list --state bounced", "vestibule mail flush"],
        subcommands: AdminTable.mail.commandLine
    )
}

/// `vestibule notices`.
struct NoticesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "notices",
        "List the notices to clients that wait, or try to send them now.",
        examples: ["vestibule notices list", "vestibule notices flush"],
        subcommands: AdminTable.notices.commandLine
    )
}

/// `vestibule nodes`.
struct NodesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "nodes",
        "List the daemons that share a database, or drain one.",
        about: """
            Both ask a running daemon over its socket, which knows all daemons of its database. SQLite has one daemon.
            """,
        examples: ["vestibule nodes list", "vestibule nodes drain node-2"],
        subcommands: AdminTable.nodes.commandLine
    )
}

/// `vestibule clients`.
struct ClientsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        "clients",
        "Add, list, disable, sign out or give new secrets to OAuth clients.",
        about: """
            A client is an app or a server that signs people in by OAuth. The operator's own clients are in the config, \
            are trusted, and are changed there. Clients that are added here, or register themselves, ask their people \
            for consent.
            """,
        examples: [
            "vestibule clients add --name App --redirect-uri com.example.app:/done",
            "vestibule clients list",
            "vestibule clients registration-token --uses 1",
        ],
        subcommands: AdminTable.clients.commandLine
    )
}
