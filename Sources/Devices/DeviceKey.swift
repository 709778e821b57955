import Crypto
import Kernel

/// The public key of a device: P-256, and in the device's keeping the private one that never leaves it.
package struct DeviceKey: Sendable, Equatable {
    /// The uncompressed point (SEC 1 §2.3.3), base64url.
    package let text: String

    /// From a stored one; `nil` for what is no point of the curve.
    package init?(text: String) {
        guard let bytes = Base64URL.decode(text), let key = try? P256.Signing.PublicKey(x963Representation: bytes)
        else {
            return nil
        }
        self.text = Base64URL.encode(key.x963Representation)
    }

    /// From SubjectPublicKeyInfo (RFC 5280 §4.1.2.7, RFC 5480 §2) in DER; `nil` for every other key.
    package init?(spki bytes: [UInt8]) {
        guard let key = try? P256.Signing.PublicKey(derRepresentation: bytes) else { return nil }
        text = Base64URL.encode(key.x963Representation)
    }

    /// Whether the key made that signature over the text: ECDSA with SHA-256 (FIPS 186-5 §6), DER or both numbers in 64
    /// bytes.
    func verifies(_ signature: [UInt8], over signed: String) -> Bool {
        guard let bytes = Base64URL.decode(text), let key = try? P256.Signing.PublicKey(x963Representation: bytes)
        else {
            return false
        }
        let parsed =
            signature.count == 64
            ? try? P256.Signing.ECDSASignature(rawRepresentation: signature)
            : try? P256.Signing.ECDSASignature(derRepresentation: signature)
        return parsed.map { key.isValidSignature($0, for: Array(signed.utf8)) } ?? false
    }
}

/// A device's signature about one start.
package struct DeviceKeyProof: Sendable, Equatable {
    /// The id that the client gave the device.
    package let name: String
    /// The code challenge of the start, base64url: who repeats the proof elsewhere can't collect what comes of it.
    package let codeChallenge: String
    /// Grows with every proof of the device, so that none is good twice; milliseconds since 1970 do.
    package let count: Int64
    package let signature: [UInt8]

    package init(name: String, codeChallenge: String, count: Int64, signature: [UInt8]) {
        self.name = name
        self.codeChallenge = codeChallenge
        self.count = count
        self.signature = signature
    }

    /// What the device signs, in UTF-8: lines that no other use of the key begins with.
    package func signed(client: String) -> String {
        "vestibule-login-start-v1\n\(client)\n\(name)\n\(codeChallenge)\n\(count)"
    }
}
