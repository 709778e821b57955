/// What a whole card number looks like (ISO/IEC 7812-1): 13 to 19 digits, the last of which is Luhn's check digit.
///
/// A wallet that kept one would be a store of card data (PCI DSS v4.0, requirement 3). Of other numbers of that length one in
/// ten looks the same: a bank's references are to be of another form.
enum CardNumber {
    private static let lengths = 13...19

    /// Whether the text is one and nothing else, in groups or not.
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

    /// ISO/IEC 7812-1, annex B: from the right every second digit counts twice, and the digits of that are added.
    private static func checkSum(_ digits: [Int]) -> Int {
        var sum = 0
        for (place, digit) in digits.reversed().enumerated() {
            let counted = place.isMultiple(of: 2) ? digit : 2 * digit
            sum += counted / 10 + counted % 10
        }
        return sum
    }
}
