import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import Passkeys

/// The key pair of a credential: the software in a software authenticator.
struct CredentialKey: Sendable, CustomTestStringConvertible {
    let algorithm: COSEAlgorithm
    /// The COSE_Key.
    let parameters: CBORMap
    let sign: @Sendable ([UInt8]) throws -> [UInt8]

    var testDescription: String { "\(algorithm)" }
    var cose: [UInt8] { CBORWriter.bytes(.map(parameters)) }

    /// A new one; RSA keys are made once, because they take their time.
    static func make(_ algorithm: COSEAlgorithm) throws -> CredentialKey {
        switch algorithm {
        case .es256:
            let key = P256.Signing.PrivateKey()
            return ec(.es256, 1, Array(key.publicKey.rawRepresentation)) {
                Array(try key.signature(for: $0).derRepresentation)
            }
        case .es384:
            let key = P384.Signing.PrivateKey()
            return ec(.es384, 2, Array(key.publicKey.rawRepresentation)) {
                Array(try key.signature(for: $0).derRepresentation)
            }
        case .es512:
            let key = P521.Signing.PrivateKey()
            return ec(.es512, 3, Array(key.publicKey.rawRepresentation)) {
                Array(try key.signature(for: $0).derRepresentation)
            }
        case .edDSA:
            let key = Curve25519.Signing.PrivateKey()
            let parameters = CBORMap([
                (CBORValue(1), CBORValue(1)), (CBORValue(3), CBORValue(-8)), (CBORValue(-1), CBORValue(6)),
                (CBORValue(-2), .bytes(Array(key.publicKey.rawRepresentation))),
            ])
            return CredentialKey(algorithm: .edDSA, parameters: parameters) { Array(try key.signature(for: $0)) }
        case .rs256, .ps256: return try rsa(algorithm, SHA256.self)
        case .rs384, .ps384: return try rsa(algorithm, SHA384.self)
        case .rs512, .ps512: return try rsa(algorithm, SHA512.self)
        case .mlDSA65:
            let key = try MLDSA65.PrivateKey()
            return mlDSA(.mlDSA65, Array(key.publicKey.rawRepresentation)) { Array(try key.signature(for: $0)) }
        case .mlDSA87:
            let key = try MLDSA87.PrivateKey()
            return mlDSA(.mlDSA87, Array(key.publicKey.rawRepresentation)) { Array(try key.signature(for: $0)) }
        }
    }

    private static func mlDSA(
        _ algorithm: COSEAlgorithm,
        _ publicKey: [UInt8],
        _ sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) -> CredentialKey {
        let parameters = CBORMap([
            (CBORValue(1), CBORValue(7)), (CBORValue(3), CBORValue(algorithm.rawValue)),
            (CBORValue(-1), .bytes(publicKey)),
        ])
        return CredentialKey(algorithm: algorithm, parameters: parameters, sign: sign)
    }

    private static func ec(
        _ algorithm: COSEAlgorithm,
        _ curve: Int64,
        _ point: [UInt8],
        _ sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) -> CredentialKey {
        let parameters = CBORMap([
            (CBORValue(1), CBORValue(2)), (CBORValue(3), CBORValue(algorithm.rawValue)),
            (CBORValue(-1), CBORValue(curve)), (CBORValue(-2), .bytes(Array(point.prefix(point.count / 2)))),
            (CBORValue(-3), .bytes(Array(point.suffix(point.count / 2)))),
        ])
        return CredentialKey(algorithm: algorithm, parameters: parameters, sign: sign)
    }

    private static let rsaKey = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    private static func rsa<Hash: HashFunction>(_ algorithm: COSEAlgorithm, _ hash: Hash.Type) throws -> CredentialKey {
        let key = try rsaKey.get()
        let numbers = try key.publicKey.getKeyPrimitives()
        let parameters = CBORMap([
            (CBORValue(1), CBORValue(3)), (CBORValue(3), CBORValue(algorithm.rawValue)),
            (CBORValue(-1), .bytes(Array(numbers.modulus))), (CBORValue(-2), .bytes(Array(numbers.publicExponent))),
        ])
        return CredentialKey(algorithm: algorithm, parameters: parameters) {
            let digest = Hash.hash(data: $0)
            let isPSS = [.ps256, .ps384, .ps512].contains(algorithm)
            let padding: _RSA.Signing.Padding = isPSS ? .PSS : .insecurePKCS1v1_5
            return Array(try key.signature(for: digest, padding: padding).rawRepresentation)
        }
    }
}
