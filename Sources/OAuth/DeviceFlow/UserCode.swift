internal import Crypto
package import Kernel

/// The code that a person types to identify a device (RFC 8628 §6.1).
///
/// It has eight of twenty consonants, so that it forms no word and no letter resembles a digit. 20⁸ are 2.56 × 10¹⁰
/// codes, or 34.6 bits. That protects only for a short time. So codes live for minutes, and guessing requires a sign-in
/// and is limited (``DeviceFlowPolicy``).
package struct UserCode: Sendable, Equatable {
    /// The twenty consonants of RFC 8628 §6.1.
    static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    static let length = 8
    /// The most bytes that a person may type.
    package static let longestTyped = 64

    private let letters: String

    /// Creates a random code; all codes have the same probability.
    package init(_ environment: Environment) {
        // The largest multiple of twenty in a byte. Values from there on would favour the first letters.
        let end = UInt8.max - UInt8.max % UInt8(Self.alphabet.count)
        var letters: [UInt8] = []
        while letters.count < Self.length {
            let drawn = environment.randomBytes(Self.length).filter { $0 < end }
            letters += drawn.map { Self.alphabet[Int($0) % Self.alphabet.count] }
        }
        self.letters = String(decoding: letters.prefix(Self.length), as: UTF8.self)
    }

    /// Reads a typed code in upper or lower case; `nil` for an invalid code.
    ///
    /// Only letters and digits count.
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
                // A letter of another alphabet is not taken for a similar Latin one.
                return nil
            }
        }
        guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.letters = String(decoding: letters, as: UTF8.self)
    }

    /// The code as it is shown to people: `WDJB-MJHT`.
    package var text: String { "\(letters.prefix(Self.length / 2))-\(letters.suffix(Self.length / 2))" }

    fileprivate var bytes: [UInt8] { Array(letters.utf8) }
}

/// Computes the stored digests of user codes with HMAC-SHA-256.
///
/// So few codes could be found from a plain hash by trial.
package struct UserCodeKey: Sendable {
    private let key: KeyedHash

    /// - Parameter key: The key of the key folder for user codes.
    package init(_ key: Digest256) { self.key = KeyedHash(key: key) }

    package func digest(_ code: UserCode) -> Digest256 { key.digest(code.bytes) }
}
