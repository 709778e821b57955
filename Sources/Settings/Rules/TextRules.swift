import FoundationEssentials

extension SettingRule where Value == String {
    /// Text for people: one line, not empty.
    static var text: Self {
        Self(expected: "a line of text") { text, _, _ throws(SettingError) in
            guard !text.isEmpty else { throw .refusing(text, "is empty") }
            guard text.count <= 200, text.allSatisfy({ !$0.isNewline }) else {
                throw .refusing(text, "is not one line of at most 200 characters")
            }
            return text
        }
    }

    /// A name that other keys refer to, and that `--set` and environment variables can spell.
    static var name: Self {
        Self(expected: "a name") { text, _, _ throws(SettingError) in
            guard isName(text) else { throw .refusing(text, "is not a name. \(nameForm)") }
            return text
        }
    }

    static var nameForm: String { "A name has 1 to 64 of a-z, 0-9, - and _, and begins with a letter or digit" }

    static func isName(_ text: String) -> Bool {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
            case UInt8(ascii: "-"), UInt8(ascii: "_"): true
            default: false
            }
        }
        return allowed && (1...64).contains(text.utf8.count) && text.first != "-" && text.first != "_"
    }

    /// A file or folder, resolved against the data folder.
    static var path: Self {
        Self(expected: "a path, relative to the data folder or absolute") { text, _, reading throws(SettingError) in
            guard !text.isEmpty, !text.utf8.contains(0) else { throw .refusing(text, "is not a path") }
            return SettingsFiles.resolve(text, against: reading.context.dataFolder)
        }
    }

    /// An address or a host name to listen on.
    static var host: Self { host(expected: "an address or a host name, like 127.0.0.1, :: or 0.0.0.0") }

    /// The address or the host name of another server.
    static var otherHost: Self { host(expected: "a host name or an address, like smtp.example.com") }

    private static func host(expected: String) -> Self {
        Self(expected: expected) {
            text,
            _,
            _ throws(SettingError) in
            guard isHost(text) else {
                throw .refusing(text, "is not an address or a host name (no scheme, port or brackets)")
            }
            return text
        }
    }

    /// Whether a text is a host name, an IPv4 address or an IPv6 address: with a colon it must be an IPv6 address.
    private static func isHost(_ text: String) -> Bool {
        guard (1...253).contains(text.utf8.count) else { return false }
        guard text.contains(":") else {
            return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || ".-_".contains($0)) }
        }
        // An IPv6 address may name the network interface through which it is reached (RFC 4007 §11).
        let (address, zone) = (text.prefix { $0 != "%" }, text.drop { $0 != "%" })
        return address.count { $0 == ":" } >= 2
            && address.allSatisfy { $0.isASCII && ($0.isHexDigit || $0 == ":" || $0 == ".") }
            && (zone.isEmpty || zone.count > 1 && zone.dropFirst().allSatisfy { $0.isASCII && $0 != "%" && $0 != " " })
    }
}
