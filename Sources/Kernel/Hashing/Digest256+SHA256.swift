package import Crypto

extension Digest256 {
    /// Takes the 32 bytes of a SHA-256 hash.
    package init(_ hash: SHA256.Digest) { self = hash.withUnsafeBytes { Digest256(exactly: $0) } }

    /// Takes the bytes of a key.
    ///
    /// - Precondition: The key has 256 bits.
    package init(_ key: SymmetricKey) { self = key.withUnsafeBytes { Digest256(exactly: $0) } }

    /// Makes 256 random bits from a cryptographically secure source.
    package init(randomFrom environment: Environment) {
        self = environment.randomBytes(32).withUnsafeBytes { Digest256(exactly: $0) }
    }

    /// Hashes the bytes with SHA-256 (FIPS 180-4).
    package init(sha256 bytes: [UInt8]) { self.init(SHA256.hash(data: bytes)) }

    /// Hashes the UTF-8 of a text with SHA-256.
    package init(sha256 text: some StringProtocol) { self.init(sha256: Array(text.utf8)) }

    /// Hashes the UTF-8 of a secret with SHA-256: how secrets of high entropy are stored.
    package init(sha256 secret: Secret) { self.init(sha256: secret.expose()) }

    /// Hashes a UUID's 16 bytes with SHA-256: how ids that clients hold are stored.
    package init(sha256 bits: UUIDBits) { self.init(sha256: bits.bytes) }
}
