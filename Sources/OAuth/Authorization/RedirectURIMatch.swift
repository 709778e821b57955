/// Compares a redirect URI with the registered ones, byte by byte (RFC 9700 §2.1, §4.1.3).
///
/// No case is folded, nothing is decoded and no path is normalised: attackers have used each of these to divert codes.
/// Only the port of a loopback address may differ: an app gets a free port from its operating system (RFC 8252 §7.3).
package enum RedirectURIMatch {
    /// The most bytes of a redirect URI.
    ///
    /// No longer one is registered.
    package static let longest = 2048

    package static func matches(_ asked: String, _ registered: String) -> Bool {
        let asked = Array(asked.utf8)
        // RFC 6749 §3.1.2: no fragment. Other refused bytes are those that browsers parse in different ways.
        guard (1...longest).contains(asked.count), asked.allSatisfy(isPlain) else { return false }
        let registered = Array(registered.utf8)
        if asked == registered { return true }
        guard let asked = Loopback(asked), let registered = Loopback(registered) else { return false }
        return asked.host == registered.host && asked.rest == registered.rest
    }

    /// Whether a byte is a character of a URI (RFC 3986 §2), except the number sign.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?[]@!$&'()*+,;=%".utf8.contains(byte)
        }
    }

    /// An `http` address of the machine itself, by number.
    ///
    /// A name would be resolved, and may lead elsewhere (RFC 8252 §8.3).
    private struct Loopback {
        let host: [UInt8]
        /// The part after the port.
        let rest: [UInt8]

        init?(_ uri: [UInt8]) {
            guard let host = Self.hosts.first(where: { uri.starts(with: $0) }) else { return nil }
            var rest = uri.dropFirst(host.count)
            if rest.first == UInt8(ascii: ":") {
                let digits = rest.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                guard let port = Int(String(decoding: digits, as: UTF8.self)), (1...65_535).contains(port),
                    digits.count <= 5
                else { return nil }
                rest = rest.dropFirst(1 + digits.count)
            }
            // Only a path or a query may follow. This refuses `127.0.0.1.example.com` and `127.0.0.1:80@example.com`.
            guard rest.isEmpty || rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "?") else { return nil }
            self.host = host
            self.rest = Array(rest)
        }

        private static let hosts = ["http://127.0.0.1", "http://[::1]"].map { Array($0.utf8) }
    }
}
