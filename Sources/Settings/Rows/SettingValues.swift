import FaceProviders

extension SettingField {
    /// A key whose own keys are names that the operator chooses, each with one value.
    static func values<Value: Sendable & Equatable>(
        _ name: String,
        _ property: any WritableKeyPath<Root, [NamedValue<Value>]> & Sendable,
        as rule: SettingRule<Value>,
        help summary: String,
        names: NameRule = .plain,
        required: Bool = false
    ) -> Self {
        values(name, as: rule, help: summary, names: names, required: required) {
            $0[keyPath: property]
        } set: {
            $0[keyPath: property] = $1
        }
    }

    /// The same, of a part of the root.
    static func values<Part, Value: Sendable & Equatable>(
        _ name: String,
        _ property: any WritableKeyPath<Part, [NamedValue<Value>]> & Sendable,
        of part: any WritableKeyPath<Root, Part> & Sendable,
        as rule: SettingRule<Value>,
        help summary: String,
        names: NameRule = .plain
    ) -> Self {
        values(name, as: rule, help: summary, names: names, required: false) {
            $0[keyPath: part][keyPath: property]
        } set: {
            $0[keyPath: part][keyPath: property] = $1
        }
    }

    /// A key with one value, of a part of the root.
    static func part<Part, Value>(
        _ name: String,
        _ property: any WritableKeyPath<Part, Value> & Sendable,
        of part: any WritableKeyPath<Root, Part> & Sendable,
        as rule: SettingRule<Value>,
        help summary: String,
        required: Bool = false
    ) -> Self {
        let info = SettingInfo(name, summary, as: rule, required: required)
        return Self(info: info, presence: required ? .required : .optional) { node, key, root, reading in
            if let value = rule.value(of: node, at: key, in: &reading) {
                root[keyPath: part][keyPath: property] = value
            }
        } show: { root, key in
            ShownSetting(info: info, key: key, content: .value(rule.show(root[keyPath: part][keyPath: property])))
        }
    }

    private static func values<Value: Sendable & Equatable>(
        _ name: String,
        as rule: SettingRule<Value>,
        help summary: String,
        names: NameRule,
        required: Bool,
        get: @escaping @Sendable (Root) -> [NamedValue<Value>],
        set: @escaping @Sendable (inout Root, [NamedValue<Value>]) -> Void
    ) -> Self {
        let info = SettingInfo(
            name: name,
            summary: summary,
            expected: "names, each with \(rule.expected)",
            type: .names,
            isRequired: required,
            children: .named([])
        )
        return Self(info: info, presence: required ? .required : .optional) { node, key, root, reading in
            guard case .map(let entries) = node.content, !(required && entries.isEmpty) else {
                return reading.fault(key, "takes \(info.expected ?? "names")", at: node.origin)
            }
            var values: [NamedValue<Value>] = []
            for entry in entries {
                let below = KeyPathText.join(key, entry.name)
                if let complaint = names.complaint(entry.name) {
                    reading.fault(below, complaint, at: entry.origin)
                    continue
                }
                reading.origins[below] = entry.origin
                guard let value = rule.value(of: entry.node, at: below, in: &reading) else { continue }
                values.append(NamedValue(entry.name, value))
            }
            set(&root, values)
        } show: { root, key in
            let shown = get(root).map { setting in
                ShownSetting(
                    info: SettingInfo(setting.name, "", as: rule),
                    key: KeyPathText.join(key, setting.name),
                    content: .value(rule.show(setting.value))
                )
            }
            return ShownSetting(info: info, key: key, content: .keys(shown))
        }
    }
}
