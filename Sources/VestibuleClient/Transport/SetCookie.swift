import Foundation

/// One `Set-Cookie` field, parsed as in RFC 6265 §5.2.
struct SetCookie: Sendable, Equatable {
    var name: String
    var value: String
    /// The lifetime in seconds, which precedes ``expires``.
    ///
    /// Zero or less deletes the cookie.
    var maxAge: Int?
    var expires: Date?
    /// The domain in lower case, without a leading dot.
    var domain: String?
    /// The path; `nil` means the default path of the request (RFC 6265 §5.1.4).
    var path: String?
    var isSecure = false
    var isHTTPOnly = false

    /// Returns `nil` for a field that clients ignore: without `=` or name, with control characters, or over 4096 bytes.
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

    /// Reads an optional minus sign and digits (RFC 6265 §5.2.2).
    ///
    /// A larger number than ``longestAge`` becomes that.
    private static func seconds(_ text: String) -> Int? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : Substring(text)
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix("-") { return 0 }
        return min(Int(digits) ?? .max, longestAge)
    }

    /// The longest lifetime in seconds, ten years.
    ///
    /// A longer one could overflow.
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
    /// Splits several fields that URLSession has joined with commas (RFC 9110 §5.3 warns of this).
    ///
    /// A comma ends a field only if `name=` follows. In `Expires=Wed, 09 Jun …`, a date follows.
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

    /// Whether a byte may be in a `token` (RFC 9110 §5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
