import Crypto
import CryptoExtras
import Dispatch
import FoundationEssentials
package import Kernel

/// Turns passwords into scrypt hashes (RFC 7914) with their parameters beside them, so that a later version can raise
/// them and still check the old.
///
/// Runs on a thread of its own, one at a time: scrypt blocks and takes 16 MiB, which neither the cooperative pool nor
/// the memory of a small machine has to spare.
package final class PasswordHasher: Sendable {
    /// OWASP Password Storage Cheat Sheet, scrypt: N = 2^14 with r = 8 and p = 5.
    private static let rounds = 1 << 14
    private static let blockSize = 8
    private static let parallelism = 5

    private let facts: Facts
    private let queue = DispatchQueue(label: "vestibule.scrypt")

    package init(facts: Facts) { self.facts = facts }

    /// `scrypt$N$r$p$salt$hash`, base64url.
    package func hash(_ password: Secret) async throws -> Secret {
        let salt = facts.randomBytes(16)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try Self.derive(password, salt) }) }
        }
    }

    private static func derive(_ password: Secret, _ salt: [UInt8]) throws -> Secret {
        let key = try KDF.Scrypt.deriveKey(
            from: Data(password.expose().utf8),
            salt: Data(salt),
            outputByteCount: 32,
            rounds: rounds,
            blockSize: blockSize,
            parallelism: parallelism
        )
        let hash = key.withUnsafeBytes { Base64URL.encode($0) }
        return Secret("scrypt$\(rounds)$\(blockSize)$\(parallelism)$\(Base64URL.encode(salt))$\(hash)")
    }
}
