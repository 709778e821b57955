package import Kernel

/// The HMAC-SHA-256 of a client's secret under the server's key.
///
/// It is fast, because the secret has 256 random bits, and useless without that key.
package struct SecretHash: Sendable, Equatable {
    package let digest: Digest256
    /// The end of a secret that was rotated out; `nil` for the current one.
    package let expiresAt: Instant?

    package init(_ digest: Digest256, expiresAt: Instant? = nil) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}

/// Creates clients' secrets, and verifies them.
///
/// A slow hash protects passwords that people choose. These secrets have 256 random bits, which can't be guessed, so that
/// each request of a client costs one HMAC.
package struct ClientSecrets: Sendable {
    /// The most characters of a secret.
    package static let maximumLength = 256
    /// The fewest characters of a secret in the config: 192 bits, if each is random.
    package static let minimumLength = 32

    private let key: KeyedHash
    /// The hash that is compared where a client has none, so that both cases take the same time.
    private let decoy: SecretHash

    /// - Parameter key: The key of the key folder for this purpose.
    package init(key: Digest256) {
        self.key = KeyedHash(key: key)
        decoy = SecretHash(self.key.digest([]))
    }

    /// Whether a chosen secret is long enough, and has only characters that every client encodes alike in a header.
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

    /// Whether a secret matches one of the hashes that is in force.
    ///
    /// Every hash is compared in constant time; a client without any takes the time of one comparison.
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
