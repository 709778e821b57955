import FoundationEssentials

/// Prints every effective key with its value and origin, but no secret.
package struct ConfigPrinter: Sendable {
    let loaded: LoadedSettings
    /// Whether each key's meaning is printed above it.
    let explains: Bool

    package init(loaded: LoadedSettings, explains: Bool = false) {
        self.loaded = loaded
        self.explains = explains
    }

    private static let commentColumn = 48

    /// Returns YAML that gives the same settings when it is read again, except for secrets written in the config.
    package func yaml() -> String {
        var lines: [String] = []
        for setting in shown { append(setting, depth: 0, &lines) }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns a JSON object (RFC 8259): `settings` by full key, each with its `value` and `source`, and `warnings`.
    package func json() throws -> String {
        var settings: [String: JSONSetting] = [:]
        for setting in shown { collect(setting, &settings) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let report = JSONReport(settings: settings, warnings: loaded.warnings.map(\.description))
        return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
    }

    /// Returns the full key, the value as YAML and the source of each setting, in the order of the config.
    package func rows() -> [(key: String, value: String, source: String)] { shown.flatMap { rows(of: $0) } }

    private func rows(of setting: ShownSetting) -> [(key: String, value: String, source: String)] {
        switch setting.content {
        case .value(let value):
            [(setting.key, YAMLText.value(visible(value, setting.key)), source(of: setting.key))]
        case .keys(let below): below.flatMap { rows(of: $0) }
        }
    }

    private var shown: [ShownSetting] { SettingsSchema.root.show(loaded.settings, "") }

    private func append(_ setting: ShownSetting, depth: Int, _ lines: inout [String]) {
        let indent = String(repeating: " ", count: depth * 2)
        if explains, !setting.info.summary.isEmpty {
            if depth == 0, !lines.isEmpty { lines.append("") }
            lines.append("\(indent)# \(setting.info.summary)\(setting.info.expected.map { " (\($0))" } ?? "")")
        }
        switch setting.content {
        case .value(let value):
            let text = "\(indent)\(YAMLText.key(setting.info.name)): \(YAMLText.value(visible(value, setting.key)))"
            let gap = String(repeating: " ", count: max(2, Self.commentColumn - text.count))
            lines.append("\(text)\(gap)# \(source(of: setting.key))")
        case .keys(let settings):
            lines.append("\(indent)\(YAMLText.key(setting.info.name)):\(settings.isEmpty ? " {}" : "")")
            for below in settings { append(below, depth: depth + 1, &lines) }
        }
    }

    private func collect(_ setting: ShownSetting, _ settings: inout [String: JSONSetting]) {
        switch setting.content {
        case .value(let value):
            settings[setting.key] = JSONSetting(value: visible(value, setting.key), source: source(of: setting.key))
        case .keys(let below):
            for setting in below { collect(setting, &settings) }
        }
    }

    private func source(of key: String) -> String { (loaded.origins[key] ?? .builtIn).text }

    /// Replaces a secret: by its reference if it is kept outside the config, otherwise by a placeholder.
    private func visible(_ value: ShownValue, _ key: String) -> ShownValue {
        switch value {
        case .secret: .text(loaded.secretReferences[key] ?? ShownValue.redacted)
        case .secrets(let count):
            .list((0..<count).map { loaded.secretReferences["\(key)[\($0)]"] ?? ShownValue.redacted })
        case .text, .number, .flag, .list, .nothing: value
        }
    }
}

/// Values as YAML.
package enum YAMLText {
    static func value(_ value: ShownValue) -> String {
        switch value {
        case .text(let text): scalar(text)
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list(let items): "[\(items.map(scalar).joined(separator: ", "))]"
        case .nothing: "null"
        case .secret, .secrets: scalar(ShownValue.redacted)
        }
    }

    /// Returns a key: plain for the config's own names, and quoted where other names need it.
    static func key(_ text: String) -> String {
        let isPlain = text.first?.isLetter == true && text.utf8.allSatisfy { $0 != UInt8(ascii: ":") && $0 > 0x20 }
        return isPlain && !scalar(text).hasPrefix("\"") || text == "off" ? text : scalar(text)
    }

    /// Returns a scalar: plain where it can't be misread, otherwise in double quotes (YAML 1.2.2 §7.3.1).
    package static func scalar(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "-_./:+@".unicodeScalars.contains(scalar))
        }
        let first = text.unicodeScalars.first
        let beginsPlain = first.map { $0.properties.isAlphabetic || $0 == "/" || ("0"..."9").contains($0) } ?? false
        let isOther =
            Int(text) != nil || ["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased())
        guard plain, beginsPlain, !isOther, text.last != ":" else { return quoted(text) }
        return text
    }

    private static func quoted(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "\"") { output, scalar in
            switch scalar {
            case "\"", "\\": output += "\\\(scalar)"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let hex = String(scalar.value, radix: 16, uppercase: true)
                output += "\\x" + (hex.count == 1 ? "0" : "") + hex
            default: output.unicodeScalars.append(scalar)
            }
        } + "\""
    }
}

private struct JSONReport: Encodable {
    let settings: [String: JSONSetting]
    let warnings: [String]
}

private struct JSONSetting: Encodable {
    let value: ShownValue
    let source: String
}

extension ShownValue: Encodable {
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .flag(let flag): try container.encode(flag)
        case .list(let items): try container.encode(items)
        case .nothing: try container.encodeNil()
        case .secret, .secrets: try container.encode(ShownValue.redacted)
        }
    }
}
