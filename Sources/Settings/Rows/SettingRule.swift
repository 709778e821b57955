/// What one key takes: how its text is read, and how its value is shown.
struct SettingRule<Value: Sendable>: Sendable {
    /// What is expected, fit for "write …".
    let expected: String
    let parse: @Sendable (_ text: String, _ key: String, inout SettingsReading) throws(SettingComplaint) -> Value
    let show: @Sendable (Value) -> ShownValue
}

/// Why a key does not take a value; never holds a secret.
struct SettingComplaint: Error {
    let message: String

    /// The text in quotes, and why not.
    static func refusing(_ text: String, _ rest: String) -> Self { Self(message: "\(quoted(text)) \(rest)") }

    /// In double quotes, cut after 60 characters, without line breaks.
    static func quoted(_ text: String) -> String {
        let line = text.prefix(60).map { $0.isNewline ? " " : String($0) }.joined()
        return "\"\(line)\(text.count > 60 ? "…" : "")\""
    }
}

/// A value as `config show` prints it.
enum ShownValue: Sendable, Equatable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([String])
    /// Not set.
    case nothing
    case secret
    /// That many of them.
    case secrets(Int)

    /// What stands for a secret that is not shown.
    static let redacted = "<secret>"
}

extension SettingRule where Value == Int {
    /// A whole number in `range`.
    static func integer(_ range: ClosedRange<Int>) -> Self {
        Self(expected: "a whole number from \(range.lowerBound) to \(range.upperBound)") {
            text,
            _,
            _ throws(SettingComplaint) in
            guard let number = Int(text) else {
                throw .refusing(text, "is not a whole number; write digits alone, like \(range.lowerBound)")
            }
            guard range.contains(number) else {
                throw .refusing(text, "is out of range; it takes \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        } show: {
            .number($0)
        }
    }
}

extension SettingRule where Value == Bool {
    /// `true` or `false`.
    static var flag: Self {
        Self(expected: "true or false") { text, _, _ throws(SettingComplaint) in
            switch text {
            case "true": return true
            case "false": return false
            default: throw .refusing(text, "is neither true nor false")
            }
        } show: {
            .flag($0)
        }
    }
}

extension SettingRule where Value == Duration {
    /// A duration in `range`.
    static func duration(_ range: ClosedRange<Duration>) -> Self {
        let (low, high) = (DurationText.format(range.lowerBound), DurationText.format(range.upperBound))
        return Self(expected: "a duration from \(low) to \(high)") { text, _, _ throws(SettingComplaint) in
            guard let duration = DurationText.parse(text) else {
                throw .refusing(text, "is not a duration; write a number and a unit, like 90s, 15m or 30d")
            }
            guard range.contains(duration) else {
                throw .refusing(text, "is out of range; it takes \(low) to \(high)")
            }
            return duration
        } show: {
            .text(DurationText.format($0))
        }
    }
}

extension SettingRule where Value: CaseIterable & RawRepresentable, Value.RawValue == String {
    /// One of the type's cases, by its raw value.
    static var choice: Self {
        let names = Value.allCases.map(\.rawValue)
        let list = names.joined(separator: ", ")
        return Self(expected: "one of \(list)") { text, _, _ throws(SettingComplaint) in
            if let value = Value(rawValue: text) { return value }
            let only = names.count == 1 ? "is not known; there is only \(list)" : "is not one of \(list)"
            throw .refusing(text, only)
        } show: {
            .text($0.rawValue)
        }
    }
}

extension SettingRule {
    /// The same, for a key that may be left unset.
    var optional: SettingRule<Value?> {
        let (parse, show) = (parse, show)
        return SettingRule<Value?>(expected: expected) { text, key, reading throws(SettingComplaint) in
            try parse(text, key, &reading)
        } show: {
            $0.map(show) ?? .nothing
        }
    }
}
