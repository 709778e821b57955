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

    /// The first cookie of that name, if its value could be one of ours: at most so many characters of base64url and dots.
    subscript(name: String, atMost limit: Int = 256) -> Secret? {
        guard let header else { return nil }
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            guard pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" else { continue }
            let value = pair.dropFirst(name.count + 1)
            guard (1...limit).contains(value.utf8.count), value.utf8.allSatisfy(Self.isOurs) else { return nil }
            return Secret(String(value))
        }
        return nil
    }

    /// How many cookies of that name there are.
    func count(of name: String) -> Int {
        header?.split(separator: ";").filter { $0.drop { $0 == " " }.hasPrefix(name + "=") }.count ?? 0
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
