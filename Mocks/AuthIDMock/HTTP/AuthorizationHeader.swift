import FoundationEssentials
import Kernel

/// Reading the `Authorization` header (RFC 9110 §11.6.2); the scheme's case does not matter.
enum AuthorizationHeader {
    /// The token of `Bearer` (RFC 6750 §2.1).
    static func bearer(_ header: String) -> String? { credentials(of: "bearer", in: header) }

    /// The user id and password of `Basic` (RFC 7617 §2).
    static func basic(_ header: String) -> (user: String, password: Secret)? {
        guard let encoded = credentials(of: "basic", in: header), let bytes = Data(base64Encoded: encoded) else {
            return nil
        }
        let parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), Secret(String(parts[1])))
    }

    private static func credentials(of scheme: String, in header: String) -> String? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == scheme else { return nil }
        return String(parts[1])
    }
}
