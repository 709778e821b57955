import HTTPTypes
import Kernel

/// Reads the hops that a request's headers name, the nearest one first.
///
/// A client can write anything on the left of a header, and each proxy adds its peer on the right. So both headers are
/// read from the right, only as far as the hops are trusted.
enum ForwardedHops {
    /// The address of a hop; `nil` for one that is unreadable or hidden.
    typealias Hop = NetworkAddress?

    /// Returns the hops of `X-Forwarded-For`, which are separated by commas.
    static func xForwardedFor(_ fields: [String]) -> some Sequence<Hop> {
        fields.lazy.reversed().flatMap { line in
            line.split(separator: ",", omittingEmptySubsequences: false).reversed().map { node($0.trimmedOfBlanks) }
        }
    }

    /// Returns the hops of `Forwarded` (RFC 7239 §4).
    ///
    /// A line with invalid syntax counts as one unreadable hop. So an unclosed quote of the client on the left cannot
    /// hide the part that a proxy wrote on the right.
    static func forwarded(_ fields: [String]) -> some Sequence<Hop> {
        fields.lazy.reversed().flatMap { line -> [Hop] in
            var parser = ForwardedParser(line)
            return parser.elements()?.reversed() ?? [nil]
        }
    }

    /// Returns the address of a node (RFC 7239 §6), with or without brackets and port.
    ///
    /// Returns `nil` for `unknown`, an obfuscated name, or any other text.
    static func node(_ text: Substring) -> NetworkAddress? {
        if text.first == "[" {
            guard let close = text.firstIndex(of: "]"), isPort(text[text.index(after: close)...]) else { return nil }
            let inner = text[text.index(after: text.startIndex)..<close]
            return inner.contains(":") ? NetworkAddress(inner) : nil
        }
        // A text with several colons is an IPv6 address, which some proxies write without brackets.
        guard let colon = text.firstIndex(of: ":"), colon == text.lastIndex(of: ":") else {
            return NetworkAddress(text)
        }
        return isPort(text[colon...]) ? NetworkAddress(text[..<colon]) : nil
    }

    /// Returns whether the text is empty, or a colon with a port, which may be obfuscated.
    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        let port = text.dropFirst()
        return text.first == ":" && (1...32).contains(port.utf8.count)
            && port.utf8.allSatisfy { ForwardedParser.isTokenByte($0) }
    }
}

/// Reads one line of `Forwarded`: elements separated by commas, each with pairs of `name=value` separated by
/// semicolons.
private struct ForwardedParser {
    private var rest: Substring.UTF8View

    init(_ line: String) { rest = line[...].utf8 }

    /// Returns the node in each element's `for`, `nil` for an element without it; or `nil` for invalid syntax.
    mutating func elements() -> [ForwardedHops.Hop]? {
        var hops: [ForwardedHops.Hop] = []
        while true {
            guard let hop = element() else { return nil }
            hops.append(hop)
            if rest.isEmpty { return hops }
            guard take(UInt8(ascii: ",")) else { return nil }
        }
    }

    private mutating func element() -> ForwardedHops.Hop? {
        var hop: ForwardedHops.Hop?
        repeat {
            skipSpace()
            let name = token()
            // An empty pair is allowed.
            guard !name.isEmpty else { continue }
            guard take(UInt8(ascii: "=")), let value = value() else { return nil }
            if name.lowercased() == "for" {
                // Each parameter occurs once (§4).
                guard hop == nil else { return nil }
                hop = .some(ForwardedHops.node(value[...]))
            }
            skipSpace()
        } while take(UInt8(ascii: ";"))
        skipSpace()
        return hop ?? .some(nil)
    }

    private mutating func value() -> String? {
        guard rest.first == UInt8(ascii: "\"") else {
            // Most proxies violate the grammar and write an address with a port unquoted: its colon is accepted.
            let text = token(also: UInt8(ascii: ":"))
            return text.isEmpty ? nil : text
        }
        rest.removeFirst()
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: bytes, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = rest.popFirst() else { return nil }
                bytes.append(escaped)
            default: bytes.append(byte)
            }
        }
        return nil
    }

    private mutating func token(also extra: UInt8? = nil) -> String {
        let bytes = rest.prefix { Self.isTokenByte($0) || $0 == extra }
        rest.removeFirst(bytes.count)
        return String(Substring(bytes))
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipSpace() {
        while rest.first == UInt8(ascii: " ") || rest.first == UInt8(ascii: "\t") { rest.removeFirst() }
    }

    /// Returns whether the byte is a `tchar` of RFC 9110 §5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Self.marks.contains(byte)
        }
    }

    private static let marks = Array("!#$%&'*+-.^_`|~".utf8)
}
