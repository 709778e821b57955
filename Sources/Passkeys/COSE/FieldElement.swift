/// A number modulo 2²⁵⁵ - 19; only for public values, because the time of a calculation depends on them.
struct FieldElement: Equatable {
    static let zero = FieldElement([0, 0, 0, 0])
    static let one = FieldElement([1, 0, 0, 0])

    private static let prime: [UInt64] = [0xFFFF_FFFF_FFFF_FFED, .max, .max, 0x7FFF_FFFF_FFFF_FFFF]

    /// Four words, the least significant first.
    private var words: [UInt64]

    /// Creates a number from four words, the least significant first.
    init(_ words: [UInt64]) { self.words = words }

    /// Creates a number from 32 bytes.
    init(littleEndian bytes: [UInt8]) {
        words = [0, 0, 0, 0]
        for (index, byte) in bytes.prefix(32).enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
    }

    static func + (left: FieldElement, right: FieldElement) -> FieldElement {
        // Both numbers are below 2²⁵⁵, so the sum fits into four words.
        FieldElement(reduced(added(left.words, right.words)))
    }

    static func - (left: FieldElement, right: FieldElement) -> FieldElement {
        FieldElement(reduced(added(left.words, subtracted(prime, right.words))))
    }

    static func * (left: FieldElement, right: FieldElement) -> FieldElement {
        var product = [UInt64](repeating: 0, count: 8)
        for i in 0..<4 {
            var carry: UInt64 = 0
            for j in 0..<4 {
                let (high, low) = left.words[i].multipliedFullWidth(by: right.words[j])
                let (first, carriedFirst) = product[i + j].addingReportingOverflow(low)
                let (second, carriedSecond) = first.addingReportingOverflow(carry)
                product[i + j] = second
                // The carry fits into its 64 bits: (2⁶⁴-1)² + 2(2⁶⁴-1) is below 2¹²⁸.
                carry = high + (carriedFirst ? 1 : 0) + (carriedSecond ? 1 : 0)
            }
            product[i + 4] = carry
        }
        return FieldElement(folded(product))
    }

    /// Returns the element to the power of (p - 1) / 2: one for a square, minus one for a non-square, zero for zero.
    func raised(toHalfOfPMinusOne: Void) -> FieldElement {
        // (p - 1) / 2 = 2²⁵⁴ - 10, which is all ones but the bits 0 and 3.
        var result = FieldElement.one
        for bit in stride(from: 253, through: 0, by: -1) {
            result = result * result
            if bit != 0, bit != 3 { result = result * self }
        }
        return result
    }

    /// Reduces a product of 512 bits: modulo the prime, 2²⁵⁶ is 38.
    private static func folded(_ product: [UInt64]) -> [UInt64] {
        var result = [UInt64](repeating: 0, count: 4)
        var carry: UInt64 = 0
        for index in 0..<4 {
            let (high, low) = product[index + 4].multipliedFullWidth(by: 38)
            let (first, carriedFirst) = low.addingReportingOverflow(product[index])
            let (second, carriedSecond) = first.addingReportingOverflow(carry)
            result[index] = second
            carry = high + (carriedFirst ? 1 : 0) + (carriedSecond ? 1 : 0)
        }
        // The carry is in units of 2²⁵⁶, and at most 38. Adding it may carry once more, but not a third time.
        while carry > 0 {
            var addend = carry * 38
            carry = 0
            for index in 0..<4 {
                let (sum, isCarried) = result[index].addingReportingOverflow(addend)
                result[index] = sum
                addend = isCarried ? 1 : 0
            }
            carry = addend
        }
        return reduced(result)
    }

    /// Reduces a number of 256 bits.
    private static func reduced(_ words: [UInt64]) -> [UInt64] {
        var words = words
        while !isBelow(words, prime) { words = subtracted(words, prime) }
        return words
    }

    private static func added(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var sum = left
        var carry: UInt64 = 0
        for index in 0..<4 {
            let (first, carriedFirst) = left[index].addingReportingOverflow(right[index])
            let (second, carriedSecond) = first.addingReportingOverflow(carry)
            sum[index] = second
            carry = carriedFirst || carriedSecond ? 1 : 0
        }
        return sum
    }

    private static func subtracted(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        var difference = left
        var borrow: UInt64 = 0
        for index in 0..<4 {
            let (first, borrowedFirst) = left[index].subtractingReportingOverflow(right[index])
            let (second, borrowedSecond) = first.subtractingReportingOverflow(borrow)
            difference[index] = second
            borrow = borrowedFirst || borrowedSecond ? 1 : 0
        }
        return difference
    }

    private static func isBelow(_ left: [UInt64], _ right: [UInt64]) -> Bool {
        for index in (0..<4).reversed() where left[index] != right[index] { return left[index] < right[index] }
        return false
    }
}
