package import Kernel

/// The HMAC-SHA-256 of a client's secret under a key of this server.
///
/// A fast hash is enough, because the secret has 256 random bits. Without the server's key the hash is useless.
package struct SecretHash: Sendable, Equatable {
    package let digest: Digest256
    /// The time at which a replaced secret ends; `nil` for the current secret.
    package let expiresAt: Instant?

    package init(_ digest: Digest256, expiresAt: Instant? = nil) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}

/// Creates and verifies the secrets of clients.
///
/// Slow hashes protect passwords that people choose. These secrets have 256 random bits and cannot be guessed. So a
/// request of a client costs one HMAC.
package struct ClientSecrets: Sendable {
    /// The most characters of a secret.
    package static let maximumLength = 256
    /// The fewest characters of a secret in the config: 192 bits if each character is random.
    package static let minimumLength = 32

    private let key: KeyedHash
    /// The hash that is compared if a client has no secret, so that both cases take the same time.
    private let decoy: SecretHash

    /// - Parameter key: The key of the key folder for client secrets.
    package init(key: Digest256) {
        self.key = KeyedHash(key: key)
        decoy = SecretHash(self.key.digest([]))
    }

    /// Whether a chosen secret is long enough, and has only characters that every client encodes the same way in a
    /// header.
    package static func isStrong(_ secret: Secret) -> Bool {
        let bytes = secret.expose().utf8
        return (minimumLength...maximumLength).contains(bytes.count)
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"): true
                default: false
                }
            }
    }

    /// Creates a secret and its hash.
    package func make(_ environment: Environment) -> (secret: Secret, hash: SecretHash) {
        let secret = environment.newSecret()
        return (secret, hash(secret))
    }

    package func hash(_ secret: Secret) -> SecretHash { SecretHash(key.digest(Array(secret.expose().utf8))) }

    /// Whether a secret matches one of the hashes that have not expired.
    ///
    /// Every hash is compared in constant time. For a client without hashes, the time is that of one comparison.
    func matches(_ secret: String, _ hashes: [SecretHash], at now: Instant) -> Bool {
        let digest = key.digest(Array(secret.utf8))
        var found = false
        for hash in hashes.isEmpty ? [decoy] : hashes {
            let isInForce = hash.expiresAt.map { now < $0 } ?? true
            let isEqual = hash.digest.matches(digest)
            found = found || (isEqual && isInForce)
        }
        return found && !hashes.isEmpty && secret.utf8.count <= Self.maximumLength
    }
}
