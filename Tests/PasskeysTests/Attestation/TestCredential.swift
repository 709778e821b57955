import Crypto
import Foundation
import Kernel

@testable import Passkeys

/// A new credential as an authenticator of a test makes it, and what it is attested with.
struct TestCredential {
    let key: P256.Signing.PrivateKey
    let publicKeyBytes: [UInt8]
    let aaguid: [UInt8]
    let id: [UInt8]
    let clientDataHash = Array(SHA256.hash(data: Array("client data".utf8)))

    init(aaguid: [UInt8] = Array(1...16), id: [UInt8] = Array(repeating: 7, count: 32)) {
        let key = P256.Signing.PrivateKey()
        self.init(key: key, publicKeyBytes: Self.cose(key.publicKey), aaguid: aaguid, id: id)
    }

    /// With a public key of another kind; ``key`` is not its.
    init(publicKeyBytes: [UInt8]) {
        self.init(
            key: P256.Signing.PrivateKey(),
            publicKeyBytes: publicKeyBytes,
            aaguid: Array(1...16),
            id: Array(repeating: 7, count: 32)
        )
    }

    /// The same credential, as another model would have it.
    init(key: P256.Signing.PrivateKey, aaguid: [UInt8]) {
        self.init(
            key: key,
            publicKeyBytes: Self.cose(key.publicKey),
            aaguid: aaguid,
            id: Array(repeating: 7, count: 32)
        )
    }

    private init(key: P256.Signing.PrivateKey, publicKeyBytes: [UInt8], aaguid: [UInt8], id: [UInt8]) {
        self.key = key
        self.publicKeyBytes = publicKeyBytes
        self.aaguid = aaguid
        self.id = id
    }

    var rpIDHash: [UInt8] { Array(SHA256.hash(data: Array("example.com".utf8))) }

    var authenticatorData: [UInt8] {
        let length = [UInt8(id.count >> 8), UInt8(id.count & 0xFF)]
        return rpIDHash + [0x41, 0, 0, 0, 0] + aaguid + length + id + publicKeyBytes
    }

    var signedBytes: [UInt8] { authenticatorData + clientDataHash }

    /// The statement with all that its format's verification is given.
    func input(_ format: String, _ members: [String: CBORValue]) throws -> AttestationInput {
        let data = try AuthenticatorData(authenticatorData)
        guard let credential = data.credential else { throw AuthenticatorDataError.truncated }
        let entries = members.map { CBORMap.Entry(key: .text($0.key), value: $0.value) }
        return AttestationInput(
            statement: AttestationStatement(format: format, members: CBORMap(entries)),
            authenticatorData: data,
            credential: credential,
            publicKey: try COSEKey(publicKeyBytes),
            clientDataHash: clientDataHash,
            now: .test("2026-11-22")
        )
    }

    /// EC2, ES256, P-256 (RFC 9053 §7.1.1).
    static func cose(_ key: P256.Signing.PublicKey) -> [UInt8] {
        let point = Array(key.rawRepresentation)
        return [0xA5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20] + point[..<32] + [0x22, 0x58, 0x20]
            + point[32...]
    }

    /// EC2, ES384, P-384.
    static func cose(_ key: P384.Signing.PublicKey) -> [UInt8] {
        let point = Array(key.rawRepresentation)
        return [0xA5, 0x01, 0x02, 0x03, 0x38, 0x22, 0x20, 0x02, 0x21, 0x58, 0x30] + point[..<48]
            + [0x22, 0x58, 0x30] + point[48...]
    }

    /// RSA, RS256, with the exponent 65537 (RFC 8230 §4).
    static func cose(modulus: [UInt8]) -> [UInt8] {
        let length = [UInt8(modulus.count >> 8), UInt8(modulus.count & 0xFF)]
        return [0xA4, 0x01, 0x03, 0x03, 0x39, 0x01, 0x00, 0x20, 0x59] + length + modulus
            + [0x21, 0x43, 0x01, 0x00, 0x01]
    }
}

extension P256.Signing.PrivateKey {
    /// In DER, as attestations have it.
    func sign(_ message: [UInt8]) throws -> CBORValue {
        .bytes(Array(try signature(for: message).derRepresentation))
    }
}

extension AttestationFormat {
    /// Why the statement is refused; `nil` if it isn't.
    func fault(_ input: AttestationInput) -> AttestationError? {
        do throws(AttestationError) {
            _ = try verify(input)
            return nil
        } catch { return error }
    }
}
