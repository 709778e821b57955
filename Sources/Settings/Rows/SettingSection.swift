/// The keys of one map, which are read into a `Root` and printed from it.
struct SettingSection<Root: Sendable>: Sendable {
    let infos: [SettingInfo]
    let read: @Sendable (ConfigNode, _ key: String, inout Root, inout SettingsReading) -> Void
    let show: @Sendable (Root, _ key: String) -> [ShownSetting]
    /// Returns the keys of every kind, whichever kind the root has.
    var outline: @Sendable (Root, _ key: String) -> [ShownSetting]

    private init(
        infos: [SettingInfo],
        read: @escaping @Sendable (ConfigNode, String, inout Root, inout SettingsReading) -> Void,
        show: @escaping @Sendable (Root, String) -> [ShownSetting]
    ) {
        self.infos = infos
        self.read = read
        self.show = show
        outline = show
    }

    /// A section of these keys; `finish` is called after all of them were read, and sets derived values.
    init(_ fields: [SettingField<Root>], finish: @escaping @Sendable (inout Root) -> Void = { _ in }) {
        self.init(infos: fields.map(\.info)) { node, key, root, reading in
            guard Self.checkNames(of: node, at: key, known: fields.map(\.info.name), in: &reading) else { return }
            for field in fields {
                let name = field.info.name
                let below = KeyPathText.join(key, name)
                if let entry = node.written(name) {
                    reading.origins[below] = entry.origin
                    field.read(entry.node, below, &root, &reading)
                    continue
                }
                switch field.presence {
                case .optional: continue
                case .required:
                    reading.fault(below, "is missing. Write \(field.info.expected ?? "its keys")", at: node.origin)
                case .implied:
                    field.read(ConfigNode(content: .map([]), origin: node.origin), below, &root, &reading)
                }
            }
            finish(&root)
        } show: { root, key in
            fields.map { $0.show(root, KeyPathText.join(key, $0.info.name)) }
        }
    }

    /// A section with a key that names its kind, on which the other keys depend.
    ///
    /// With a `default` that key may be left out.
    init(kind name: String, _ summary: String, default kind: String? = nil, _ variants: [SettingVariant<Root>]) {
        let names = variants.map(\.name)
        let expected = "one of \(names.joined(separator: ", "))"
        let bounds = names.joined(separator: ", ")
        let info = SettingInfo(
            name: name,
            summary: summary,
            expected: expected,
            type: .choice(bounds),
            isRequired: kind == nil
        )
        self.init(infos: [info] + variants.flatMap(\.infos)) { node, key, root, reading in
            let below = KeyPathText.join(key, name)
            guard case .map(let entries) = node.content else {
                return reading.fault(key, "takes keys, not a value", at: node.origin)
            }
            let written = node.written(name)
            guard let kind = written.map({ $0.node.scalar ?? "" }) ?? (entries.isEmpty ? kind : nil) else {
                return reading.fault(below, "is missing. Write \(expected)", at: node.origin)
            }
            if let written { reading.origins[below] = written.origin }
            guard let variant = variants.first(where: { $0.name == kind }) else {
                let text = SettingError.quoted(kind)
                return reading.fault(below, "\(text) is not \(expected)", at: written?.node.origin)
            }
            var rest = node
            rest.content = .map(entries.filter { $0.name != name })
            variant.read(rest, key, &root, &reading)
        } show: { root, key in
            for variant in variants {
                guard let shown = variant.show(root, key) else { continue }
                let below = KeyPathText.join(key, name)
                return [ShownSetting(info: info, key: below, content: .value(.text(variant.name)))] + shown
            }
            return []
        }
        outline = { _, key in
            let value: ShownValue = kind.map { .text($0) } ?? .nothing
            let shown = ShownSetting(info: info, key: KeyPathText.join(key, name), content: .value(value))
            return [shown] + variants.flatMap { $0.outline(key) }
        }
    }

    /// Reports unknown keys.
    ///
    /// - Returns: `false` if `node` is not a map.
    private static func checkNames(
        of node: ConfigNode,
        at key: String,
        known: [String],
        in reading: inout SettingsReading
    ) -> Bool {
        guard case .map(let entries) = node.content else {
            reading.fault(key, "takes keys (\(known.joined(separator: ", "))), not a value", at: node.origin)
            return false
        }
        for entry in entries where !known.contains(entry.name) {
            let below = KeyPathText.join(key, entry.name)
            let message = UnknownName.message("key", entry.name, known: known, at: entry.origin)
            reading.fault(below, message, at: entry.origin)
        }
        return true
    }
}

/// One kind of a section: its name, its keys, and how they are stored in the `Root`.
struct SettingVariant<Root: Sendable>: Sendable {
    let name: String
    let infos: [SettingInfo]
    let read: @Sendable (ConfigNode, _ key: String, inout Root, inout SettingsReading) -> Void
    /// Returns `nil` when the root has another kind.
    let show: @Sendable (Root, _ key: String) -> [ShownSetting]?
    let outline: @Sendable (_ key: String) -> [ShownSetting]

    init<Part: Sendable>(
        _ name: String,
        _ section: SettingSection<Part>,
        blank: Part,
        wrap: @escaping @Sendable (Part) -> Root,
        unwrap: @escaping @Sendable (Root) -> Part?
    ) {
        self.name = name
        infos = section.infos
        read = { node, key, root, reading in
            var part = blank
            section.read(node, key, &part, &reading)
            root = wrap(part)
        }
        show = { root, key in unwrap(root).map { section.show($0, key) } }
        outline = { key in section.outline(blank, key) }
    }
}

/// The message about an unknown name.
enum UnknownName {
    /// Returns a message with the nearest known name, or all known names when none is near.
    static func message(_ what: String, _ name: String, known: [String]) -> String {
        if let near = DidYouMean.to(name, among: known) { return "unknown \(what). Did you mean \(near)?" }
        return "unknown \(what). Known here: \(known.joined(separator: ", "))"
    }

    /// Returns the same message.
    ///
    /// For a variable without a near name at this position, it names the nearest of all variables.
    static func message(_ what: String, _ name: String, known: [String], at origin: ConfigOrigin) -> String {
        guard case .environment(let variable, _) = origin, DidYouMean.to(name, among: known) == nil,
            let near = SettingsOverride.nearestVariable(to: variable)
        else { return message(what, name, known: known) }
        return "unknown \(what). The nearest is \(near)"
    }
}

extension ConfigNode {
    /// Returns the entry of a key that has a value, or the last one if a faulty file has duplicates.
    func written(_ name: String) -> ConfigEntry? {
        entries.last { entry in
            if case .nothing = entry.node.content { return false }
            return entry.name == name
        }
    }
}
