import Kernel

/// One key of a section: its name, its meaning, and how it is read into a `Root` and printed from it.
struct SettingField<Root: Sendable>: Sendable {
    let info: SettingInfo
    let presence: KeyPresence
    let read: @Sendable (ConfigNode, _ key: String, inout Root, inout SettingsReading) -> Void
    let show: @Sendable (Root, _ key: String) -> ShownSetting
}

/// The effect of leaving a key out.
enum KeyPresence: Sendable {
    case optional
    /// A missing key is a fault.
    case required
    /// A missing key counts as an empty map, so that missing required keys below it are reported.
    case implied
}

/// A key's name, meaning and form, and the keys below it.
struct SettingInfo: Sendable {
    let name: String
    /// The meaning, for the operator, printed as a comment in a config.
    let summary: String
    /// The expected form; `nil` for a key with keys below it.
    var expected: String?
    var type: SettingType = .keys
    var isRequired = false
    /// An example value for a key without a default, or an example of a chosen name.
    var example: String?
    var children: Children = .none

    enum Children: Sendable {
        case none
        case keys([SettingInfo])
        /// Names that the operator chooses, each with these keys.
        case named([SettingInfo])
    }

    /// The placeholder for a name that the operator chooses.
    static let anyName = "NAME"
}

/// A key of the effective config, as it is printed.
struct ShownSetting: Sendable {
    let info: SettingInfo
    /// The key with all its parents.
    let key: String
    let content: Content
    /// The default keys below it: those of a part that is absent, of each kind, or of one element of a map.
    var outline: [ShownSetting] = []

    enum Content: Sendable {
        case value(ShownValue)
        case keys([ShownSetting])
    }
}

extension SettingInfo {
    init<Value>(
        _ name: String,
        _ summary: String,
        as rule: SettingRule<Value>,
        required: Bool = false,
        example: String? = nil
    ) {
        self.init(
            name: name,
            summary: summary,
            expected: rule.expected,
            type: rule.type,
            isRequired: required,
            example: example
        )
    }

    init<Value>(_ name: String, _ summary: String, listOf rule: SettingRule<Value>, required: Bool = false) {
        self.init(
            name: name,
            summary: summary,
            expected: "a list, each \(rule.expected)",
            type: .list(rule.type.bounds),
            isRequired: required
        )
    }
}

extension SettingField {
    /// A key with one value, whose default is the property's initial value.
    static func value<Value>(
        _ name: String,
        _ property: any WritableKeyPath<Root, Value> & Sendable,
        as rule: SettingRule<Value>,
        help summary: String,
        required: Bool = false,
        example: String? = nil
    ) -> Self {
        let info = SettingInfo(name, summary, as: rule, required: required, example: example)
        return Self(info: info, presence: required ? .required : .optional) { node, key, root, reading in
            if let value = rule.value(of: node, at: key, in: &reading) { root[keyPath: property] = value }
        } show: { root, key in
            ShownSetting(info: info, key: key, content: .value(rule.show(root[keyPath: property])))
        }
    }

    /// A key with a list, which an override writes with commas.
    static func list<Value>(
        _ name: String,
        _ property: any WritableKeyPath<Root, [Value]> & Sendable,
        as rule: SettingRule<Value>,
        help summary: String,
        required: Bool = false
    ) -> Self {
        let info = SettingInfo(name, summary, listOf: rule, required: required)
        return Self(info: info, presence: required ? .required : .optional) { node, key, root, reading in
            guard let items = node.listed else {
                return reading.fault(key, "takes a list, like [a, b]", at: node.origin)
            }
            guard !(required && items.isEmpty) else {
                return reading.fault(key, "is empty. Write at least one", at: node.origin)
            }
            root[keyPath: property] = items.enumerated().compactMap {
                rule.value(of: $1, at: "\(key)[\($0)]", in: &reading)
            }
        } show: { root, key in
            ShownSetting(info: info, key: key, content: .value(.list(root[keyPath: property].map { rule.text($0) })))
        }
    }

    /// A key with keys below it.
    static func group<Part>(
        _ name: String,
        _ property: any WritableKeyPath<Root, Part> & Sendable,
        keys section: SettingSection<Part>,
        help summary: String
    ) -> Self {
        let info = SettingInfo(name: name, summary: summary, children: .keys(section.infos))
        return Self(info: info, presence: .implied) { node, key, root, reading in
            section.read(node, key, &root[keyPath: property], &reading)
        } show: { root, key in
            let part = root[keyPath: property]
            return ShownSetting(
                info: info,
                key: key,
                content: .keys(section.show(part, key)),
                outline: section.outline(part, key)
            )
        }
    }

    /// A key with keys below it that may be left out as a whole.
    static func optionalGroup<Part>(
        _ name: String,
        _ property: any WritableKeyPath<Root, Part?> & Sendable,
        keys section: SettingSection<Part>,
        blank: Part,
        help summary: String
    ) -> Self {
        let info = SettingInfo(name: name, summary: summary, children: .keys(section.infos))
        return Self(info: info, presence: .optional) { node, key, root, reading in
            var part = blank
            section.read(node, key, &part, &reading)
            root[keyPath: property] = part
        } show: { root, key in
            let content = root[keyPath: property].map { ShownSetting.Content.keys(section.show($0, key)) }
            return ShownSetting(
                info: info,
                key: key,
                content: content ?? .value(.nothing),
                outline: section.outline(blank, key)
            )
        }
    }
}

extension ConfigNode {
    /// The items of a list, which an override writes with commas; `nil` for any other content.
    var listed: [ConfigNode]? {
        switch content {
        case .list(let written): written
        case .scalar(let text) where origin.isOverride:
            text.split(separator: ",").map {
                ConfigNode(content: .scalar(String($0.description.trimming { $0 == " " })), origin: origin)
            }
        case .nothing, .scalar, .map, .unread: nil
        }
    }
}

extension SettingRule {
    /// Returns the value of a scalar: a node of another form, or with an invalid text, gives a fault and `nil`.
    func value(of node: ConfigNode, at key: String, in reading: inout SettingsReading) -> Value? {
        guard let text = node.scalar else {
            reading.fault(key, "takes one value: \(expected)", at: node.origin)
            return nil
        }
        do throws(SettingError) {
            return try parse(text, key, &reading)
        } catch {
            reading.fault(key, error.message, at: node.origin)
            return nil
        }
    }
}
