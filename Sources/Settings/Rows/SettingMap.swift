extension SettingField {
    /// A key whose own keys are names, each with the same section below it.
    ///
    /// `names`: the allowed names, unless the operator chooses them.
    ///
    /// `blank`: makes an element with its defaults.
    ///
    /// `insert`: stores an element that was read, in the order of the config.
    ///
    /// `elements`: the stored elements, in the order in which they are printed.
    static func map<Element: Sendable>(
        _ name: String,
        each section: SettingSection<Element>,
        names: [String]? = nil,
        help summary: String,
        example: String? = nil,
        blank: @escaping @Sendable (String) -> Element,
        insert: @escaping @Sendable (inout Root, String, Element) -> Void,
        elements: @escaping @Sendable (Root) -> [(name: String, element: Element)]
    ) -> Self {
        let info = SettingInfo(name: name, summary: summary, example: example, children: .named(section.infos))
        return Self(info: info, presence: .optional) { node, key, root, reading in
            guard case .map(let entries) = node.content else {
                return reading.fault(key, "takes names with keys below each, not a value", at: node.origin)
            }
            for entry in entries {
                let below = KeyPathText.join(key, entry.name)
                if let complaint = complaint(about: entry.name, names: names) {
                    reading.fault(below, complaint, at: entry.origin)
                    continue
                }
                reading.origins[below] = entry.origin
                if case .unread = entry.node.content { continue }
                var element = blank(entry.name)
                section.read(entry.node.asMap, below, &element, &reading)
                insert(&root, entry.name, element)
            }
        } show: { root, key in
            func shown(_ name: String, _ keys: (String) -> [ShownSetting]) -> ShownSetting {
                let below = KeyPathText.join(key, name)
                let info = SettingInfo(name: name, summary: "", children: .keys(section.infos))
                return ShownSetting(info: info, key: below, content: .keys(keys(below)))
            }
            return ShownSetting(
                info: info,
                key: key,
                content: .keys(elements(root).map { name, element in shown(name) { section.show(element, $0) } }),
                outline: [shown(SettingInfo.anyName) { section.outline(blank(SettingInfo.anyName), $0) }]
            )
        }
    }

    /// A map whose elements are stored in a dictionary by their names.
    static func map<Element: Sendable>(
        _ name: String,
        _ property: any WritableKeyPath<Root, [String: Element]> & Sendable,
        each section: SettingSection<Element>,
        names: [String]? = nil,
        help summary: String,
        example: String? = nil,
        blank: @escaping @Sendable (String) -> Element
    ) -> Self {
        map(name, each: section, names: names, help: summary, example: example, blank: blank) {
            $0[keyPath: property][$1] = $2
        } elements: { root in
            root[keyPath: property].sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    private static func complaint(about name: String, names: [String]?) -> String? {
        if let names { return names.contains(name) ? nil : UnknownName.message("name", name, known: names) }
        return SettingRule<String>.isName(name) ? nil : "is not a name. \(SettingRule<String>.nameForm)"
    }
}

extension ConfigNode {
    /// The node as a map: a name with nothing below it has all its defaults.
    fileprivate var asMap: ConfigNode {
        if case .nothing = content { ConfigNode(content: .map([]), origin: origin) } else { self }
    }
}
