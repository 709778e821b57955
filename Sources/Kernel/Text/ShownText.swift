/// Text of a third party that is shown to a person who decides by it.
package enum ShownText {
    /// The longest run of combining marks: enough for any writing system, too few to paint over the line above.
    private static let marksInARow = 3

    /// Returns whether a reader sees exactly the text: one line without characters that turn text around, hide in it,
    /// or push it out of sight.
    ///
    /// An unfit text is refused, not repaired, because the token names the text as the app sent it. Right-to-left
    /// scripts are allowed. Not allowed are the marks that override their order (Unicode UAX #9 §2) and all other
    /// format characters and default-ignorables (UTR #36 §2.10). Line breaks and more than one space in a row are not
    /// allowed either.
    package static func isPlain(_ text: String, limit: Int) -> Bool {
        // Bytes first, so that an oversized text is refused without a walk over its characters.
        guard (1...4 * limit).contains(text.utf8.count), text.unicodeScalars.count <= limit else { return false }
        var wasSpace = true
        var marks = marksInARow
        for scalar in text.unicodeScalars {
            let kind = Kind(scalar)
            switch kind {
            case .refused: return false
            case .space where wasSpace: return false
            case .mark where marks == marksInARow: return false
            case .space, .mark, .visible: break
            }
            wasSpace = kind == .space
            marks = kind == .mark ? marks + 1 : kind == .space ? marksInARow : 0
        }
        return !wasSpace
    }

    /// Returns equal texts for texts that people take for the same: without regard to case and spaces.
    ///
    /// Letters of other scripts that look alike stay apart.
    package static func folded(_ text: String) -> String {
        // Upper case first: letters like `ſ` become the ordinary small letter only by way of their capital.
        let shown = text.unicodeScalars.filter { $0.properties.generalCategory != .spaceSeparator }
        return String(String.UnicodeScalarView(shown)).uppercased().lowercased()
    }

    private enum Kind: Equatable {
        case visible, space, mark, refused

        init(_ scalar: Unicode.Scalar) {
            // Among them are letters that show nothing, like U+3164. The Braille blank (U+2800) lacks that property.
            guard !scalar.properties.isDefaultIgnorableCodePoint, scalar.value != 0x2800 else {
                self = .refused
                return
            }
            self =
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                    .refused
                // French and numbers use the narrow and the wide no-break space.
                case .spaceSeparator: [0x20, 0xA0, 0x202F].contains(scalar.value) ? .space : .refused
                case .nonspacingMark, .enclosingMark, .spacingMark: .mark
                case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
                    .decimalNumber, .letterNumber, .otherNumber, .connectorPunctuation, .dashPunctuation,
                    .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation, .otherPunctuation,
                    .mathSymbol, .currencySymbol, .modifierSymbol, .otherSymbol:
                    .visible
                @unknown default: .refused
                }
        }
    }
}
