/// An e-mail address as an account's identifier: trimmed, lower-case, plausible in form (RFC 5321 §4.5.3.1 lengths).
///
/// Lower-casing the local part is against the letter of RFC 5321 §2.4 and what every mail provider does; two accounts
/// that differ in case alone would be a trap.
package struct EmailAddress: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init?(_ raw: some StringProtocol) {
        let trimmed = raw.drop { $0.isWhitespace }
        let text = String(trimmed.prefix(320)).lowercased()
        let bare = text.reversed().drop { $0.isWhitespace }.reversed().map(String.init).joined()
        let parts = bare.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, trimmed.utf8.count <= 320,
            (1...64).contains(parts[0].utf8.count), (1...253).contains(parts[1].utf8.count),
            bare.utf8.count <= 254, bare.unicodeScalars.allSatisfy(Self.isAllowed),
            !parts[1].hasPrefix("."), !parts[1].hasSuffix("."), !parts[1].contains("..")
        else { return nil }
        self.text = bare
    }

    package var description: String { text }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator:
            false
        default: !"<>()[],;:\\\"".unicodeScalars.contains(scalar)
        }
    }
}
