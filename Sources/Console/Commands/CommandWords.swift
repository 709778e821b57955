import Kernel

/// The words of a command line, as they are parsed and as they are shown.
struct CommandWords: Sendable, Equatable {
    /// The words after the command's name.
    let arguments: [String]
    /// The value of the secret field; `nil` without one.
    let secret: String?
    /// The words before the arguments.
    private let name: [String]

    init(_ name: [String], _ fields: [CommandField], _ values: FormValues) {
        self.name = name
        var options: [String] = []
        var positional: [String] = []
        var secret: String?
        for field in fields {
            switch field.kind {
            case .flag: if values[field.key] != nil { options.append("--\(field.name)") }
            case .option where field.isSecret:
                secret = values.exact(field.key)
                if secret != nil { options.append("--\(field.name)=-") }
            // A value can't be taken for another option: it is in the same word as the option's name.
            case .option: options += Self.values(of: field, values).map { "--\(field.name)=\($0)" }
            case .positional: positional += Self.values(of: field, values)
            }
        }
        // Behind the two dashes nothing is an option.
        arguments = options + (positional.isEmpty ? [] : ["--"] + positional)
        self.secret = secret
    }

    private static func values(of field: CommandField, _ values: FormValues) -> [String] {
        guard let value = values[field.key] else { return [] }
        return field.isRepeating ? value.split(whereSeparator: \.isNewline).map { String($0.trimmed) } : [value]
    }

    /// The command line as a person could type it into a shell.
    var text: String {
        // The dashes are needed only before a value that begins with one.
        let isPlain = !arguments.drop { $0 != "--" }.dropFirst().contains { $0.hasPrefix("-") }
        let shown = isPlain ? arguments.filter { $0 != "--" } : arguments
        return (["vestibule"] + name + shown.map(Self.quoted)).joined(separator: " ")
    }

    private static func quoted(_ word: String) -> String {
        let isPlain = word.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_./:=@+,%".unicodeScalars.contains(scalar))
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
}
