import Kernel
import OAuth

/// The address that an app opens in a browser to sign its person in (RFC 6749 §4.1.1).
struct SignInAddress: Sendable {
    private let prefix: String
    private let facts: Facts

    init(client: OAuthClient, publicURL: String, facts: Facts) {
        var parameters = ["response_type=code", "client_id=\(Self.encoded(client.id))"]
        if let redirectURI = client.redirectURIs.first {
            parameters.append("redirect_uri=\(Self.encoded(redirectURI))")
        }
        prefix = "\(publicURL)/authorize?\(parameters.joined(separator: "&"))&state="
        self.facts = facts
    }

    /// With a state of its own, which the app may keep to compare, or replace.
    func url() -> String { prefix + Base64URL.encode(facts.randomBytes(16)) }

    /// RFC 3986 §2.3: everything else is escaped.
    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                return String(UnicodeScalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                return "%" + (digits.count == 1 ? "0" : "") + digits
            }
        }.joined()
    }
}
