package import Kernel

/// HMAC-SHA-256 of a client's secret under the server's key: fast, since the secret has 256 random bits, and useless without
/// that key.
package struct SecretHash: Sendable, Equatable {
    package let digest: Digest256
    /// Until when it counts: the end of a secret that was rotated out; `nil` for one that is in force.
    package let expiresAt: Instant?

    package init(_ digest: Digest256, expiresAt: Instant? = nil) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}

/// Makes clients' secrets, and recognises them.
///
/// A slow hash protects what people choose. These are 256 random bits, which nobody can try out, so that each request of a
/// client costs one HMAC and no more.
package struct ClientSecrets: Sendable {
    /// Characters of a secret, at the most.
    package static let maximumLength = 256
    /// Characters of one that an operator chose and wrote into the config, at least: 192 bits, if each is random.
    package static let minimumLength = 32

    private let key: KeyedHash
    /// What is compared where there is nothing to compare with, so that both take the same time.
    private let decoy: SecretHash

    /// `key`: of the key folder, for this and nothing else.
    package init(key: Digest256) {
        self.key = KeyedHash(key: key)
        decoy = SecretHash(self.key.digest([]))
    }

    /// Whether a secret that somebody chose is long enough, and one that every client writes the same in a header.
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

    /// A new secret, and what is kept of it.
    package func make(_ environment: Environment) -> (secret: Secret, hash: SecretHash) {
        let secret = environment.newSecret()
        return (secret, hash(secret))
    }

    package func hash(_ secret: Secret) -> SecretHash { SecretHash(key.digest(Array(secret.expose().utf8))) }

    /// Whether the secret is one of those that are kept, and in force.
    ///
    /// Every hash is compared, and each in constant time; where there is none, as many steps are gone as for one.
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
