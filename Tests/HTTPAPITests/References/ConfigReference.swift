import ReferencePages

@testable import Settings

/// The reference of the config as a page: every key of the schema with its type, default, bounds and meaning.
enum ConfigReference {
    private static let dataFolder = "/DATA"

    static var page: ReferencePage {
        let shown = SettingsSchema.root.show(Settings(dataFolder: dataFolder), "")
        let alone = shown.filter { if case .value = $0.content { $0.outline.isEmpty } else { false } }
        let sections = shown.filter { setting in !alone.contains { $0.key == setting.key } }
        let body =
            introduction + "\n## General\n\n" + table(alone)
            + sections.map { "\n## \($0.info.name)\n\n\($0.info.summary)\n\n\(table(below($0)))" }.joined()
        return ReferencePage(
            name: "config.md",
            title: "Config keys",
            source: "the schema in Sources/Settings",
            body: body
        )
    }

    private static let introduction = """
        `NAME` stands for a name of your own. Durations are a whole number and a unit: 500ms, 90s, 15m, 1h, 30d. Relative paths
        start from the data folder. [config/vestibule.yaml](../../config/vestibule.yaml) is the laptop's config with the same
        words; the keys of providers are in the files of [config/providers](../../config/providers).

        """

    private static func table(_ rows: [ShownSetting]) -> String {
        // Kinds of a part share keys.
        var seen: Set<[String]> = []
        let cells = rows.map(row).filter { seen.insert($0).inserted }
        return Markdown.table(["key", "type", "default", "bounds", "what it does"], cells)
    }

    /// The keys below one: each before those below it.
    private static func below(_ setting: ShownSetting) -> [ShownSetting] {
        var keys = setting.outline
        if keys.isEmpty, case .keys(let shown) = setting.content { keys = shown }
        return keys.flatMap { key -> [ShownSetting] in
            if key.info.type == .names { return [key] }
            // A name that the operator chooses is not a key.
            return (key.info.name == SettingInfo.anyName ? [] : [key]) + below(key)
        }
    }

    private static func row(_ setting: ShownSetting) -> [String] {
        let info = setting.info
        return [Markdown.code(setting.key), type(info.type), standard(setting), bounds(info), info.summary]
    }

    private static func bounds(_ info: SettingInfo) -> String {
        switch info.type {
        case .text, .names, .list(nil): info.expected ?? ""
        case .keys, .flag, .secret, .secrets, .number, .duration, .rate, .choice, .list: info.type.bounds ?? ""
        }
    }

    private static func type(_ type: SettingType) -> String {
        switch type {
        case .keys: "keys"
        case .names: "names"
        case .text: "text"
        case .flag: "true or false"
        case .secret: "secret"
        case .secrets: "list of secrets"
        case .number: "number"
        case .duration: "duration"
        case .rate: "rate"
        case .choice: "choice"
        case .list: "list"
        }
    }

    private static func standard(_ setting: ShownSetting) -> String {
        if setting.info.isRequired { return "must be written" }
        switch setting.content {
        case .keys, .value(.nothing), .value(.text("")), .value(.secret), .value(.secrets): return "–"
        case .value(.text(let text)) where text.hasPrefix(dataFolder + "/"):
            return "`\(text.dropFirst(dataFolder.count + 1))`"
        case .value(let value): return "`\(YAMLText.value(value))`"
        }
    }
}
