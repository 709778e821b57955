package import Crypto
internal import FoundationEssentials

/// The public key of a credential (RFC 9052 §7, WebAuthn L3 §6.5.1.1), checked and ready to verify with.
///
/// Parsing costs about a tenth of verifying a signature. The exception is an Ed25519 key from a client: checking its
/// point costs more than a verification.
package struct COSEKey: Sendable {
    /// The key material for verification.
    package enum Material: Sendable {
        case p256(P256.Signing.PublicKey)
        case p384(P384.Signing.PublicKey)
        case p521(P521.Signing.PublicKey)
        case ed25519(Curve25519.Signing.PublicKey)
        case rsa(RSAPublicKey)
        case mlDSA65(MLDSA65.PublicKey)
        case mlDSA87(MLDSA87.PublicKey)
    }

    package let algorithm: COSEAlgorithm
    /// The COSE_Key, as it was sent and is stored.
    package let bytes: [UInt8]
    package let material: Material

    /// Reads exactly one COSE_Key.
    package init(_ bytes: [UInt8]) throws(COSEKeyError) {
        try self.init(try Self.map(bytes), bytes: bytes)
    }

    /// Creates a key from a parsed map.
    ///
    /// `bytes`: the encoding of the map.
    package init(_ map: CBORMap, bytes: [UInt8]) throws(COSEKeyError) {
        try self.init(map, bytes: bytes, source: .client)
    }

    /// Reads the ``bytes`` of a stored key, which was checked at its registration; only Storage may call this, as
    /// `scripts/check-architecture.sh` ensures.
    ///
    /// The check that an Ed25519 key is a point of the curve, and not of small order, is not repeated. It costs twice
    /// as much as verifying a signature. Everything else is checked, so that damaged or mixed-up rows are errors.
    package init(stored bytes: [UInt8]) throws(COSEKeyError) {
        try self.init(try Self.map(bytes), bytes: bytes, source: .store)
    }

    private init(_ map: CBORMap, bytes: [UInt8], source: COSEParameters.Source) throws(COSEKeyError) {
        algorithm = try COSEParameters.algorithm(of: map)
        material = try COSEParameters(map, from: source).material(for: algorithm)
        self.bytes = bytes
    }

    private static func map(_ bytes: [UInt8]) throws(COSEKeyError) -> CBORMap {
        let value: CBORValue
        do throws(CBORError) { value = try CBORReader.read(bytes) } catch { throw .notCBOR(error) }
        guard let map = value.mapping else { throw .malformed }
        return map
    }

    /// Whether the key made `signature` over `first` with `second` behind it.
    ///
    /// WebAuthn signs authenticator data and a hash. Where the algorithm hashes first, both are hashed without being
    /// joined. ECDSA signatures are in DER (WebAuthn L3 §6.5.5), with the hash of the algorithm.
    package func verifies(_ signature: [UInt8], over first: [UInt8], _ second: [UInt8] = []) -> Bool {
        switch material {
        case .p256(let key):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.digest(first, second))
        case .p384(let key):
            guard let signature = try? P384.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA384.digest(first, second))
        case .p521(let key):
            guard let signature = try? P521.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA512.digest(first, second))
        case .ed25519(let key):
            return signature.count == 64 && key.isValidSignature(signature, for: first + second)
        case .rsa(let key):
            guard let scheme = algorithm.rsa else { return false }
            return key.verifies(signature, by: scheme, over: first, second)
        // ML-DSA signs the message itself, without a context (RFC 9964 §2); the lengths are FIPS 204's (table 2).
        case .mlDSA65(let key):
            return signature.count == 3309 && key.isValidSignature(signature, for: first + second)
        case .mlDSA87(let key):
            return signature.count == 4627 && key.isValidSignature(signature, for: first + second)
        }
    }
}

extension COSEKey {
    /// The uncompressed point (SEC 1 §2.3.3) of a key on a NIST curve; `nil` for other keys.
    package var point: [UInt8]? {
        switch material {
        case .p256(let key): Array(key.x963Representation)
        case .p384(let key): Array(key.x963Representation)
        case .p521(let key): Array(key.x963Representation)
        case .ed25519, .rsa, .mlDSA65, .mlDSA87: nil
        }
    }

    /// The key as SubjectPublicKeyInfo in DER (RFC 5280 §4.1.2.7), as in certificates; `nil` for Ed25519 and ML-DSA
    /// keys.
    package var subjectPublicKeyInfo: [UInt8]? {
        switch material {
        case .p256(let key): Array(key.derRepresentation)
        case .p384(let key): Array(key.derRepresentation)
        case .p521(let key): Array(key.derRepresentation)
        case .rsa(let key): key.subjectPublicKeyInfo
        case .ed25519, .mlDSA65, .mlDSA87: nil
        }
    }
}

extension COSEKey: Equatable {
    package static func == (left: COSEKey, right: COSEKey) -> Bool { left.bytes == right.bytes }
}
