/// The rule of one key: how its text is read, and how its value is printed.
struct SettingRule<Value: Sendable>: Sendable {
    /// The expected form, fit for "write …".
    let expected: String
    var type: SettingType = .text
    let parse: @Sendable (_ text: String, _ key: String, inout SettingsReading) throws(SettingError) -> Value
    let show: @Sendable (Value) -> ShownValue
}

/// The kind of value that a key takes, with its bounds.
enum SettingType: Sendable, Equatable {
    case keys, names, text, flag, secret, secrets
    case number(String)
    case duration(String)
    case rate(String)
    case choice(String)
    /// A list, with the bounds of each element if they say more than its form.
    case list(String?)

    /// The bounds, if they say more than the form of the text.
    var bounds: String? {
        switch self {
        case .keys, .names, .text, .flag, .secret, .secrets: nil
        case .number(let bounds), .duration(let bounds), .rate(let bounds), .choice(let bounds): bounds
        case .list(let bounds): bounds
        }
    }
}

/// The reason why a key does not accept a value, without any secret.
struct SettingError: Error {
    let message: String

    /// Returns an error with the text in quotes and the reason.
    static func refusing(_ text: String, _ rest: String) -> Self { Self(message: "\(quoted(text)) \(rest)") }

    /// Returns the text in double quotes, cut after 60 characters, without line breaks.
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
    /// No value is set.
    case nothing
    case secret
    /// A list of this many secrets.
    case secrets(Int)

    /// The text shown instead of a secret.
    static let redacted = "<secret>"
}

extension SettingRule where Value == String {
    /// A text, printed as it was read.
    init(
        expected: String,
        type: SettingType = .text,
        parse: @escaping @Sendable (String, String, inout SettingsReading) throws(SettingError) -> String
    ) {
        self.init(expected: expected, type: type, parse: parse) { .text($0) }
    }
}

extension SettingRule {
    /// A value whose type parses the text; `complaint`: the error message for an invalid text.
    static func parsing(
        _ read: @escaping @Sendable (String) -> Value?,
        expected: String,
        otherwise complaint: String,
        text: @escaping @Sendable (Value) -> String
    ) -> Self {
        Self(expected: expected) { written, _, _ throws(SettingError) in
            guard let value = read(written) else { throw .refusing(written, complaint) }
            return value
        } show: {
            .text(text($0))
        }
    }
}

extension SettingRule where Value == Int {
    /// A whole number in `range`.
    static func integer(_ range: ClosedRange<Int>) -> Self {
        let bounds = "\(range.lowerBound) to \(range.upperBound)"
        return Self(expected: "a whole number from \(bounds)", type: .number(bounds)) {
            text,
            _,
            _ throws(SettingError) in
            guard let number = Int(text) else {
                throw .refusing(text, "is not a whole number. Write only digits, like \(range.lowerBound)")
            }
            guard range.contains(number) else {
                throw .refusing(text, "is out of range. It takes \(bounds)")
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
        Self(expected: "true or false", type: .flag) { text, _, _ throws(SettingError) in
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
        let bounds = "\(DurationText.format(range.lowerBound)) to \(DurationText.format(range.upperBound))"
        return Self(expected: "a duration from \(bounds)", type: .duration(bounds)) {
            text,
            _,
            _ throws(SettingError) in
            guard let duration = DurationText.parse(text) else {
                throw .refusing(text, "is not a duration. Write a number and a unit, like 90s, 15m or 30d")
            }
            guard range.contains(duration) else {
                throw .refusing(text, "is out of range. It takes \(bounds)")
            }
            return duration
        } show: {
            .text(DurationText.format($0))
        }
    }

    /// The same rule, where a written zero means `nil`: never, or no limit.
    var orZero: SettingRule<Duration?> {
        let (parse, show) = (parse, show)
        return SettingRule<Duration?>(expected: expected, type: type) { text, key, reading throws(SettingError) in
            let duration = try parse(text, key, &reading)
            return duration == .zero ? nil : duration
        } show: {
            $0.map(show) ?? .text("0s")
        }
    }
}

extension SettingRule where Value: CaseIterable & RawRepresentable & Equatable, Value.RawValue == String {
    /// One of the type's cases, by its raw value.
    static var choice: Self { choice(of: Value.allCases.map { ($0.rawValue, $0) }) }
}

extension SettingRule where Value: Equatable {
    /// One of these words, each for a value of the module's own type.
    static func choice(of words: KeyValuePairs<String, Value>) -> Self { choice(of: words.map { ($0.key, $0.value) }) }

    static func choice(of words: [(word: String, value: Value)]) -> Self {
        let list = words.map(\.word).joined(separator: ", ")
        return Self(expected: "one of \(list)", type: .choice(list)) { text, _, _ throws(SettingError) in
            guard let found = words.first(where: { $0.word == text }) else {
                throw .refusing(text, "is not one of \(list)")
            }
            return found.value
        } show: { value in
            words.first { $0.value == value }.map { .text($0.word) } ?? .nothing
        }
    }
}

extension SettingRule {
    /// Returns the text of a value as an item of a list.
    func text(_ value: Value) -> String {
        switch show(value) {
        case .text(let text): text
        case .number(let number): String(number)
        case .flag(let flag): String(flag)
        case .list, .nothing, .secret, .secrets: ShownValue.redacted
        }
    }

    /// The same rule, for a key that may be left unset.
    var optional: SettingRule<Value?> {
        let (parse, show) = (parse, show)
        return SettingRule<Value?>(expected: expected, type: type) { text, key, reading throws(SettingError) in
            try parse(text, key, &reading)
        } show: {
            $0.map(show) ?? .nothing
        }
    }
}
