/// The rule for registered redirect URIs (RFC 6749 §3.1.2, RFC 8252 §7 and §8, RFC 9700 §2.1 and §4.1).
///
/// Requests are compared with the registered URI character by character. So only unambiguous forms are accepted, and no
/// code is sent to an address that a browser would normalise first.
package enum RedirectURIRule {
    /// The most bytes of a URI.
    package static let maximumLength = 1024
    /// The most URIs of a client.
    package static let maximumCount = 10

    /// The destination of a redirect URI.
    package enum Kind: Sendable, Equatable {
        /// A web page, or an app that is registered for its address (RFC 8252 §7.2).
        case https
        /// An app on the person's own machine (RFC 8252 §7.3). Its port may differ.
        case loopback
        /// An app with a URI scheme of its own (RFC 8252 §7.1).
        case privateUse
    }

    /// The reason why a URI is refused, in the characters of an `error_description`.
    package struct ViolationError: Error, Sendable, Equatable {
        package let text: String
    }

    /// Checks a redirect URI that is to be registered, and returns its kind.
    @discardableResult
    package static func check(_ uri: String) throws(ViolationError) -> Kind {
        guard (1...maximumLength).contains(uri.utf8.count) else {
            throw ViolationError(text: "A redirect URI has 1 to \(maximumLength) characters.")
        }
        try checkCharacters(uri)
        guard let colon = uri.firstIndex(of: ":"), isScheme(uri[..<colon]) else {
            throw ViolationError(text: "A redirect URI is absolute, and its scheme in small letters.")
        }
        let scheme = uri[..<colon]
        let rest = uri[uri.index(after: colon)...]
        switch scheme {
        case "https":
            _ = try host(rest)
            return .https
        case "http":
            guard loopbackHosts.contains(try host(rest)) else {
                throw ViolationError(text: "Plain http is only for 127.0.0.1, [::1] and localhost. Use https.")
            }
            return .loopback
        default:
            try checkPrivateUse(scheme, rest)
            return .privateUse
        }
    }

    /// The parameters of answers.
    ///
    /// A registered query with one of them would be mistaken for an answer.
    private static let answerNames: Set<String> = [
        "code", "state", "iss", "error", "error_description", "error_uri", "access_token", "id_token", "response",
    ]
    private static let loopbackHosts: Set<Substring> = ["127.0.0.1", "[::1]", "localhost"]

    private static func checkCharacters(_ uri: String) throws(ViolationError) {
        guard uri.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !forbidden.contains($0) }) else {
            throw ViolationError(
                text: "A redirect URI is written in ASCII, without spaces, wildcards, quotes, brackets and backslashes."
            )
        }
        // RFC 6749 §3.1.2: no server receives a fragment, so an answer in it would stay in the browser.
        guard !uri.contains("#") else { throw ViolationError(text: "A redirect URI has no fragment.") }
        guard isPercentEncodingPlain(uri) else {
            throw ViolationError(
                text: "A redirect URI escapes with two capital hex digits, and no dot, slash or control character."
            )
        }
        try checkQuery(uri)
        let path = uri.prefix { $0 != "?" }
        guard !path.split(separator: "/", omittingEmptySubsequences: false).contains(where: { $0 == "." || $0 == ".." })
        else { throw ViolationError(text: "A redirect URI has no dot segments.") }
    }

    /// The bytes of `"`, `*`, `<`, `>`, `\`, `^`, `` ` ``, `{`, `|` and `}`.
    private static let forbidden: Set<UInt8> = [0x22, 0x2A, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D]

    private static func checkQuery(_ uri: String) throws(ViolationError) {
        guard let mark = uri.firstIndex(of: "?") else { return }
        for pair in uri[uri.index(after: mark)...].split(separator: "&") {
            let name = String(pair.prefix { $0 != "=" })
            guard !answerNames.contains(name), !name.contains("%") else {
                throw ViolationError(
                    text: "The query of a redirect URI has no parameter that an answer has, and no escaped name."
                )
            }
        }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): true
            default: false
            }
        }
    }

    /// Returns the host of `//host:port/…`, which must be in its canonical form.
    private static func host(_ rest: Substring) throws(ViolationError) -> Substring {
        guard rest.hasPrefix("//") else { throw ViolationError(text: "A redirect URI of the web has // and a host.") }
        let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        // RFC 9700 §4.1.1: people take the part before an @ for the host.
        guard !authority.contains("@") else { throw ViolationError(text: "A redirect URI has no user in it.") }
        let host: Substring
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            host = authority[...end]
        } else {
            host = authority.prefix { $0 != ":" }
        }
        let isWritten = host.utf8.allSatisfy { byte in
            switch byte {
            case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"),
                UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard !host.isEmpty, isWritten, isPort(authority.dropFirst(host.count)) else {
            throw ViolationError(text: "A redirect URI has a host in small letters, and perhaps a port.")
        }
        return host
    }

    private static func isPort(_ text: Substring) -> Bool {
        guard !text.isEmpty else { return true }
        let digits = text.dropFirst()
        guard text.hasPrefix(":"), (1...5).contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !digits.hasPrefix("0"), let port = Int(digits)
        else { return false }
        return port <= 65_535
    }

    /// Checks an app's own scheme, which must be a reversed domain of its maker and so have a dot (RFC 8252 §7.1,
    /// §8.4).
    ///
    /// Schemes without a dot collide with those of other apps, or with those of browsers (`javascript`, `data`, `file`,
    /// `blob`).
    private static func checkPrivateUse(_ scheme: Substring, _ rest: Substring) throws(ViolationError) {
        guard scheme.contains("."), !scheme.hasSuffix("."), !scheme.contains("..") else {
            throw ViolationError(
                text: "An app's own scheme must be a domain backwards, like com.example.app."
            )
        }
        guard rest.hasPrefix("/") else {
            throw ViolationError(text: "After an app's own scheme comes a slash, like com.example.app:/callback.")
        }
        guard !rest.contains("@") else { throw ViolationError(text: "A redirect URI has no user in it.") }
    }

    private static func isPercentEncodingPlain(_ uri: String) -> Bool {
        var bytes = Array(uri.utf8)[...]
        while let byte = bytes.popFirst() {
            guard byte == UInt8(ascii: "%") else { continue }
            guard bytes.count >= 2, let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16),
                bytes.prefix(2).allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x46).contains($0) }),
                value >= 0x20, value != 0x7F, !UTF8.isDotOrSlash(value)
            else { return false }
            bytes = bytes.dropFirst(2)
        }
        return true
    }
}

extension UTF8 {
    /// Whether a byte is `.`, `/` or `\`.
    ///
    /// If they are escaped, some programs decode them before they check a path, some after.
    fileprivate static func isDotOrSlash(_ byte: UInt8) -> Bool { byte == 0x2E || byte == 0x2F || byte == 0x5C }
}
