internal import Crypto
internal import CryptoExtras
internal import TokenReading

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A private key that signs access tokens.
///
/// Its only textual form is its file.
enum SigningKey: Sendable {
    case es256(P256.Signing.PrivateKey)
    case edDSA(Curve25519.Signing.PrivateKey)
    case rs256(RSASigningKey)

    /// Returns a new key from the operating system's randomness.
    ///
    /// Creating an RSA key takes up to a second.
    ///
    /// Its id (the thumbprint, RFC 7638) never begins with a hyphen, because a command would take such an id for an
    /// option.
    static func generate(_ algorithm: SigningAlgorithm) throws(SigningError) -> SigningKey {
        while true {
            let key = try random(algorithm)
            if !key.verificationKey.thumbprint.text.hasPrefix("-") { return key }
        }
    }

    private static func random(_ algorithm: SigningAlgorithm) throws(SigningError) -> SigningKey {
        switch algorithm {
        case .es256: .es256(P256.Signing.PrivateKey())
        case .edDSA: .edDSA(Curve25519.Signing.PrivateKey())
        case .rs256: .rs256(try RSASigningKey.generate())
        }
    }

    /// Reads a PKCS#8 PEM file (RFC 7468 §10); returns `nil` if it is not a private key of that algorithm.
    init?(pem: String, algorithm: SigningAlgorithm) {
        switch algorithm {
        case .es256:
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
            self = .es256(key)
        case .edDSA:
            guard let key = Ed25519PrivateKeyFile.read(pem) else { return nil }
            self = .edDSA(key)
        case .rs256:
            guard let key = (try? _RSA.Signing.PrivateKey(pemRepresentation: pem)).flatMap(RSASigningKey.init) else {
                return nil
            }
            self = .rs256(key)
        }
    }

    /// The key as PKCS#8 PEM.
    ///
    /// Use it only to write the key's file.
    var pem: String {
        switch self {
        case .es256(let key): key.pemRepresentation + "\n"
        case .edDSA(let key): Ed25519PrivateKeyFile.write(key)
        case .rs256(let key): key.pem
        }
    }

    var verificationKey: VerificationKey {
        switch self {
        case .es256(let key): .es256(key.publicKey)
        case .edDSA(let key): .edDSA(key.publicKey)
        case .rs256(let key): .rs256(key.publicKey)
        }
    }

    /// Returns the signature in the form of a JWS: 64 bytes, or 256 with RSA.
    func signature(for message: [UInt8]) throws(SigningError) -> [UInt8] {
        do {
            switch self {
            case .es256(let key): return try Array(key.signature(for: message).rawRepresentation)
            case .edDSA(let key): return try Array(key.signature(for: message))
            case .rs256(let key): return try key.signature(for: message)
            }
        } catch {
            throw .libraryRefused(cause: "\(error)")
        }
    }
}

/// An RSA private key with its public half, which the library returns only by a call that may fail.
struct RSASigningKey: Sendable {
    let publicKey: RSAVerificationKey
    private let key: _RSA.Signing.PrivateKey

    init?(_ key: _RSA.Signing.PrivateKey) {
        guard let publicKey = RSAVerificationKey(key.publicKey) else { return nil }
        self.key = key
        self.publicKey = publicKey
    }

    static func generate() throws(SigningError) -> RSASigningKey {
        let made: RSASigningKey?
        do { made = RSASigningKey(try _RSA.Signing.PrivateKey(keySize: .bits2048)) } catch {
            throw .libraryRefused(cause: "\(error)")
        }
        guard let made else { throw .libraryRefused(cause: "a key of another size than was asked for") }
        return made
    }

    var pem: String { key.pkcs8PEMRepresentation }

    func signature(for message: [UInt8]) throws -> [UInt8] {
        Array(try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation)
    }
}

/// The reason why a token could not be signed.
///
/// It never depends on the claims.
package enum SigningError: Error, Equatable, Sendable {
    /// The cryptographic library failed, for lack of memory or randomness. `cause` is for the log.
    case libraryRefused(cause: String)
    /// The keys for that algorithm are still being created.
    case keyNotReady
}
