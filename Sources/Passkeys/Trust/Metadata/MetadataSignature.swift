internal import Crypto
internal import CryptoExtras
internal import FoundationEssentials
internal import Kernel
internal import SwiftASN1
internal import X509

/// The compact JWS (RFC 7515 §7.1) of a BLOB (MDS3 §3.1.7), split into its parts.
struct MetadataSignature {
    /// The certificates in the header, the signer's first.
    let path: [Certificate]
    /// The most characters of the header; the service's has some ten thousand, most of them certificates.
    private static let maximumHeaderLength = 64 * 1024
    private let algorithm: String
    private let signed: [UInt8]
    private let signature: [UInt8]
    private let payloadPart: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws(MetadataError) {
        // Nothing is verified yet, so the bytes are not split into more parts than needed.
        let parts = bytes.split(separator: UInt8(ascii: "."), maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count <= Self.maximumHeaderLength, let header = Self.decode(parts[0]),
            let signature = Self.decode(parts[2].trimming { $0 == 0x0A || $0 == 0x0D }),
            case .object(let members)? = try? JSONReader.read(header)
        else { throw .malformed }
        guard ["crit", "x5u", "b64", "zip"].allSatisfy({ members[$0] == nil }) else { throw .header }
        guard case .string(let algorithm)? = members["alg"] else { throw .malformed }
        self.algorithm = algorithm
        self.signature = signature
        signed = Array(bytes[..<parts[1].endIndex])
        payloadPart = parts[1]
        path = try Self.certificates(members["x5c"])
    }

    /// Whether the first certificate is for `host`.
    ///
    /// The service's certificate has a root of the public web: without this check, every site under that root could
    /// sign.
    func isSigned(by host: String) -> Bool {
        guard let names = try? path.first?.extensions.subjectAlternativeNames else { return false }
        return names.contains { name in
            if case .dnsName(let name) = name { name.lowercased() == host } else { false }
        }
    }

    /// Returns the payload, after checking the signature by the first certificate's key.
    func payload() throws(MetadataError) -> JSONValue {
        guard let key = path.first?.publicKey else { throw .certificates }
        guard try verifies(key) else { throw .signature }
        guard let payload = Self.decode(payloadPart), let value = try? JSONReader.read(payload) else { throw .payload }
        return value
    }

    private func verifies(_ key: Certificate.PublicKey) throws(MetadataError) -> Bool {
        switch algorithm {
        case "RS256":
            guard let key = _RSA.Signing.PublicKey(key), let numbers = try? key.getKeyPrimitives(),
                !ROCAFingerprint.isPresent(in: numbers.modulus)
            else { throw .algorithm }
            let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
            return key.isValidSignature(signature, for: SHA256.hash(data: signed), padding: .insecurePKCS1v1_5)
        case "ES256":
            guard let key = P256.Signing.PublicKey(key) else { throw .algorithm }
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: SHA256.hash(data: signed))
        default:
            throw .algorithm
        }
    }

    /// Reads `x5c` (RFC 7515 §4.1.6): DER in base64 with padding.
    private static func certificates(_ value: JSONValue?) throws(MetadataError) -> [Certificate] {
        guard case .array(let elements)? = value, (1...CertificatePath.maximumCount).contains(elements.count) else {
            throw .certificates
        }
        var certificates: [Certificate] = []
        for element in elements {
            guard case .string(let text) = element, let der = Data(base64Encoded: text),
                let certificate = try? Certificate(derEncoded: Array(der))
            else { throw .certificates }
            certificates.append(certificate)
        }
        return certificates
    }

    private static func decode(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        String(validating: part, as: UTF8.self).flatMap { Base64URL.decode($0) }
    }
}
