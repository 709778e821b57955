internal import Kernel

/// The origin of a ceremony: a web page, or an Android app by the hash of its signing certificate.
///
/// The text is compared byte for byte with the client data. Browsers write an origin in one way only (HTML §7.1.1), and
/// the config must use the same.
package struct Origin: Sendable, Hashable {
    package let text: String
    /// The host of a web origin; `nil` for an app.
    package let host: String?

    package init(_ text: String) throws(OriginError) {
        self.text = text
        if text.hasPrefix(Self.android) {
            guard Base64URL.decode(text.dropFirst(Self.android.count))?.count == 32 else { throw .keyHash }
            host = nil
        } else {
            host = try Self.host(text)
        }
    }

    /// Whether this is the origin of a page over HTTPS.
    var isSecure: Bool { text.hasPrefix("https://") }

    /// Whether `other` is the text of this origin, byte for byte.
    func isWritten(_ other: String) -> Bool { text.utf8.elementsEqual(other.utf8) }

    /// The prefix of an Android app's origin; the base64url SHA-256 of its signing certificate follows.
    private static let android = "android:apk-key-hash:"

    private static func host(_ text: String) throws(OriginError) -> String {
        let isSecure = text.hasPrefix("https://")
        guard isSecure || text.hasPrefix("http://") else { throw .scheme }
        let parts = text.dropFirst(isSecure ? 8 : 7).split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first.map(String.init), parts.count <= 2, RelyingParty.isDomain(host) else {
            throw .host
        }
        // Browsers allow passkeys over plain HTTP only for localhost (Secure Contexts §3.1).
        guard isSecure || host == "localhost" || host.hasSuffix(".localhost") else { throw .insecure }
        if parts.count == 2 {
            guard let port = UInt16(parts[1]), port > 0, String(port) == parts[1], port != (isSecure ? 443 : 80) else {
                throw .port
            }
        }
        return host
    }
}

/// The reason why a text is not an origin as browsers write it.
package enum OriginError: String, Error, Sendable, Equatable, CaseIterable {
    /// The text begins with neither `https://`, nor `http://`, nor `android:apk-key-hash:`.
    case scheme = "origin_scheme"
    /// The host is not a lower-case domain name, or more text follows it, like a slash.
    case host = "origin_host"
    /// Plain HTTP is used for a host other than localhost.
    case insecure = "origin_insecure"
    /// The port is invalid, or the scheme's default, which browsers omit.
    case port = "origin_port"
    /// The hash is not SHA-256 of a certificate as base64url.
    case keyHash = "origin_key_hash"
}
