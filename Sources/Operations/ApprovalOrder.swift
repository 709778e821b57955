package import Kernel

/// What a person is asked to approve, exactly as its page shows it and its token names it.
///
/// Fixed when the approval begins: no event of the machine changes it, and no statement of the store does. A reference, as
/// ``LoginOrigin`` is.
package final class ApprovalOrder: Sendable, Equatable {
    /// The longest message, in scalars.
    package static let messageLimit = 200
    /// The longest name of a payee, in scalars.
    package static let payeeLimit = 100

    package let message: String
    package let amount: Amount?
    package let payee: String?
    /// SHA-256 of what the app means to carry out.
    package let payloadHash: Digest256?

    /// A sum of money.
    package struct Amount: Sendable, Equatable {
        /// A decimal number without a sign: `1250.00`.
        package let value: String
        /// Three capital letters (ISO 4217).
        package let currency: String

        /// `nil` for what is not written in the one way that there is: no leading zero, at most twelve digits before the
        /// point and four behind it.
        package init?(value: String, currency: String) {
            let parts = value.utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
            guard let whole = parts.first, (1...12).contains(whole.count), whole.allSatisfy(Self.isDigit),
                whole.count == 1 || whole.first != UInt8(ascii: "0")
            else { return nil }
            if parts.count == 2 {
                guard (1...4).contains(parts[1].count), parts[1].allSatisfy(Self.isDigit) else { return nil }
            }
            guard currency.utf8.count == 3,
                currency.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
            else { return nil }
            self.value = value
            self.currency = currency
        }

        private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    }

    /// Why something can't be put before a person.
    package enum Fault: Error, Equatable, Sendable, CaseIterable {
        case message, payee
    }

    /// - Throws: ``Fault`` for a text that is empty or too long, or could look like another on the page.
    package init(message: String, amount: Amount?, payee: String?, payloadHash: Digest256?) throws(Fault) {
        guard ShownText.isPlain(message, limit: Self.messageLimit) else { throw .message }
        if let payee { guard ShownText.isPlain(payee, limit: Self.payeeLimit) else { throw .payee } }
        self.message = message
        self.amount = amount
        self.payee = payee
        self.payloadHash = payloadHash
    }

    package static func == (left: ApprovalOrder, right: ApprovalOrder) -> Bool {
        left === right
            || (left.message.utf8.elementsEqual(right.message.utf8) && left.amount == right.amount
                && left.payee.map { Array($0.utf8) } == right.payee.map { Array($0.utf8) }
                && left.payloadHash == right.payloadHash)
    }
}

/// Text of an app's that is shown to a person who decides by it.
enum ShownText {
    /// Enough for any writing system, too few to paint over the line above.
    private static let marksInARow = 3

    /// Whether what is shown is what is said: one line without characters that turn text around, hide in it, or push it
    /// out of sight.
    ///
    /// Refused, not repaired: the token names the text as the app sent it. Right-to-left scripts are fine; what isn't are
    /// the marks that override their order (Unicode UAX #9 §2), all other format characters and default-ignorables (UTR
    /// #36 §2.10), line breaks, and more than one space in a row.
    static func isPlain(_ text: String, limit: Int) -> Bool {
        // Bytes first: a body's worth of text is not walked.
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

    private enum Kind: Equatable {
        case visible, space, mark, refused

        init(_ scalar: Unicode.Scalar) {
            // Among them letters that show nothing, like U+3164; the Braille blank alone has no such property.
            guard !scalar.properties.isDefaultIgnorableCodePoint, scalar.value != 0x2800 else {
                self = .refused
                return
            }
            self =
                switch scalar.properties.generalCategory {
                case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
                    .refused
                // The narrow and the wide no-break space belong to French and to numbers.
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
