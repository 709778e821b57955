internal import Kernel

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A client's id and secret from the header Authorization (RFC 6749 §2.3.1, RFC 7617 §2).
struct BasicCredentials: Sendable {
    let id: String
    let secret: String

    /// The most bytes of the header field.
    private static let maximumLength = 2048

    /// Parses the header field; returns `nil` for another scheme and for malformed credentials.
    ///
    /// Clients form-encode both parts before they join them. A client that omits this sends the same text, because the
    /// encoding changes no character of this server's ids and secrets.
    init?(_ field: String) {
        let words = field.split(separator: " ", maxSplits: 1)
        guard field.utf8.count <= Self.maximumLength, words.count == 2, words[0].lowercased() == "basic",
            let data = Data(base64Encoded: String(words[1])), let text = String(validating: data, as: UTF8.self)
        else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let id = Self.decode(parts[0]), let secret = Self.decode(parts[1]), !id.isEmpty else {
            return nil
        }
        self.id = id
        self.secret = secret
    }

    /// Decodes `application/x-www-form-urlencoded`; returns `nil` for a percent sign without its two digits.
    private static func decode(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var input = text.utf8.makeIterator()
        while let byte = input.next() {
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = input.next().flatMap(Hex.value(of:)), let low = input.next().flatMap(Hex.value(of:))
                else { return nil }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
