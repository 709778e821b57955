import Crypto
import Foundation
import Fuzzing
import Testing
import X509

@testable import Passkeys

/// A seeded mutator against what reads attestations and metadata: whatever comes, it answers, and nothing that it takes
/// speaks for other data than was signed.
///
/// `FUZZ_INPUTS` is how many inputs each test makes (50,000; of the dear ones fewer), `FUZZ_SEED` where they begin; a
/// failure prints its input. `make fuzz` runs ten million of each.
@Suite(.timeLimit(.minutes(FuzzRun.minutes))) struct AttestationFuzzTests {
    private static let tokens = [
        "", "\u{0}", "\u{0}\u{10}", "\u{0}\u{B}", "\u{4}\u{10}", "0\u{0}", "1\u{0}", "\u{5}\u{0}", "csig", "cver",
        "calg", "cx5c", "gpubArea", "hcertInfo", "{", "}", "[", "]", ",", ":", "\"", ".", "eyJ", "=", "\n",
    ]

    private func fuzz(
        _ corpus: [[UInt8]],
        _ seed: UInt64,
        count: Int = FuzzRun.inputs,
        in test: String = #function,
        _ take: ([UInt8], Int) async throws -> Bool
    ) async throws {
        try await FuzzedInputs(seed: seed, tokens: Self.tokens, count: count).change(corpus, in: test, take)
    }

    @Test func `a public area of a TPM that is read is whole`() async throws {
        let modulus = [0x80] + [UInt8](repeating: 1, count: 255)
        let corpus = [TPMStatement().publicArea, TPMStatement.rsa(modulus: modulus)]
        try await fuzz(corpus, 60) { bytes, number in
            guard TPMPublicArea(bytes) != nil else { return false }
            try #require(TPMPublicArea(bytes + [0]) == nil, "input \(number): \(bytes)")
            try #require(TPMPublicArea(Array(bytes.dropLast())) == nil, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `a TPM's certification is read whole`() async throws {
        try await fuzz([TPMStatement().certInfo], 61) { bytes, number in
            guard TPMAttestedName(bytes)?.name != nil else { return false }
            try #require(TPMAttestedName(bytes + [0])?.name == nil, "input \(number): \(bytes)")
            try #require(TPMAttestedName(Array(bytes.dropLast()))?.name == nil, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `Android's description of a key is read whole`() async throws {
        var odd = AndroidStatement()
        odd.software = AndroidStatement.AuthorizationList(purposes: [2], origin: 2, allApplications: true)
        let credential = TestCredential()
        let corpus = [try AndroidStatement().description(credential), try odd.description(credential)]
        try await fuzz(corpus, 62) { bytes, number in
            guard AndroidKeyDescription(bytes[...]) != nil else { return false }
            try #require(AndroidKeyDescription((bytes + [0])[...]) == nil, "input \(number): \(bytes)")
            try #require(AndroidKeyDescription(bytes.dropLast()) == nil, "input \(number): \(bytes)")
            return true
        }
    }

    /// The attestation of a vector: the data, and the certificates behind it.
    private struct Original {
        let input: AttestationInput
        let result: AttestationResult
        let leaf: Certificate
    }

    @Test func `a changed statement attests nothing but the signed data`() async throws {
        let vectors = try AttestationVectors()
        let originals = try AttestationVectorTests.certified.map { id, _ in
            let input = try vectors.input(id)
            let result = try vectors.format(of: input).verify(input)
            return Original(input: input, result: result, leaf: try #require(result.trustPath.first))
        }
        let trust = AttestationTrust(anchors: try vectors.anchors())
        let inputs = FuzzedInputs(seed: 63, tokens: Self.tokens, count: FuzzRun.dearInputs(oneIn: 20))
        let make: (inout Mutator) -> (Original, [UInt8]) = { random in
            let original = random.pick(originals)
            // Of these data, or one time in eight of others, of the same format or another.
            let source = random.below(8) > 0 ? original : random.pick(originals)
            let bytes = CBORWriter.bytes(.map(source.input.statement.members))
            return (original, FuzzedInputs.changed(bytes, by: &random))
        }
        try await inputs.make(make) { made, number in
            let (original, bytes) = made
            guard let members = try? CBORReader.read(bytes).mapping else { return false }
            let input = original.input.saying(members)
            guard let result = try? vectors.format(of: input).verify(input) else { return false }
            // The members that the leaf's key signed are the original's, and so is that key.
            for name in ["alg", "sig", "ver", "certInfo", "pubArea"] {
                let value = original.input.statement.members[name]
                try #require(members[name] == value, "input \(number), \(name): \(bytes)")
            }
            try #require(members.count == original.input.statement.members.count, "input \(number): \(bytes)")
            let leaf = try #require(result.trustPath.first)
            try #require(leaf.publicKey == original.leaf.publicKey, "input \(number): \(bytes)")
            try #require(result.model == original.result.model, "input \(number): \(bytes)")
            // The certificate around it is trusted with what its issuer signed alone. The form of the signature is not
            // signed: the library takes one that says of its last bit, a zero, that it doesn't count.
            let format = input.statement.format
            let (path, model) = (result.trustPath, result.model)
            guard (try? await trust.assess(path, format: format, model: model, at: input.now)) != nil else {
                return false
            }
            let (ours, issued) = (leaf.tbsCertificateBytes, original.leaf.tbsCertificateBytes)
            try #require(ours == issued, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `changed metadata does not match its signature`() async throws {
        var service = try MetadataService()
        service.entries = "[\(try MetadataModel().json())]"
        let blob = try service.blob()
        let signed = blob[..<(try #require(blob.lastIndex(of: UInt8(ascii: "."))))]
        try await fuzz([blob], 64, count: FuzzRun.dearInputs(oneIn: 10)) { bytes, number in
            guard (try? MetadataSignature(bytes).payload()) != nil else { return false }
            let text = String(decoding: bytes, as: UTF8.self)
            try #require(bytes.starts(with: signed), "input \(number): \(text)")
            return true
        }
    }
}

extension AttestationInput {
    /// The same with another statement of its format.
    fileprivate func saying(_ members: CBORMap) -> AttestationInput {
        AttestationInput(
            statement: AttestationStatement(format: statement.format, members: members),
            authenticatorData: authenticatorData,
            credential: credential,
            publicKey: publicKey,
            clientDataHash: clientDataHash,
            now: now
        )
    }
}
