import Foundation

/// One `Set-Cookie` field, parsed as RFC 6265 §5.2 says.
struct SetCookie: Sendable, Equatable {
    var name: String
    var value: String
    /// Seconds from now; zero or less removes the cookie.
    ///
    /// Wins over ``expires``.
    var maxAge: Int?
    var expires: Date?
    /// Without a leading dot, lower case.
    var domain: String?
    /// `nil` means the default path of the request (RFC 6265 §5.1.4).
    var path: String?
    var isSecure = false
    var isHTTPOnly = false

    /// `nil` for a field that a client ignores: no `=`, no name, control characters, over 4096 bytes.
    init?(_ field: some StringProtocol) {
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first, let (name, value) = Self.pair(first), !name.isEmpty, let value,
            name.utf8.count + value.utf8.count <= 4096,
            (name + value).utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return nil }
        self.name = name
        self.value = value
        for part in parts.dropFirst() {
            guard let (key, value) = Self.pair(part) else { continue }
            apply(attribute: key.lowercased(), value: value ?? "")
        }
    }

    private mutating func apply(attribute: String, value: String) {
        switch attribute {
        case "expires": if let date = CookieDate.parse(value) { expires = date }
        case "max-age": if let seconds = Self.seconds(value) { maxAge = seconds }
        case "domain":
            let name = value.hasPrefix(".") ? String(value.dropFirst()) : value
            if !name.isEmpty { domain = name.lowercased() }
        case "path": path = value.hasPrefix("/") ? value : nil
        case "secure": isSecure = true
        case "httponly": isHTTPOnly = true
        default: break
        }
    }

    /// Reads an optional sign and digits (RFC 6265 §5.2.2); a number beyond the machine's range means no end.
    private static func seconds(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix("-") { return 0 }
        return min(Int(digits) ?? .max, longestAge)
    }

    /// Ten years: longer would only overflow.
    private static let longestAge = 10 * 366 * 86_400

    private static func pair(_ part: some StringProtocol) -> (name: String, value: String?)? {
        guard let equals = part.firstIndex(of: "=") else { return (trimmed(part), nil) }
        return (trimmed(part[..<equals]), trimmed(part[part.index(after: equals)...]))
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        text.trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
    }
}

extension SetCookie {
    /// Takes apart several fields that URLSession joined with commas (RFC 9110 §5.3 warns of it).
    ///
    /// A comma ends a field only where `name=` follows: the one inside `Expires=Wed, 09 Jun …` is followed by a date.
    static func fields(joined text: String) -> [String] {
        var fields: [String] = []
        for piece in text.split(separator: ",", omittingEmptySubsequences: false) {
            if fields.isEmpty || beginsField(piece) {
                fields.append(String(piece))
            } else {
                fields[fields.count - 1] += "," + piece
            }
        }
        return fields
    }

    private static func beginsField(_ piece: Substring) -> Bool {
        let head = piece.prefix { $0 != ";" }
        guard let equals = head.firstIndex(of: "=") else { return false }
        let name = head[..<equals].drop { $0 == " " || $0 == "\t" }
        return !name.isEmpty && name.utf8.allSatisfy(isTokenByte)
    }

    /// `token` of RFC 9110 §5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
