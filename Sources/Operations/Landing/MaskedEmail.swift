/// An address as a page shows it to whoever opens the link: enough for its owner to know it, not for others to learn it.
package enum MaskedEmail {
    /// The first character of the local part, and the domain: `r•••@example.com`.
    ///
    /// It is made of what was typed, so that it looks the same whether or not somebody has the address. Characters that
    /// could turn the page's text around or hide in it are left out.
    package static func mask(_ typed: String) -> String {
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count >= 2, let domain = parts.last else { return "•••" }
        return "\(shown(parts[0], 1))•••@\(shown(domain, 64))"
    }

    /// The first character of a name of somebody who has no address: `r•••`.
    package static func mask(name: String) -> String { "\(shown(Substring(name), 1))•••" }

    /// Counted in scalars: one character can be made of any number of them.
    private static func shown(_ text: Substring, _ limit: Int) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter(isShown).prefix(limit)))
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
            false
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation, .openPunctuation,
            .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation, .mathSymbol,
            .currencySymbol, .modifierSymbol, .otherSymbol:
            true
        @unknown default: false
        }
    }
}
