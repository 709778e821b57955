internal import Crypto
package import Kernel

/// What a person types to tell a device apart from all others (RFC 8628 §6.1): eight of twenty consonants, so that no word
/// comes about, and nothing is taken for a digit.
///
/// 20⁸ are 2.56 × 10¹⁰ codes, 34.6 bits. That is no secret to defend anything for long: codes live for minutes, whoever
/// tries them is signed in, and how often is bounded (``DeviceFlowPolicy``).
package struct UserCode: Sendable, Equatable {
    /// RFC 8628 §6.1.
    static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    static let length = 8
    /// Bytes of what is typed, at the most.
    package static let longestTyped = 64

    private let letters: String

    /// A new one, each with the same chance.
    package init(_ environment: Environment) {
        // The largest multiple of twenty that fits into a byte: what lies above it would favour the first letters.
        let end = UInt8.max - UInt8.max % UInt8(Self.alphabet.count)
        var letters: [UInt8] = []
        while letters.count < Self.length {
            let drawn = environment.randomBytes(Self.length).filter { $0 < end }
            letters += drawn.map { Self.alphabet[Int($0) % Self.alphabet.count] }
        }
        self.letters = String(decoding: letters.prefix(Self.length), as: UTF8.self)
    }

    /// What a person typed, in whatever case, with whatever between the letters that is no letter and no digit; `nil` where
    /// it is no code.
    package init?(typed text: String) {
        guard text.utf8.count <= Self.longestTyped else { return nil }
        var letters: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"): letters.append(byte - 0x20)
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): letters.append(byte)
                default: continue
                }
            } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
                // Another alphabet's letter is not one of these in disguise.
                return nil
            }
        }
        guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.letters = String(decoding: letters, as: UTF8.self)
    }

    /// As people read it: `WDJB-MJHT`.
    package var text: String { "\(letters.prefix(Self.length / 2))-\(letters.suffix(Self.length / 2))" }

    fileprivate var bytes: [UInt8] { Array(letters.utf8) }
}

/// Makes of user codes what rows hold: HMAC-SHA-256, for of so few codes a plain hash could be tried out.
package struct UserCodeKey: Sendable {
    private let key: KeyedHash

    /// `key`: of the key folder, for this and nothing else.
    package init(_ key: Digest256) { self.key = KeyedHash(key: key) }

    package func digest(_ code: UserCode) -> Digest256 { key.digest(code.bytes) }
}
