/// The files of one config: the main file and the files that its providers name.
struct ConfigInput: Sendable {
    let sources: SettingsSources
    /// An absolute path.
    let dataFolder: String
    let files: SettingsFiles

    /// Returns the main file's tree, or `nil`, with a fault, if it can't be read.
    func main(_ faults: inout [SettingsFinding]) -> ConfigNode? {
        guard let name = sources.configFile else {
            return parse(YAMLSource(name: EmbeddedConfig.mainName, text: EmbeddedConfig.main), &faults)
        }
        let origin = ConfigOrigin.file(name, line: 0)
        switch files.read(SettingsFiles.resolve(name, against: sources.workingFolder)) {
        case .text(let text, _): return parse(YAMLSource(name: name, text: text), &faults)
        case .missing: faults.append(SettingsFinding(origin: origin, key: "", message: "the file does not exist"))
        case .unreadable(let why): faults.append(SettingsFinding(origin: origin, key: "", message: why))
        }
        return nil
    }

    /// Replaces file paths below `providers` with the contents of the files.
    func expandProviders(in tree: inout ConfigNode, _ faults: inout [SettingsFinding]) {
        guard case .map(var entries) = tree.content, let index = entries.lastIndex(where: { $0.name == "providers" }),
            case .map(var providers) = entries[index].node.content
        else { return }
        for (position, provider) in providers.enumerated() {
            guard let path = provider.node.scalar else { continue }
            let key = KeyPathText.join("providers", provider.name)
            providers[position].node =
                include(path, at: provider.node.origin, under: key, &faults)
                ?? ConfigNode(content: .unread, origin: provider.node.origin)
        }
        entries[index].node.content = .map(providers)
        tree.content = .map(entries)
    }

    private func include(
        _ path: String,
        at origin: ConfigOrigin,
        under key: String,
        _ faults: inout [SettingsFinding]
    ) -> ConfigNode? {
        let name: String
        if let main = sources.configFile {
            name = path.hasPrefix("/") ? path : Self.folder(of: main) + path
        } else if let text = EmbeddedConfig.included[path] {
            return parse(YAMLSource(name: EmbeddedConfig.name(of: path), text: text), under: key, &faults)
        } else {
            name = SettingsFiles.resolve(path, against: dataFolder)
        }
        switch files.read(SettingsFiles.resolve(name, against: sources.workingFolder)) {
        case .text(let text, _): return parse(YAMLSource(name: name, text: text), under: key, &faults)
        case .missing:
            faults.append(SettingsFinding(origin: origin, key: key, message: "the file \(name) does not exist"))
        case .unreadable(let why): faults.append(SettingsFinding(origin: origin, key: key, message: "\(name) \(why)"))
        }
        return nil
    }

    private func parse(_ source: YAMLSource, under key: String = "", _ faults: inout [SettingsFinding]) -> ConfigNode? {
        let (node, findings) = source.parse(under: key)
        faults += findings
        return node
    }

    /// Returns the folder with its trailing slash, or an empty text for a bare file name.
    private static func folder(of file: String) -> String {
        file.lastIndex(of: "/").map { String(file[...$0]) } ?? ""
    }
}
