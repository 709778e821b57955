import FaceProviders
import FoundationEssentials

extension SettingRule where Value == TemplateText {
    /// A text with `{{variables}}`.
    static func template(_ position: TemplatePosition, _ scope: TemplateScope) -> Self {
        Self(expected: expectation(of: position)) { text, _, _ throws(SettingError) in
            do throws(TemplateError) {
                return try TemplateText(text, position, in: scope)
            } catch {
                throw complaint(about: error, scope.names(in: position))
            }
        } show: {
            .text($0.source)
        }
    }

    /// A header's value, which contains no literal secret.
    static func header(_ scope: TemplateScope) -> Self {
        let template = template(.header, scope)
        return Self(expected: template.expected) { text, key, reading throws(SettingError) in
            let value = try template.parse(text, key, &reading)
            let name = key.split(separator: ".").last.map { $0.lowercased() } ?? ""
            if HeaderNameRule.secretNames.contains(name), value.secretNames.isEmpty {
                throw SettingError(
                    message: "is a secret in plain text. Move it to secrets, and write {{secret.NAME}} here"
                )
            }
            return value
        } show: {
            template.show($0)
        }
    }

    private static func expectation(of position: TemplatePosition) -> String {
        switch position {
        case .path: "a path like /v1/sessions/{{reference}}"
        case .header: "a text like Token {{secret.key}}"
        case .json: #"a JSON document like {"user": "{{account}}"}"#
        case .signed: "a text like {{timestamp}}.{{body}}"
        }
    }

    private static func complaint(about fault: TemplateError, _ names: [String]) -> SettingError {
        if case .unknownVariable(let name) = fault, let near = DidYouMean.to(name, among: names) {
            return SettingError(message: "\(fault.message). Did you mean {{\(near)}}?")
        }
        if case .unknownVariable = fault {
            return SettingError(message: "\(fault.message). Known variables: \(names.joined(separator: ", "))")
        }
        return SettingError(message: fault.message)
    }
}

extension SettingRule where Value == Double {
    /// A number with an optional fraction.
    static var number: Self {
        Self(expected: "a number like 90 or 0.85") { text, _, _ throws(SettingError) in
            let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2D }
            guard isPlain, let number = Double(text), number.isFinite else { throw .refusing(text, "is not a number") }
            return number
        } show: { number in
            .text(number == number.rounded() && abs(number) < 1e15 ? String(Int(number)) : String(number))
        }
    }
}

extension SettingRule where Value == TemplateVerdict {
    /// A verdict that ends a scan without approving it.
    static var refusal: Self {
        let verdicts = TemplateVerdict.allCases.filter { $0 != .approved && !$0.isPending }
        let list = verdicts.map(\.rawValue).joined(separator: ", ")
        return Self(expected: "one of \(list)", type: .choice(list)) { text, _, _ throws(SettingError) in
            guard let verdict = verdicts.first(where: { $0.rawValue == text }) else {
                throw .refusing(text, "is not one of \(list)")
            }
            return verdict
        } show: {
            .text($0.rawValue)
        }
    }
}

extension SettingRule where Value == String {
    /// Scheme, host and optional port: https, or http on this machine.
    static var origin: Self {
        Self(expected: "an origin like https://scan.example.com") { text, _, _ throws(SettingError) in
            let parts = try URLCheck.server(text)
            guard parts.scheme == "https" || Loopback.contains(host: parts.host) else {
                throw .refusing(text, "is plain http. Only https is allowed over a network")
            }
            guard parts.components.path.isEmpty || parts.components.path == "/", let origin = PageOrigin.of(text) else {
                throw .refusing(text, "is not an origin. Write only scheme, host and port")
            }
            return origin
        }
    }
}

/// The allowed form of names in a map whose names the operator chooses.
struct NameRule: Sendable {
    /// Returns the fault of a name, or `nil` for a valid name.
    let complaint: @Sendable (String) -> String?

    /// The form of names of other keys.
    static let plain = NameRule { name in
        SettingRule<String>.isName(name) ? nil : "is not a name. \(SettingRule<String>.nameForm)"
    }

    /// A header of a request.
    static let header = NameRule { HeaderNameRule.complaint(about: $0) }

    /// A provider's own status value.
    static let status = NameRule { name in
        (1...200).contains(name.utf8.count) ? nil : "is not a status of 1 to 200 bytes"
    }
}

/// The headers that a config may set.
enum HeaderNameRule {
    /// Headers whose values are usually secret.
    static let secretNames: Set<String> = ["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key"]

    /// Headers that the HTTP client sets itself.
    private static let reserved: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "upgrade", "te", "trailer", "expect",
        "accept-encoding",
    ]

    static func complaint(about name: String) -> String? {
        guard isToken(name) else { return "is not the name of a header" }
        return reserved.contains(name.lowercased()) ? "is a header that the client itself writes" : nil
    }

    /// Whether the text is a token (RFC 9110 §5.6.2).
    static func isToken(_ text: String) -> Bool {
        let fits = text.utf8.allSatisfy { byte in
            let character = Character(Unicode.Scalar(byte))
            return character.isASCII
                && (character.isLetter || character.isNumber || "!#$%&'*+-.^_`|~".contains(character))
        }
        return fits && (1...100).contains(text.utf8.count)
    }
}
