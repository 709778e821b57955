/// Something to tell the operator about one place of the config: a fault, or a warning.
package struct SettingsFinding: Sendable, Equatable, CustomStringConvertible {
    package let origin: ConfigOrigin
    /// The key with all its parents, like `faceLogin.lifetime`; empty when it is about the file as a whole.
    package let key: String
    /// Never holds a secret.
    package let message: String

    /// `FILE:LINE: KEY: MESSAGE`; an override's place names its key already.
    package var description: String {
        let named: String? =
            switch origin {
            case .builtIn, .file: nil
            case .environment(_, let key), .option(let key): key
            }
        let location = origin == .builtIn ? "" : origin.text + ": "
        return location + (key.isEmpty || key == named ? "" : key + ": ") + message
    }

    /// Sorts findings by origin, then by key, and leaves out duplicates.
    static func sorted(_ findings: [Self]) -> [Self] {
        let ordered = findings.sorted { left, right in
            let (first, second) = (left.origin.order, right.origin.order)
            return first == second ? (left.key, left.message) < (right.key, right.message) : first < second
        }
        return ordered.reduce(into: []) { kept, finding in
            if kept.last != finding { kept.append(finding) }
        }
    }
}

/// Everything that is wrong with a config, in the order of the places.
package struct SettingsErrors: Error, Equatable, CustomStringConvertible {
    package let findings: [SettingsFinding]

    /// One line for each.
    package var description: String { findings.map(\.description).joined(separator: "\n") }
}
