/// The form of a card number (ISO/IEC 7812-1): 13 to 19 digits, the last of which is Luhn's check digit.
///
/// A wallet that stored card numbers would store card data (PCI DSS v4.0, requirement 3). One in ten other numbers of
/// that length has the same form, so a bank's references must have another form.
enum CardNumber {
    private static let lengths = 13...19

    /// Whether the text has the form of a card number, with or without spaces and hyphens.
    static func isOne(_ text: String) -> Bool {
        var digits: [Int] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte - UInt8(ascii: "0")))
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            default: return false
            }
        }
        return lengths.contains(digits.count) && checkSum(digits).isMultiple(of: 10)
    }

    /// Returns Luhn's sum (ISO/IEC 7812-1, annex B): every second digit from the right is doubled, and its digits are
    /// added.
    private static func checkSum(_ digits: [Int]) -> Int {
        var sum = 0
        for (position, digit) in digits.reversed().enumerated() {
            let counted = position.isMultiple(of: 2) ? digit : 2 * digit
            sum += counted / 10 + counted % 10
        }
        return sum
    }
}
