/// An address as a page shows it to a visitor of the link: its owner recognises it, and others don't learn it.
package enum MaskedEmail {
    /// Returns the first character of the local part, and the domain: `r•••@example.com`.
    ///
    /// It is made of the typed text, so that it looks the same whether or not somebody has the address. Characters that
    /// could turn the page's text around or hide in it are left out.
    package static func mask(_ typed: String) -> String {
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count >= 2, let domain = parts.last else { return "•••" }
        return "\(shown(parts[0], 1))•••@\(shown(domain, 64))"
    }

    /// Returns the first character of the name of a person without an address: `r•••`.
    package static func mask(name: String) -> String { "\(shown(Substring(name), 1))•••" }

    /// Cuts a text by scalars: one character can have any number of them.
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
