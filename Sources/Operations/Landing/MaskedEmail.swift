/// An e-mail address masked for the landing page, so that its owner recognises it and other visitors don't learn it.
package enum MaskedEmail {
    /// Returns the first character of the local part, and the domain: `r•••@example.com`.
    ///
    /// The result depends only on the typed text, so it is the same whether or not an account has the address.
    ///
    /// Characters that are invisible or change the text's direction are left out.
    package static func mask(_ typed: String) -> String {
        let parts = typed.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count >= 2, let domain = parts.last else { return "•••" }
        return "\(shown(parts[0], 1))•••@\(shown(domain, 64))"
    }

    /// Returns the first character of the name of a person without an address: `r•••`.
    package static func mask(name: String) -> String { "\(shown(Substring(name), 1))•••" }

    /// Cuts a text by Unicode scalars, because one character can have any number of them.
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
