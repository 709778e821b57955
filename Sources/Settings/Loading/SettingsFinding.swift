/// A fault or a warning about one position in the config.
package struct SettingsFinding: Sendable, Equatable, CustomStringConvertible {
    package let origin: ConfigOrigin
    /// The key with all its parents, like `faceLogin.lifetime`; empty for the file as a whole.
    package let key: String
    /// The message, which never contains a secret.
    package let message: String

    /// `FILE:LINE: KEY: MESSAGE`, without the key for an override, whose origin names it.
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

/// All faults of a config, sorted by origin.
package struct SettingsErrors: Error, Equatable, CustomStringConvertible {
    package let findings: [SettingsFinding]

    /// One line for each fault.
    package var description: String { findings.map(\.description).joined(separator: "\n") }
}
