internal import Foundation
internal import Kernel

/// A name that a person chose to sign in with, trimmed and lower-case: letters and digits, or the form of an e-mail
/// address.
///
/// User names and addresses are separate. A name in the form of an address is never verified, gets no mail, and is not
/// found where an address is asked for. The address's owner may still open an account with the address. Pages show such
/// a name with a ``mark``, so that readers don't take it for an address. Attacks on relying parties that trust a claim
/// with an address in it rely on that mistake.
///
/// Names that differ only in case or in the composition of characters are the same name. They are kept in Unicode's
/// normal form C (UAX #15), and Latin combining marks that are left over are refused. The apostrophe that phones type
/// becomes the plain one.
package struct Username: Hashable, Sendable, CustomStringConvertible {
    /// The length in characters of a name that does not have the form of an address.
    package static let length = 1...64
    /// The longest name in the form of an address, in bytes, as long as an address (RFC 5321 §4.5.3.1.3).
    package static let longestAddress = 254
    /// The mark before a name in the form of an address wherever it is shown.
    ///
    /// No user name and no address contains a colon.
    package static let mark = "user:"

    package let text: String

    package init?(_ raw: some StringProtocol) {
        guard raw.utf8.count <= 1024 else { return nil }
        let plain = raw.trimmed.map { $0 == "\u{2019}" ? "'" : String($0) }.joined().lowercased()
        let text = plain.precomposedStringWithCanonicalMapping
        let isGood = text.contains("@") ? Self.isAddress(text) : Self.isName(text)
        guard isGood, text.unicodeScalars.allSatisfy(Self.isAllowed) else { return nil }
        self.text = text
    }

    /// Reads a name as it is shown, with its mark; `nil` without a mark.
    package init?(marked text: some StringProtocol) {
        guard text.hasPrefix(Self.mark) else { return nil }
        self.init(text.dropFirst(Self.mark.count))
    }

    package var description: String { text }

    /// Whether the name has the form of an e-mail address.
    package var isAddress: Bool { text.contains("@") }

    /// The name as pages, tokens and commands show it.
    package var shown: String { Self.shown(text) ?? text }

    /// Returns the text with the mark; `nil` unless it has the form of an address.
    package static func shown(_ text: String) -> String? { text.contains("@") ? mark + text : nil }

    private static let marks: ClosedRange<UInt32> = 0x300...0x36F

    private static func isName(_ text: String) -> Bool { length.contains(text.count) && text.utf8.count <= 256 }

    private static func isAddress(_ text: String) -> Bool {
        text.utf8.count <= longestAddress && !text.contains(" ") && EmailAddress(text) != nil
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if " ._-+'@".unicodeScalars.contains(scalar) { return true }
        guard !marks.contains(scalar.value) else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}
