internal import Kernel

/// An e-mail address as an account's identifier: trimmed, lower-case, plausible in form (RFC 5321 §4.5.3.1 lengths).
///
/// RFC 5321 §2.4 makes case matter in the local part, but mail providers ignore it. Two accounts that differ in case
/// alone would be mistaken for one another.
package struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ raw: some StringProtocol) {
        let bytes = Array(raw.utf8)
        if let plain = Self.plain(bytes) {
            text = plain
            return
        }
        let trimmed = raw.drop { $0.isWhitespace }
        let text = String(trimmed.prefix(320)).lowercased()
        let bare = String(text.trimmed)
        let parts = bare.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, trimmed.utf8.count <= 320,
            (1...64).contains(parts[0].utf8.count), (1...253).contains(parts[1].utf8.count),
            bare.utf8.count <= 254, bare.unicodeScalars.allSatisfy(Self.isAllowed),
            !parts[1].hasPrefix("."), !parts[1].hasSuffix("."), !parts[1].contains("..")
        else { return nil }
        self.text = bare
    }

    /// Reads the common form without Unicode's tables, since every start of a login reads an address.
    ///
    /// After `nil` the full reading decides.
    private static func plain(_ bytes: [UInt8]) -> String? {
        guard bytes.count <= 254, let at = bytes.firstIndex(of: UInt8(ascii: "@")) else { return nil }
        guard (1...64).contains(at), bytes.count - at > 3 else { return nil }
        for (index, byte) in bytes.enumerated() where index != at && !isPlain(byte) { return nil }
        for index in (at + 1)..<bytes.count where bytes[index] == UInt8(ascii: ".") {
            guard index > at + 1, index < bytes.count - 1, bytes[index - 1] != UInt8(ascii: ".") else { return nil }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the byte is a lower-case letter, a digit or the usual punctuation of addresses.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "+"):
            true
        default: false
        }
    }

    package var description: String { text }

    /// The address that most mail servers deliver to: without a plus and the rest of the local part.
    package var mailbox: String {
        guard let at = text.firstIndex(of: "@"), let plus = text[..<at].firstIndex(of: "+"), plus > text.startIndex
        else {
            return text
        }
        return String(text[..<plus] + text[at...])
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: !"<>()[],;:\\\"".unicodeScalars.contains(scalar)
        }
    }
}
