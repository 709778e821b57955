import Kernel

extension SettingRule where Value == Secret {
    /// A secret: `env:NAME`, `file:PATH`, or, on a laptop only, the secret itself, which no error message repeats.
    static var secret: Self {
        Self(expected: "env:NAME or file:PATH", type: .secret) { text, key, reading throws(SettingError) in
            let secret: String
            if text.hasPrefix("env:") {
                secret = try fromEnvironment(String(text.dropFirst(4)), reading)
                reading.secretReferences[key] = text
            } else if text.hasPrefix("file:") {
                secret = try fromFile(String(text.dropFirst(5)), reading)
                reading.secretReferences[key] = text
            } else if text == ShownValue.redacted {
                throw SettingError(message: "is what config show prints instead of a secret. Write the secret")
            } else if reading.context.mode == .production {
                throw SettingError(message: "is a secret in plain text. Production takes env:NAME or file:PATH")
            } else {
                secret = text
                reading.warn(key, "is a secret in plain text. Write env:NAME or file:PATH to keep it out of the config")
            }
            guard !secret.isEmpty else { throw SettingError(message: "is empty") }
            guard secret.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
                throw SettingError(message: "has a line break or another control character in it")
            }
            return Secret(secret)
        } show: { _ in
            .secret
        }
    }

    /// A secret that is the user name of HTTP Basic, so it must not contain a colon (RFC 7617 §2).
    static var basicUser: Self {
        let secret = Self.secret
        return Self(expected: secret.expected, type: .secret) { text, key, reading throws(SettingError) in
            let user = try secret.parse(text, key, &reading)
            guard !user.expose().contains(":") else { throw SettingError(message: "has a colon in it") }
            return user
        } show: { _ in
            .secret
        }
    }

    private static func fromEnvironment(_ name: String, _ reading: SettingsReading) throws(SettingError) -> String {
        guard SecretReference.isVariableName(name) else {
            throw SettingError(message: "has no name of a variable after env:. Write it like env:AUTHID_KEY_ID")
        }
        guard let value = reading.context.environment[name] else {
            throw SettingError(message: "the environment has no variable \(name)")
        }
        guard !value.isEmpty else { throw SettingError(message: "the variable \(name) is empty") }
        return value
    }

    /// Returns the file's text without the line break at its end.
    private static func fromFile(_ path: String, _ reading: SettingsReading) throws(SettingError) -> String {
        guard !path.isEmpty else { throw SettingError(message: "has no path after file:") }
        let file = SettingsFiles.resolve(path, against: reading.context.dataFolder)
        let (text, permissions) = try reading.context.files.text(of: file)
        if permissions & 0o077 != 0, reading.context.mode == .production, !reading.isCredential(file) {
            let bits = String(permissions & 0o777, radix: 8)
            throw SettingError(message: "\(file) is accessible to others (\(bits)). Set its mode to 600 or 400")
        }
        return text.hasSuffix("\r\n") || text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

/// References to secrets that are kept outside the config.
enum SecretReference {
    /// Whether the text is a POSIX name: letters, digits and underscores, with no digit first.
    static func isVariableName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, !("0"..."9").contains(first) else { return false }
        return name.unicodeScalars.allSatisfy {
            $0 == "_" || ($0.isASCII && $0.properties.isAlphabetic) || ("0"..."9").contains($0)
        }
    }

    /// Returns the environment variables from which secrets of this tree are read.
    static func variables(in node: ConfigNode) -> Set<String> {
        switch node.content {
        case .nothing, .unread: []
        case .scalar(let text): text.hasPrefix("env:") ? [String(text.dropFirst(4))] : []
        case .list(let items): items.reduce(into: []) { $0.formUnion(variables(in: $1)) }
        case .map(let entries): entries.reduce(into: []) { $0.formUnion(variables(in: $1.node)) }
        }
    }
}

extension SettingsReading {
    /// Whether the file is a credential that systemd placed there for this service alone.
    ///
    /// On a file system with ACLs, systemd grants access by an ACL, and the ACL's mask is shown as the group bits
    /// (acl(5)).
    func isCredential(_ file: String) -> Bool {
        guard let folder = context.environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else { return false }
        return file.hasPrefix(SettingsFiles.resolve(folder, against: "/") + "/")
    }
}
