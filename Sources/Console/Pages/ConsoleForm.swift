import Admin
import Web

extension ConsoleContent {
    /// A form of a command.
    struct Form: Sendable {
        let method: String
        let path: String
        let formTitle: String?
        var heads = Heads()
        var hidden: [Hidden] = []
        var fields: [Field] = []
        var buttons: Buttons
    }

    /// The words above a form's fields.
    struct Heads: Sendable {
        var formLead: String?
        var details: String?
        /// What the command would end now.
        var ends: String?
        /// The command line.
        var line: String?
    }

    struct Hidden: Sendable {
        let key: String
        let value: String
    }

    struct Buttons: Sendable {
        let button: String
        var tone = ButtonStyle.primary.rawValue
        /// The address of the page that a person goes back to.
        var back: String?
    }

    struct Field: Sendable {
        let id: String
        let key: String
        let label: String
        let value: String
        let standard: String
        let hint: String
        let kind: Kind

        /// One of them is true.
        struct Kind: Sendable {
            var isFlag = false
            var isText = false
            var isLong = false
            var isSecret = false
            var isRequired = false
        }
    }
}

extension ConsoleContent.Field {
    /// Creates the field for a command's argument.
    ///
    /// `prefix`: makes its id different from those of other forms of the page.
    init(_ field: CommandField, _ values: FormValues, prefix: String) {
        var kind = Kind()
        switch field.kind {
        case .flag: kind.isFlag = true
        case .option where field.isSecret: kind.isSecret = true
        case .option where field.isRepeating: kind.isLong = true
        case .option, .positional: kind.isText = true
        }
        kind.isRequired = kind.isText && !field.isOptional && field.standard == nil
        self.init(
            id: "\(prefix)-\(field.key)",
            key: field.key,
            label: field.label,
            value: kind.isSecret ? "" : values[field.key] ?? "",
            standard: field.standard ?? "",
            hint: kind.isFlag || kind.isText || kind.isLong ? field.help : "The value is not shown again.",
            kind: kind
        )
    }
}

extension ConsoleContent.Form {
    /// Creates the form of a command that asks for its values.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - values: The values that are filled in.
    ///   - token: The token of the session, for a command that changes something.
    ///   - isShort: Whether it is one of several forms of a page.
    ///   - number: Tells the fields from those of the same command's other forms on the page.
    init(_ command: ConsoleCommand, _ values: FormValues, token: String, isShort: Bool = false, number: Int? = nil) {
        let isWrite = command.effect == .writes
        let style = command.buttonStyle
        self.init(
            method: isWrite ? "post" : "get",
            path: command.path,
            formTitle: isShort ? command.title : nil,
            heads: .init(formLead: command.help.summary, details: isShort ? nil : command.help.details.nonEmpty),
            hidden: isWrite ? [.init(key: "token", value: token)] : [.init(key: "run", value: "yes")],
            fields: command.fields.map { field in
                .init(field, values, prefix: "\(command.group)-\(command.name)\(number.map { "-\($0)" } ?? "")")
            },
            buttons: .init(
                button: isWrite ? "Look at it" : "Show",
                tone: (isShort && style == .primary ? .plain : style).rawValue
            )
        )
    }
}

extension ConsoleCommand {
    /// The address of its form.
    var path: String { "/commands/\(group.isEmpty ? "daemon" : group)/\(name)" }

    /// The form of its buttons.
    ///
    /// A removed client can be added again, but not with its secret and its people's consent.
    var buttonStyle: ButtonStyle {
        guard effect == .writes else { return .primary }
        return switch name {
        case "remove": .danger
        case "cancel", "disable", "drain", "end-sessions", "pause", "retire", "revoke", "withdraw": .quiet
        default: .primary
        }
    }

    /// The command's words, as a heading.
    var title: String { group.isEmpty ? name : "\(group) \(name)" }

    /// The heading over what the command reads.
    var heading: String {
        switch name {
        case "show": "Details"
        case "history": "What happened"
        case "answers": "What the provider answered"
        case "list": group == "operations" ? "Logins" : group.prefix(1).uppercased() + group.dropFirst()
        default: title
        }
    }
}

extension String {
    /// The text, or `nil` if it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}
