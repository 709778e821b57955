/// SplitMix64 (Steele, Lea, Flood 2014): the same seed gives the same stream on every machine.
///
/// It makes a run repeatable, not secret: the seed reveals every token of that run.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    /// The next bytes of the stream; a word is drawn for every eight that are begun.
    package mutating func bytes(_ count: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(count + 7)
        while output.count < count {
            let word = next()
            for shift in 0..<8 { output.append(UInt8(truncatingIfNeeded: word >> UInt64(8 * shift))) }
        }
        output.removeLast(output.count - count)
        return output
    }

    /// A uniform number in `0 ..< 1`.
    package mutating func unitInterval() -> Double { Double(next() >> 11) / Double(UInt64(1) << 53) }
}
