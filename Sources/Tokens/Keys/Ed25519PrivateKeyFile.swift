internal import Crypto

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// The PKCS#8 PEM of an Ed25519 key (RFC 8410 §7): a constant prefix, then the 32 bytes of the seed.
///
/// swift-crypto writes PEM only for the NIST curves. This is the version 0 structure without attributes, which every
/// tool writes. So `openssl pkey` reads the file, and a key file that it made can replace it.
enum Ed25519PrivateKeyFile {
    static func write(_ key: Curve25519.Signing.PrivateKey) -> String {
        let body = (Data(prefix) + key.rawRepresentation).base64EncodedString()
        return "\(opening)\n\(body)\n\(closing)\n"
    }

    static func read(_ pem: String) -> Curve25519.Signing.PrivateKey? {
        let lines = pem.split(whereSeparator: \.isNewline)
        guard lines.count == 3, lines[0] == opening, lines[2] == closing,
            let document = Data(base64Encoded: String(lines[1])), document.count == prefix.count + 32,
            document.starts(with: prefix)
        else { return nil }
        return try? Curve25519.Signing.PrivateKey(rawRepresentation: document.suffix(32))
    }

    private static let opening = "-----BEGIN PRIVATE KEY-----"
    private static let closing = "-----END PRIVATE KEY-----"

    /// SEQUENCE { INTEGER 0, SEQUENCE { OID 1.3.101.112 }, OCTET STRING { OCTET STRING of 32 bytes } }.
    private static let prefix: [UInt8] = [
        0x30, 0x2E, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20,
    ]
}
