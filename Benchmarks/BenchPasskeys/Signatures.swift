import Crypto

/// The divisor of ceremonies: signatures alone, over as many bytes as an assertion's.
enum Signatures {
    /// Each reads key and signature from their bytes, hashes what is signed, and verifies.
    static func verifications() throws -> [Verification] {
        [
            try verification("raw-es256") { Signer.es256() }, try kept(),
            try verification("raw-ed25519") { Signer.ed25519() }, try verification("raw-rs256") { try Signer.rs256() },
        ]
    }

    private struct Signed: Sendable {
        let signer: Signer
        var bytes: [UInt8]
        let signature: [UInt8]

        init(_ signer: Signer) throws {
            self.signer = signer
            // Authenticator data and a hash.
            bytes = (0..<69).map { _ in .random(in: 0...255) }
            signature = try signer.sign(bytes)
        }
    }

    private static func verification(_ name: String, _ make: () throws -> Signer) throws -> Verification {
        let inputs = try (0..<Sample.count).map { _ in try Signed(try make()) }
        var wrong = inputs[0]
        wrong.bytes[0] ^= 1
        return Verification(name, inputs, wrong: wrong) { try $0.signer.verifies($0.signature, $0.bytes) }
    }

    /// ES256 with keys that were read before.
    private static func kept() throws -> Verification {
        let inputs = try (0..<Sample.count).map { _ in
            let key = P256.Signing.PrivateKey()
            let bytes: [UInt8] = (0..<69).map { _ in .random(in: 0...255) }
            return (key.publicKey, bytes, Array(try key.signature(for: bytes).derRepresentation))
        }
        let wrong = (inputs[0].0, inputs[0].1 + [0], inputs[0].2)
        return Verification("raw-es256-key-kept", inputs, wrong: wrong) { key, bytes, signature in
            try key.isValidSignature(P256.Signing.ECDSASignature(derRepresentation: signature), for: bytes)
        }
    }
}
