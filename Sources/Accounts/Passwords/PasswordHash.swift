import Kernel

/// The parameters of scrypt (RFC 7914 §2).
package struct ScryptParameters: Sendable, Equatable {
    /// N: a power of two.
    package let rounds: Int
    /// r.
    package let blockSize: Int
    /// p.
    package let parallelism: Int

    package init(rounds: Int, blockSize: Int, parallelism: Int) {
        self.rounds = rounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// OWASP Password Storage Cheat Sheet, scrypt: N = 2^14 with r = 8 and p = 5.
    package static let current = ScryptParameters(rounds: 1 << 14, blockSize: 8, parallelism: 5)

    /// Whether a stored hash may demand the work of these parameters, which takes 128 N r bytes.
    var isBearable: Bool {
        (2...(1 << 20)).contains(rounds) && rounds & (rounds - 1) == 0 && (1...32).contains(blockSize)
            && (1...64).contains(parallelism) && rounds * blockSize <= 1 << 20
    }
}

/// A password's hash with its parameters: `scrypt$N$r$p$salt$key`, base64url.
struct PasswordHash: Sendable {
    let parameters: ScryptParameters
    let salt: [UInt8]
    let key: [UInt8]

    init(parameters: ScryptParameters, salt: [UInt8], key: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.key = key
    }

    /// Reads a stored hash; `nil` for a text that this program does not write.
    init?(_ text: Secret) {
        let parts = text.expose().split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0] == "scrypt", let rounds = Int(parts[1]), let blockSize = Int(parts[2]),
            let parallelism = Int(parts[3]), let salt = Base64URL.decode(parts[4]),
            let key = Base64URL.decode(parts[5]), (16...64).contains(key.count)
        else { return nil }
        parameters = ScryptParameters(rounds: rounds, blockSize: blockSize, parallelism: parallelism)
        guard parameters.isBearable else { return nil }
        self.salt = salt
        self.key = key
    }

    var text: Secret {
        let numbers = "\(parameters.rounds)$\(parameters.blockSize)$\(parameters.parallelism)"
        return Secret("scrypt$\(numbers)$\(Base64URL.encode(salt))$\(Base64URL.encode(key))")
    }
}
