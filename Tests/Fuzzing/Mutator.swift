/// SplitMix64, and what it does to inputs.
package struct Mutator: Sendable {
    private var state: UInt64
    private let tokens: [[UInt8]]

    /// `tokens`: what is put in besides odd bytes.
    package init(seed: UInt64, tokens: [String]) {
        state = seed
        self.tokens = tokens.map { Array($0.utf8) }
    }

    /// The generator of one input alone: whoever takes it, and whatever was taken before, it is the same.
    package func forInput(_ number: Int) -> Mutator {
        var own = self
        own.state ^= UInt64(truncatingIfNeeded: number)
        // Mixed: from states that lie a few steps apart two inputs would get the same values, one a little later.
        own.state = own.next()
        return own
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }

    package mutating func below(_ bound: Int) -> Int { bound < 1 ? 0 : Int(next() % UInt64(bound)) }
    package mutating func pick<Element>(_ all: [Element]) -> Element { all[below(all.count)] }

    package mutating func mutate(_ bytes: inout [UInt8]) {
        let place = below(bytes.count + 1)
        switch below(7) {
        case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(truncatingIfNeeded: next()), at: place)
        case 3: bytes.insert(contentsOf: pick(tokens), at: place)
        case 4: bytes.removeLast(min(bytes.count, below(bytes.count + 1)))
        case 5 where !bytes.isEmpty:
            let end = min(bytes.count, place + below(16))
            bytes.insert(contentsOf: bytes[min(place, end)..<end], at: below(bytes.count + 1))
        default: if bytes.count > 1 { bytes.swapAt(below(bytes.count), below(bytes.count)) }
        }
    }

    /// The text after a few changes.
    package mutating func mutated(_ text: String, upTo changes: Int = 4) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...below(changes) { mutate(&bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
