import Kernel

/// The host of an endpoint's URL, if the URL has only one possible reading.
///
/// The address of this host is checked, and the HTTP library connects to the host that it reads itself. So the two must
/// never differ: user information, escapes, capitals and characters other than those of names and addresses are refused.
struct EndpointURL {
    /// A name, or an address without brackets.
    let host: String

    init?(_ url: String) {
        let scheme = url.hasPrefix("https://") ? "https://" : "http://"
        guard url.hasPrefix(scheme), url.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") })
        else { return nil }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let host: Substring
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let inside = authority[authority.index(after: authority.startIndex)..<end]
            guard inside.contains(":"), NetworkAddress(inside) != nil,
                Self.isPort(authority[authority.index(after: end)...])
            else { return nil }
            host = inside
        } else {
            host = authority.prefix { $0 != ":" }
            guard (1...253).contains(host.utf8.count), host.utf8.allSatisfy(Self.isNameByte),
                Self.isPort(authority.dropFirst(host.count))
            else { return nil }
        }
        self.host = String(host)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.hasPrefix(":") && UInt16(text.dropFirst()).map { $0 > 0 } ?? false
    }
}
