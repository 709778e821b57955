import Kernel

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
            root[keyPath: property] = values
        } show: { root, key in
            let shown = root[keyPath: property].map { setting in
                ShownSetting(
                    info: SettingInfo(setting.name, "", as: rule),
                    key: KeyPathText.join(key, setting.name),
                    content: .value(rule.show(setting.value))
                )
            }
            return ShownSetting(info: info, key: key, content: .keys(shown))
        }
    }

    /// Returns the key for a section of `Whole`, of which this key's root is a part.
    func within<Whole>(_ part: any WritableKeyPath<Whole, Root> & Sendable) -> SettingField<Whole> {
        let (read, show) = (read, show)
        return SettingField<Whole>(info: info, presence: presence) { node, key, whole, reading in
            read(node, key, &whole[keyPath: part], &reading)
        } show: { whole, key in
            show(whole[keyPath: part], key)
        }
    }
}
