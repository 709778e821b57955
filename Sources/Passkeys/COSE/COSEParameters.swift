internal import Crypto
internal import FoundationEssentials

/// The parameters of a COSE_Key, which must be exactly those of its type and algorithm (WebAuthn L3 §6.5.1.1).
struct COSEParameters {
    /// The origin of a key.
    enum Source {
        case client
        /// The database, whose keys were checked at their registration.
        case store
    }

    private let map: CBORMap
    private let source: Source
    private let keyType: Int64

    /// The labels of RFC 9052 §7.1, RFC 9053 §7, RFC 8230 §4 and RFC 9964 §3.
    private enum Label {
        static let keyType: Int64 = 1
        static let algorithm: Int64 = 3
        static let curve: Int64 = -1
        static let x: Int64 = -2
        static let y: Int64 = -3
        static let modulus: Int64 = -1
        static let exponent: Int64 = -2
        static let publicKey: Int64 = -1
    }

    private enum KeyType {
        static let okp: Int64 = 1
        static let ec2: Int64 = 2
        static let rsa: Int64 = 3
        /// AKP, whose algorithm alone defines the key.
        static let algorithmKeyPair: Int64 = 7
    }

    init(_ map: CBORMap, from source: Source) throws(COSEKeyError) {
        guard let keyType = map[Label.keyType]?.integer else { throw .malformed }
        self.map = map
        self.source = source
        self.keyType = keyType
    }

    /// Returns the algorithm that a COSE_Key names, without checking the rest.
    static func algorithm(of map: CBORMap) throws(COSEKeyError) -> COSEAlgorithm {
        guard let number = map[Label.algorithm]?.integer else { throw .malformed }
        guard let algorithm = COSEAlgorithm(rawValue: number) else { throw .unsupportedAlgorithm(number) }
        return algorithm
    }

    func material(for algorithm: COSEAlgorithm) throws(COSEKeyError) -> COSEKey.Material {
        switch algorithm {
        case .es256:
            let point = try point(curve: 1, coordinate: 32)
            guard let key = try? P256.Signing.PublicKey(x963Representation: point) else { throw .notOnCurve }
            return .p256(key)
        case .es384:
            let point = try point(curve: 2, coordinate: 48)
            guard let key = try? P384.Signing.PublicKey(x963Representation: point) else { throw .notOnCurve }
            return .p384(key)
        case .es512:
            let point = try point(curve: 3, coordinate: 66)
            guard let key = try? P521.Signing.PublicKey(x963Representation: point) else { throw .notOnCurve }
            return .p521(key)
        case .edDSA:
            return .ed25519(try ed25519())
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512:
            guard keyType == KeyType.rsa else { throw .mismatch }
            return .rsa(
                try RSAPublicKey(modulus: try bytes(Label.modulus, of: 4), exponent: try bytes(Label.exponent, of: 4))
            )
        case .mlDSA65:
            let bytes = try mlDSA(length: 1952)
            guard let key = try? MLDSA65.PublicKey(rawRepresentation: bytes) else { throw .keyLength }
            return .mlDSA65(key)
        case .mlDSA87:
            let bytes = try mlDSA(length: 2592)
            guard let key = try? MLDSA87.PublicKey(rawRepresentation: bytes) else { throw .keyLength }
            return .mlDSA87(key)
        }
    }

    /// Returns the bytes of an ML-DSA key, which allows no other parameter: the private key (-2) must not be sent.
    private func mlDSA(length: Int) throws(COSEKeyError) -> [UInt8] {
        guard keyType == KeyType.algorithmKeyPair else { throw .mismatch }
        let bytes = try bytes(Label.publicKey, of: 3)
        guard bytes.count == length else { throw .keyLength }
        return bytes
    }

    /// Returns the uncompressed point of an EC2 key; a compressed one (`y` is only a sign) is refused, as in WebAuthn.
    private func point(curve: Int64, coordinate length: Int) throws(COSEKeyError) -> [UInt8] {
        guard keyType == KeyType.ec2, map[Label.curve]?.integer == curve else { throw .mismatch }
        let x = try bytes(Label.x, of: 5)
        let y = try bytes(Label.y, of: 5)
        guard x.count == length, y.count == length else { throw .notOnCurve }
        return [4] + x + y
    }

    private func ed25519() throws(COSEKeyError) -> Curve25519.Signing.PublicKey {
        guard keyType == KeyType.okp, map[Label.curve]?.integer == 6 else { throw .mismatch }
        let x = try bytes(Label.x, of: 4)
        guard source == .store || Ed25519Point.isGood(x),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: x)
        else { throw .notOnCurve }
        return key
    }

    /// Returns the bytes of a parameter of a map that must have `count` parameters.
    private func bytes(_ label: Int64, of count: Int) throws(COSEKeyError) -> [UInt8] {
        guard map.count == count, let bytes = map[label]?.byteString else { throw .malformed }
        return bytes
    }
}
