import Kernel
import Testing

@testable import Passkeys

/// The bounds of RSA keys.
struct RSAPublicKeyTests {
    private func fault(_ modulus: [UInt8], _ exponent: [UInt8] = [1, 0, 1]) -> COSEKeyError? {
        do throws(COSEKeyError) {
            _ = try RSAPublicKey(modulus: modulus, exponent: exponent)
            return nil
        } catch { return error }
    }

    /// An odd number of so many bits.
    private func number(bits: Int) -> [UInt8] {
        let first = bits % 8 == 0 ? 0x80 : UInt8(1 << (bits % 8 - 1))
        return [first] + Array(repeating: 0x5A, count: (bits + 7) / 8 - 2) + [0x0B]
    }

    @Test func `2048 to 8192 bits are taken`() {
        #expect(fault(number(bits: 2048)) == nil)
        #expect(fault(number(bits: 3483)) == nil)
        #expect(fault(number(bits: 8192)) == nil)
        #expect(fault(number(bits: 2047)) == .modulusSize)
        #expect(fault(number(bits: 1024)) == .modulusSize)
        #expect(fault(number(bits: 8193)) == .modulusSize)
        #expect(fault(number(bits: 16384)) == .modulusSize)
    }

    @Test func `numbers have one form, the modulus is odd, and the exponent is one to trust`() {
        let modulus = number(bits: 2048)
        #expect(fault([0] + modulus) == .rsaNumbers)
        #expect(fault([]) == .rsaNumbers)
        #expect(fault(Array(modulus.dropLast()) + [0x0A]) == .rsaNumbers)
        for exponent in [[], [0], [1], [3], [17], [1, 0, 0], [1, 0, 2], [0, 1, 0, 1], [2, 0, 0, 0, 1]] as [[UInt8]] {
            #expect(fault(modulus, exponent) == .rsaNumbers, "\(exponent)")
        }
        #expect(fault(modulus, Array(repeating: 0xFF, count: 9)) == .rsaNumbers)
    }

    /// A modulus by the structure of CVE-2017-15361, as `ROCAFingerprintTests` says: its private half can be computed.
    private static let broken = """
        7OvERII2D4tIHazT8Gfd5iBvcYWT9xYBe3Lg2-iFYbbUzDZROfkqCgnqbNkLQGfjr5y8uuqR_Bw8xz3tDx7wdmgjeTLWNkA3vpVe\
        S1mKr4Cc-f4S2mxH98kOVaCA71-ZD5TlL1LrupCqdSqHfhmNJ_t5fYz9_UUX6xXP0_WaQhF9ShwoF0ki-_O2k2oQy7-vDLLYqr7N\
        n2wy9A5_lbpqyNOVRF_YimN1HeXx3Tep_mJHRQ8CIaLibXkcQsAgI0YwqYhP0tdQkoPQ5YadOe1iO7ptquWoN8YORrkMycASd-lh\
        lXgsbnPODK26f5SNmQGJ20s72tAPB8LJMJVG9k_x4w
        """

    // O-080
    @Test func `attack: a passkey with a ROCA key is refused`() throws {
        let modulus = try #require(Base64URL.decode(Self.broken))
        #expect(fault(modulus) == .rsaNumbers)
        #expect(fault(Array(modulus.dropLast()) + [modulus[255] ^ 2]) == nil, "the number beside it")
    }
}
