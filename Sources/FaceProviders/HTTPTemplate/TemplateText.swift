import Kernel

/// The reason why a text is not a template, or can't be filled in, without any value.
package enum TemplateError: Error, Equatable, Sendable {
    /// `{{` without `}}`.
    case unclosed
    case unknownVariable(String)
    /// A variable that has no value at that position.
    case outOfPlace(String, allowed: [String])
    /// A literal part that is not allowed at the position.
    case unfitText(String)
    /// A value that is not allowed at the position.
    case unfitValue(String)
    /// A variable without a value.
    case missing(String)

    package var message: String {
        switch self {
        case .unclosed: "has {{ without }}"
        case .unknownVariable(let name): "{{\(name)}} is not a variable"
        case .outOfPlace(let name, let allowed):
            "{{\(name)}} has no value here. Known variables: \(allowed.joined(separator: ", "))"
        case .unfitText(let why): why
        case .unfitValue(let name): "the value of {{\(name)}} cannot be used there"
        case .missing(let name): "{{\(name)}} has no value"
        }
    }
}

/// A text with `{{variables}}`, for one position in a request.
package struct TemplateText: Sendable, Equatable {
    private static let longest = 16_384

    /// The text as it was written.
    package let source: String
    package let position: TemplatePosition
    private let parts: [Part]

    private enum Part: Sendable, Equatable {
        case literal(String)
        /// `isQuoted`: whether the variable is within a string of a JSON document.
        case variable(TemplateVariable, isQuoted: Bool)
    }

    /// Parses a template.
    ///
    /// - Throws: Every error that would always prevent filling the text in. Names of secrets and found values are not
    ///   checked.
    package init(_ source: String, _ position: TemplatePosition, in scope: TemplateScope) throws(TemplateError) {
        guard source.utf8.count <= Self.longest else {
            throw .unfitText("has more than \(Self.longest) bytes")
        }
        var parts: [Part] = []
        var rest = source[...]
        var quoting = JSONQuoting()
        while let start = rest.firstRange(of: "{{") {
            let literal = rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(of: "}}") else { throw .unclosed }
            let name = String(rest[..<end.lowerBound].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            rest = rest[end.upperBound...]
            guard let variable = TemplateVariable(name) else { throw .unknownVariable(String(name.prefix(40))) }
            guard scope.has(variable, in: position) else {
                throw .outOfPlace(variable.name, allowed: scope.names(in: position))
            }
            quoting.read(literal)
            if !literal.isEmpty { parts.append(.literal(String(literal))) }
            parts.append(.variable(variable, isQuoted: quoting.isQuoted))
        }
        if !rest.isEmpty { parts.append(.literal(String(rest))) }
        self.source = source
        self.position = position
        self.parts = parts
        try checkLiterals(scope)
    }

    private init(nothingIn position: TemplatePosition) { (source, self.position, parts) = ("", position, []) }

    /// The placeholder for a path that is not set yet.
    package static let noPath = TemplateText(nothingIn: .path)

    /// The names of the secrets in the template.
    package var secretNames: [String] {
        parts.compactMap { if case .variable(.secret(let name), _) = $0 { name } else { nil } }
    }

    /// The names of the found values in the template.
    package var foundNames: [String] {
        parts.compactMap { if case .variable(.found(let name), _) = $0 { name } else { nil } }
    }

    /// Whether the template contains the variable.
    package func names(_ variable: TemplateVariable) -> Bool {
        parts.contains { if case .variable(variable, _) = $0 { true } else { false } }
    }

    /// Whether the template tells the provider the address that the browser returns to.
    package var namesCallback: Bool { names(.callbackURL) }

    /// The literal text before the first variable.
    package var beginning: String {
        if case .literal(let text) = parts.first { text } else { "" }
    }

    /// Returns the text with every variable replaced by its value, escaped as the position requires.
    package func filled(_ value: (TemplateVariable) -> String?) throws(TemplateError) -> String {
        var text = ""
        for part in parts {
            switch part {
            case .literal(let literal): text += literal
            case .variable(let variable, let isQuoted):
                guard let value = value(variable) else { throw .missing(variable.name) }
                guard let fit = position.escape(value, isQuoted: isQuoted) else { throw .unfitValue(variable.name) }
                text += fit
            }
        }
        return text
    }

    private func checkLiterals(_ scope: TemplateScope) throws(TemplateError) {
        switch position {
        case .signed: return
        case .path:
            // A path is appended to the base URL, and any first character but `/` would extend the host.
            guard scope == .page || source.hasPrefix("/") else { throw .unfitText("does not begin with /") }
            guard scope != .page || source.hasPrefix("https://") || source.hasPrefix("http://") else {
                throw .unfitText("does not begin with https://")
            }
            guard scope == .page || !source.contains("://") else {
                throw .unfitText("contains ://. Write only the path, because baseURL names the server")
            }
            try everyLiteral("contains a character that a URL cannot have. Percent-encode it") { byte in
                (0x21...0x7E).contains(byte) && !#"#"<>\^`{|}"#.utf8.contains(byte)
            }
        case .header:
            try everyLiteral("is not visible ASCII") { (0x20...0x7E).contains($0) }
        case .json:
            for case .variable(let variable, false) in parts where !variable.isNumber {
                throw .unfitText("{{\(variable.name)}} is outside quotes, where only numbers are allowed")
            }
            // The quotation mark is escaped, which reveals a variable in the middle of a JSON escape.
            for value in ["a", "\""] {
                let sample = try filled { $0.isNumber ? "1" : value }
                guard (try? JSONReader.read(Array(sample.utf8))) != nil else {
                    throw .unfitText("is not JSON, or has a member twice")
                }
            }
        }
    }

    private func everyLiteral(_ complaint: String, _ fits: (UInt8) -> Bool) throws(TemplateError) {
        for case .literal(let text) in parts where !text.utf8.allSatisfy(fits) { throw .unfitText(complaint) }
    }
}

extension TemplatePosition {
    /// Returns the escaped value, or `nil` for a value that can't be escaped at this position.
    fileprivate func escape(_ value: String, isQuoted: Bool) -> String? {
        switch self {
        case .signed: return value
        case .header:
            // RFC 9110 §5.5: a line break would begin another header.
            return value.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? value : nil
        case .path:
            // Dot segments would be removed from the path (RFC 3986 §5.2.4), and an empty segment would change its
            // meaning.
            guard !value.isEmpty, value != ".", value != ".." else { return nil }
            return PercentEncoding.component(value)
        case .json:
            if isQuoted { return JSONValue.escaped(value) }
            let isNumber = (1...19).contains(value.utf8.count) && value.utf8.allSatisfy { (0x30...0x39).contains($0) }
            return isNumber ? value : nil
        }
    }
}

/// Whether a position in a JSON text is within a string.
private struct JSONQuoting {
    private(set) var isQuoted = false
    private var isEscaped = false

    mutating func read(_ text: Substring) {
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            }
        }
    }
}
