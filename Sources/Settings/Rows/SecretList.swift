import Kernel

extension SettingField {
    /// A key with a list of secrets, each written like a single secret, which an override separates with commas.
    static func secrets(
        _ name: String,
        _ property: any WritableKeyPath<Root, [Secret]> & Sendable,
        help summary: String,
        required: Bool = false,
        example: String? = nil
    ) -> Self {
        let rule = SettingRule<Secret>.secret
        let info = SettingInfo(
            name: name,
            summary: summary,
            expected: "a list, each \(rule.expected)",
            type: .secrets,
            isRequired: required,
            example: example
        )
        return Self(info: info, presence: required ? .required : .optional) { node, key, root, reading in
            guard let items = node.listed else {
                return reading.fault(key, "takes a list, like [env:A, env:B]", at: node.origin)
            }
            guard (1...8).contains(items.count) else {
                return reading.fault(key, "takes one to eight secrets", at: node.origin)
            }
            root[keyPath: property] = items.enumerated().compactMap { index, item in
                let below = "\(key)[\(index)]"
                reading.origins[below] = item.origin
                return rule.value(of: item, at: below, in: &reading)
            }
        } show: { root, key in
            let count = root[keyPath: property].count
            return ShownSetting(info: info, key: key, content: .value(count == 0 ? .nothing : .secrets(count)))
        }
    }
}
