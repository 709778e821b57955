import HTTPTypes
import Hummingbird
import Kernel

/// A cookie that an answer sets: always HttpOnly, Lax, and Secure wherever the public address is https.
struct OutgoingCookie {
    let name: String
    let value: Secret
    let path: String
    let maxAge: Duration
    let isSecure: Bool

    /// RFC 6265 §4.1.
    var header: String {
        "\(name)=\(value.expose()); Path=\(path); Max-Age=\(maxAge.wholeMilliseconds / 1000); HttpOnly; SameSite=Lax"
            + (isSecure ? "; Secure" : "")
    }
}

extension Response {
    mutating func set(_ cookie: OutgoingCookie) {
        headers.append(HTTPField(name: .setCookie, value: cookie.header))
    }
}

/// The cookies of a request, without a dictionary: most polls look for one of two names.
struct IncomingCookies {
    private let header: String?

    init(_ request: Request) { header = request.headers[.cookie] }

    var isEmpty: Bool { header == nil }

    /// Returns the first cookie of that name, if it is well-formed: see ``secret(_:atMost:)``.
    subscript(name: String, atMost limit: Int = 256) -> Secret? {
        guard let header else { return nil }
        // Compared by bytes: comparing characters would be the most expensive part of a poll.
        var rest = header.utf8[...]
        while !rest.isEmpty {
            let pair = rest.prefix { $0 != UInt8(ascii: ";") }
            if let value = Self.value(of: name, in: pair) { return Self.secret(value, atMost: limit) }
            rest = rest[pair.endIndex...].dropFirst()
        }
        return nil
    }

    /// Returns the values of all cookies of that name, well-formed or not.
    func values(of name: String) -> [Substring] {
        guard let header else { return [] }
        return header.utf8.split(separator: UInt8(ascii: ";")).compactMap { Self.value(of: name, in: $0) }
    }

    private static func value(of name: String, in pair: Substring.UTF8View) -> Substring? {
        let pair = pair.drop { $0 == UInt8(ascii: " ") }
        guard pair.starts(with: name.utf8) else { return nil }
        let rest = pair.dropFirst(name.utf8.count)
        return rest.first == UInt8(ascii: "=") ? Substring(rest.dropFirst()) : nil
    }

    /// Returns the value as a secret, if it has at most `limit` characters, all of them base64url or dots.
    static func secret(_ value: Substring, atMost limit: Int = 256) -> Secret? {
        guard (1...limit).contains(value.utf8.count), value.utf8.allSatisfy(isOurs) else { return nil }
        return Secret(String(value))
    }

    private static func isOurs(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
