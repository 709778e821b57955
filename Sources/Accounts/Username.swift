internal import Foundation

/// A name that a person chose to sign in with, where that is no e-mail address: trimmed, lower-case, in letters and digits.
///
/// No two accounts have one that differs in case alone, or in how its characters are composed: it is kept in Unicode's
/// normal form C (UAX #15). It has no `@`, so that nobody can take another's address for a name, and no Latin combining
/// marks that are left over then. The apostrophe that phones type is the plain one.
package struct Username: Hashable, Sendable, CustomStringConvertible {
    /// How many characters it may have.
    package static let length = 1...64

    package let text: String

    package init?(_ raw: some StringProtocol) {
        guard raw.utf8.count <= 1024 else { return nil }
        let trimmed = raw.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
        let plain = trimmed.map { $0 == "\u{2019}" ? "'" : String($0) }.joined().lowercased()
        let text = plain.precomposedStringWithCanonicalMapping
        guard Self.length.contains(text.count), text.utf8.count <= 256, text.unicodeScalars.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    package var description: String { text }

    private static let marks: ClosedRange<UInt32> = 0x300...0x36F

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        if " ._-+'".unicodeScalars.contains(scalar) { return true }
        guard !marks.contains(scalar.value) else { return false }
        return switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .nonspacingMark, .spacingMark:
            true
        default: false
        }
    }
}
