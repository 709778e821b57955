/// Prints a config as a file with every key of the schema, each with its meaning, form and default.
///
/// A key without a value, and a part that is left out, are commented out. Of several names that the operator chose,
/// the first has every key. The others have only the keys that are written for them.
struct CommentedConfig {
    /// Additional remarks on single keys of this config, by key.
    private let remarks: [String: String]
    /// The meanings that were printed since the last key at the root.
    private var explained: Set<String> = []

    /// A placeholder for the data folder, to which printed paths are relative.
    private static let dataFolder = "/DATA"
    /// The width of a comment, without its indent.
    private static let width = 112

    /// Returns the full file of a config of which only the differences from the defaults are given.
    ///
    /// - Parameters:
    ///   - source: YAML with the differing keys.
    ///   - remarks: Sentences by key.
    /// - Returns: YAML, or an empty text if the source is not valid YAML.
    static func text(of source: YAMLSource, remarks: [String: String]) -> String {
        guard let tree = source.parse().node else { return "" }
        var reading = SettingsReading(
            ReadingContext(
                dataFolder: dataFolder,
                mode: .laptop,
                environment: [:],
                files: SettingsFiles { _ in .missing },
                root: tree.origin
            )
        )
        let defaults = Settings(dataFolder: dataFolder)
        var settings = defaults
        SettingsSchema.root.read(tree, "", &settings, &reading)
        var printer = CommentedConfig(remarks: remarks)
        var lines: [String] = []
        for (setting, standard) in zip(SettingsSchema.root.show(settings, ""), SettingsSchema.root.show(defaults, "")) {
            printer.explained = []
            lines += [""] + printer.lines(setting, standard, written: tree[setting.info.name])
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private init(remarks: [String: String]) { self.remarks = remarks }

    /// Returns the lines of a key and all keys below it or, unless `isWhole`, only those that `node` has.
    private mutating func lines(
        _ setting: ShownSetting,
        _ standard: ShownSetting?,
        written node: ConfigNode?,
        isWhole: Bool = true
    ) -> [String] {
        let name = YAMLText.key(setting.info.name)
        if case .named = setting.info.children { return map(setting, name: name, written: node) }
        switch setting.content {
        case .value(.nothing) where !setting.outline.isEmpty:
            let sample = part(name, setting.outline, standards: setting.outline, written: nil)
            return comment(setting, nil) + Self.commentedOut(sample)
        case .value(let value):
            let text = Self.printed(value)
            let line = "\(name): \(text ?? setting.info.example ?? "")"
            let isLeftOut = text == nil && !setting.info.isRequired
            return comment(setting, standard) + (isLeftOut ? Self.commentedOut([line]) : [line])
        case .keys(let keys):
            // A part that is absent by default is compared with the defaults of its keys.
            var standards = setting.outline
            if case .keys(let usual)? = standard?.content { standards = usual }
            return comment(setting, nil)
                + part(name, keys, standards: standards, written: node, isWhole: isWhole)
        }
    }

    /// Returns the lines of a key that has keys below it.
    private mutating func part(
        _ name: String,
        _ keys: [ShownSetting],
        standards: [ShownSetting],
        written node: ConfigNode?,
        isWhole: Bool = true
    ) -> [String] {
        var lines = ["\(name):"]
        for key in keys where isWhole || node?[key.info.name] != nil {
            let standard = standards.first { $0.info.name == key.info.name }
            let below = self.lines(key, standard, written: node?[key.info.name], isWhole: isWhole)
            lines += below.map(Self.indented)
        }
        return lines
    }

    private mutating func map(_ setting: ShownSetting, name: String, written node: ConfigNode?) -> [String] {
        var lines = comment(setting, nil)
        guard case .keys(let standards)? = setting.outline.first?.content else { return lines }
        guard let entries = node?.entries, !entries.isEmpty, case .keys(let elements) = setting.content else {
            let sample = setting.info.example ?? SettingInfo.anyName
            let element = part(sample, standards, standards: standards, written: nil)
            return lines + Self.commentedOut(["\(name):"] + element.map(Self.indented))
        }
        lines.append("\(name):")
        for (index, entry) in entries.enumerated() {
            if let file = entry.node.scalar {
                lines.append(Self.indented("\(entry.name): \(file)"))
                continue
            }
            guard case .keys(let keys)? = elements.first(where: { $0.info.name == entry.name })?.content else {
                continue
            }
            let remark = remarks[KeyPathText.join(setting.key, entry.name)].map { Self.wrapped($0) } ?? []
            let element = part(
                YAMLText.key(entry.name),
                keys,
                standards: standards,
                written: entry.node,
                isWhole: index == 0
            )
            lines += (remark + element).map(Self.indented)
        }
        return lines
    }

    /// Returns a key's meaning, bounds and difference from its default, without a meaning that was printed before.
    private mutating func comment(_ setting: ShownSetting, _ standard: ShownSetting?) -> [String] {
        let remark = remarks[setting.key]
        guard explained.insert(setting.info.summary).inserted else { return remark.map { Self.wrapped($0) } ?? [] }
        var details: [String] = []
        if let bounds = setting.info.type.bounds { details.append(bounds) }
        if setting.info.isRequired { details.append("Must be written") }
        if case .value(let value) = setting.content, case .value(let usual)? = standard?.content, value != usual,
            !setting.info.isRequired, usual != .text(SettingInfo.anyName)
        {
            details.append("By default \(Self.printed(usual) ?? "none")")
        }
        if let remark { details.append(remark) }
        return Self.wrapped(setting.info.summary + (details.isEmpty ? "" : " (\(details.joined(separator: ". ")))"))
    }

    /// Returns the YAML of a value, or `nil` for an empty value or a secret.
    private static func printed(_ value: ShownValue) -> String? {
        switch value {
        case .nothing, .text(""), .secret, .secrets: nil
        case .text(let text) where text.hasPrefix(dataFolder + "/"): String(text.dropFirst(dataFolder.count + 1))
        case .text, .number, .flag, .list: YAMLText.value(value)
        }
    }

    private static func indented(_ line: String) -> String { line.isEmpty ? "" : "  " + line }

    private static func commentedOut(_ lines: [String]) -> [String] { lines.map { "# " + $0 } }

    private static func wrapped(_ text: String) -> [String] {
        text.split(separator: " ").reduce(into: ["#"]) { lines, word in
            if lines[lines.count - 1].count + 1 + word.count > width { lines.append("#") }
            lines[lines.count - 1] += " \(word)"
        }
    }
}
