package import Crypto
import CryptoExtras
import Foundation

/// The key pair of a passkey, for any supported algorithm.
package struct PasskeyKeyPair: Sendable {
    /// The algorithms by their numbers in the IANA registry of COSE.
    package enum Algorithm: Int, Sendable, CaseIterable {
        case es256 = -7
        case edDSA = -8
        case es384 = -35
        case es512 = -36
        case ps256 = -37
        case ps384 = -38
        case ps512 = -39
        case mlDSA65 = -49
        case mlDSA87 = -50
        case rs256 = -257
        case rs384 = -258
        case rs512 = -259
    }

    package let algorithm: Algorithm
    /// The public key as a COSE_Key.
    package let coseKey: [UInt8]
    package let sign: @Sendable ([UInt8]) throws -> [UInt8]

    private init(
        _ algorithm: Algorithm,
        keyType: Int,
        _ parameters: [(label: Int, value: [UInt8])],
        sign: @escaping @Sendable ([UInt8]) throws -> [UInt8]
    ) {
        self.algorithm = algorithm
        coseKey = CBOR.map(
            [(CBOR.number(1), CBOR.number(keyType)), (CBOR.number(3), CBOR.number(algorithm.rawValue))]
                + parameters.map { (CBOR.number($0.label), $0.value) }
        )
        self.sign = sign
    }

    /// Creates a key pair for ES256 on P-256 (EC2, RFC 9053 §7.1.1), which signs in DER, as WebAuthn requires.
    package init(_ key: P256.Signing.PrivateKey) {
        self.init(.es256, keyType: 2, Self.point(1, Array(key.publicKey.rawRepresentation))) {
            Array(try key.signature(for: $0).derRepresentation)
        }
    }

    /// Makes a new key pair.
    package static func make(_ algorithm: Algorithm) throws -> PasskeyKeyPair {
        switch algorithm {
        case .es256:
            return PasskeyKeyPair(P256.Signing.PrivateKey())
        case .es384:
            let key = P384.Signing.PrivateKey()
            return PasskeyKeyPair(.es384, keyType: 2, point(2, Array(key.publicKey.rawRepresentation))) {
                Array(try key.signature(for: $0).derRepresentation)
            }
        case .es512:
            let key = P521.Signing.PrivateKey()
            return PasskeyKeyPair(.es512, keyType: 2, point(3, Array(key.publicKey.rawRepresentation))) {
                Array(try key.signature(for: $0).derRepresentation)
            }
        case .edDSA:
            let key = Curve25519.Signing.PrivateKey()
            let x = CBOR.bytes(Array(key.publicKey.rawRepresentation))
            return PasskeyKeyPair(.edDSA, keyType: 1, [(-1, CBOR.number(6)), (-2, x)]) {
                Array(try key.signature(for: $0))
            }
        case .mlDSA65:
            let key = try MLDSA65.PrivateKey()
            let bytes = CBOR.bytes(Array(key.publicKey.rawRepresentation))
            return PasskeyKeyPair(.mlDSA65, keyType: 7, [(-1, bytes)]) { Array(try key.signature(for: $0)) }
        case .mlDSA87:
            let key = try MLDSA87.PrivateKey()
            let bytes = CBOR.bytes(Array(key.publicKey.rawRepresentation))
            return PasskeyKeyPair(.mlDSA87, keyType: 7, [(-1, bytes)]) { Array(try key.signature(for: $0)) }
        case .rs256, .ps256: return try rsa(algorithm, SHA256.self)
        case .rs384, .ps384: return try rsa(algorithm, SHA384.self)
        case .rs512, .ps512: return try rsa(algorithm, SHA512.self)
        }
    }

    /// Returns the parameters for the curve and the coordinates of a point (RFC 9053 §7.1.1).
    private static func point(_ curve: Int, _ bytes: [UInt8]) -> [(label: Int, value: [UInt8])] {
        let (x, y) = (Array(bytes.prefix(bytes.count / 2)), Array(bytes.suffix(bytes.count / 2)))
        return [(-1, CBOR.number(curve)), (-2, CBOR.bytes(x)), (-3, CBOR.bytes(y))]
    }

    /// Makes an RSA key pair of 2048 bits (RFC 8230 §4).
    private static func rsa<Hash: HashFunction>(_ algorithm: Algorithm, _ hash: Hash.Type) throws -> PasskeyKeyPair {
        let key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let numbers = try key.publicKey.getKeyPrimitives()
        let isPSS = [.ps256, .ps384, .ps512].contains(algorithm)
        let parameters: [(label: Int, value: [UInt8])] = [
            (-1, CBOR.bytes(Array(numbers.modulus))), (-2, CBOR.bytes(Array(numbers.publicExponent))),
        ]
        return PasskeyKeyPair(algorithm, keyType: 3, parameters) {
            let digest = Hash.hash(data: $0)
            return Array(try key.signature(for: digest, padding: isPSS ? .PSS : .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}
