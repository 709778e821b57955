/// A sum to be paid, exactly as it was written: never a floating point number.
///
/// Its only form is the one that a person is shown: ASCII digits without a sign, an exponent or a leading zero. At most
/// twelve are before the point, and after it no more than the currency has (ISO 4217).
package struct Money: Sendable, Hashable {
    /// A decimal number above zero: `12.50`.
    package let value: String
    /// Three capital letters (ISO 4217).
    package let currency: String

    /// Creates a sum; `nil` for another form, and for zero.
    package init?(value: String, currency: String) {
        guard currency.utf8.count == 3, currency.utf8.allSatisfy(Self.isCapital), value.utf8.count <= Self.longestValue
        else { return nil }
        let parts = value.utf8.split(separator: Self.point, maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = parts.first, (1...Self.mostWholeDigits).contains(whole.count), whole.allSatisfy(Self.isDigit),
            whole.count == 1 || whole.first != Self.zero
        else { return nil }
        if parts.count == 2 {
            let isInUnits = Self.withoutFraction.contains(currency)
            guard (1...Self.fractionDigits(of: currency)).contains(parts[1].count),
                parts[1].allSatisfy({ isInUnits ? $0 == Self.zero : Self.isDigit($0) })
            else { return nil }
        }
        guard value.utf8.contains(where: { $0 != Self.zero && $0 != Self.point }) else { return nil }
        self.value = value
        self.currency = currency
    }

    /// Parses a text like `12.50 EUR`.
    package init?(parsing text: String) {
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        self.init(value: String(parts[0]), currency: String(parts[1]))
    }

    /// The text, like `12.50 EUR`.
    package var text: String { "\(value) \(currency)" }

    /// Whether the sum exceeds a bound, to the last digit.
    ///
    /// The result for another currency is `true`, because the sums can't be compared.
    package func isAbove(_ bound: Money) -> Bool {
        guard currency == bound.currency else { return true }
        // Twelve digits and four are below 10¹⁶, which fits into 64 bits.
        return units > bound.units
    }

    /// The sum in ten-thousandths of the currency's main unit.
    private var units: Int64 {
        let parts = value.utf8.split(separator: Self.point, maxSplits: 1)
        var digits = Array(parts[0])
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        digits += fraction + [UInt8](repeating: Self.zero, count: Self.mostFractionDigits - fraction.count)
        return digits.reduce(0) { $0 * 10 + Int64($1 - Self.zero) }
    }

    private static let zero = UInt8(ascii: "0")
    private static let point = UInt8(ascii: ".")
    private static let mostWholeDigits = 12
    private static let mostFractionDigits = 4
    private static let longestValue = mostWholeDigits + 1 + mostFractionDigits

    private static func isDigit(_ byte: UInt8) -> Bool { (zero...UInt8(ascii: "9")).contains(byte) }
    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }

    /// The currencies without a smaller unit (ISO 4217, list one); a fraction may only be zeros, which many shops
    /// write.
    private static let withoutFraction: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]

    /// Returns the most digits of a currency's fraction (ISO 4217, list one).
    private static func fractionDigits(of currency: String) -> Int {
        switch currency {
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        case "CLF", "UYW": mostFractionDigits
        default: 2
        }
    }
}
