internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A private key that signs access tokens, with no textual form but its file.
enum SigningKey: Sendable {
    case es256(P256.Signing.PrivateKey)
    case edDSA(Curve25519.Signing.PrivateKey)

    /// A new key, from the operating system's randomness.
    static func generate(_ algorithm: SigningAlgorithm) -> SigningKey {
        switch algorithm {
        case .es256: .es256(P256.Signing.PrivateKey())
        case .edDSA: .edDSA(Curve25519.Signing.PrivateKey())
        }
    }

    /// Reads a PKCS#8 PEM file (RFC 7468 §10); `nil` if it is not a private key of that algorithm.
    init?(pem: String, algorithm: SigningAlgorithm) {
        switch algorithm {
        case .es256:
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else { return nil }
            self = .es256(key)
        case .edDSA:
            guard let key = Ed25519PrivateKeyFile.read(pem) else { return nil }
            self = .edDSA(key)
        }
    }

    /// The key as PKCS#8 PEM, for the key's file only.
    var pem: String {
        switch self {
        case .es256(let key): key.pemRepresentation + "\n"
        case .edDSA(let key): Ed25519PrivateKeyFile.write(key)
        }
    }

    var verificationKey: VerificationKey {
        switch self {
        case .es256(let key): .es256(key.publicKey)
        case .edDSA(let key): .edDSA(key.publicKey)
        }
    }

    /// The signature in the form that a JWS carries: 64 bytes for either algorithm.
    func signature(for message: [UInt8]) throws(SigningFault) -> [UInt8] {
        do {
            switch self {
            case .es256(let key): return try Array(key.signature(for: message).rawRepresentation)
            case .edDSA(let key): return try Array(key.signature(for: message))
            }
        } catch {
            throw .libraryRefused(cause: "\(error)")
        }
    }
}

/// Why a token could not be signed: never the caller's claims, always the machine underneath.
package enum SigningFault: Error, Equatable, Sendable {
    /// The cryptographic library failed (no memory, no randomness). `cause` is for the log.
    case libraryRefused(cause: String)
}
