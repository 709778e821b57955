import Crypto
import Foundation
import Fuzzing
import Testing

@testable import Passkeys

/// A seeded mutator against what reads attestations and metadata: whatever comes, it answers, and nothing that it takes
/// speaks for other data than was signed.
///
/// `FUZZ_INPUTS` is how many inputs each test makes (50,000; of the dear ones fewer), `FUZZ_SEED` where they begin; a
/// failure prints its input. `make fuzz` runs more of each.
struct AttestationFuzzTests {
    private static let tokens = [
        "", "\u{0}", "\u{0}\u{10}", "\u{0}\u{B}", "\u{4}\u{10}", "0\u{0}", "1\u{0}", "\u{5}\u{0}", "csig", "cver",
        "calg",
        "cx5c", "gpubArea", "hcertInfo", "{", "}", "[", "]", ",", ":", "\"", ".", "eyJ", "=", "\n",
    ]

    /// Changes inputs of the corpus; `take` says whether one was read.
    private func fuzz(
        _ corpus: [[UInt8]],
        _ seed: UInt64,
        count: Int = FuzzRun.inputs,
        atLeast: Int = 1,
        _ take: ([UInt8], Int) throws -> Bool
    ) throws {
        var random = Mutator(seed: FuzzRun.seed &+ seed, tokens: Self.tokens)
        var taken = 0
        for number in 0..<count {
            var bytes = random.pick(corpus)
            for _ in 0...random.below(4) { random.mutate(&bytes) }
            if try take(bytes, number) { taken += 1 }
        }
        #expect(taken >= atLeast && taken < count, "the mutator breaks some, and not all: \(taken)")
    }

    @Test func `a public area of a TPM that is read is whole`() throws {
        let modulus = [0x80] + [UInt8](repeating: 1, count: 255)
        let corpus = [TPMStatement().publicArea, TPMStatement.rsa(modulus: modulus)]
        try fuzz(corpus, 60) { bytes, number in
            guard TPMPublicArea(bytes) != nil else { return false }
            try #require(TPMPublicArea(bytes + [0]) == nil, "input \(number): \(bytes)")
            try #require(TPMPublicArea(Array(bytes.dropLast())) == nil, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `what a TPM certifies is read whole`() throws {
        try fuzz([TPMStatement().certInfo], 61) { bytes, number in
            guard TPMAttestedName(bytes)?.name != nil else { return false }
            try #require(TPMAttestedName(bytes + [0])?.name == nil, "input \(number): \(bytes)")
            try #require(TPMAttestedName(Array(bytes.dropLast()))?.name == nil, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `what Android says of a key is read whole`() throws {
        var odd = AndroidStatement()
        odd.software = AndroidStatement.AuthorizationList(purposes: [2], origin: 2, allApplications: true)
        let credential = TestCredential()
        let corpus = [try AndroidStatement().description(credential), try odd.description(credential)]
        try fuzz(corpus, 62) { bytes, number in
            guard AndroidKeyDescription(bytes[...]) != nil else { return false }
            try #require(AndroidKeyDescription((bytes + [0])[...]) == nil, "input \(number): \(bytes)")
            try #require(AndroidKeyDescription(bytes.dropLast()) == nil, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `a statement that was changed attests nothing but what was signed`() throws {
        let vectors = try AttestationVectors()
        let originals = try AttestationVectorTests.certified.map { try vectors.input($0.0) }
        let corpus = originals.map { CBORWriter.bytes(.map($0.statement.members)) }
        var random = Mutator(seed: FuzzRun.seed &+ 63, tokens: [])
        try fuzz(corpus, 63, count: FuzzRun.dearInputs(oneIn: 20)) { bytes, number in
            guard let members = try? CBORReader.read(bytes).mapping else { return false }
            // For the data that it was made for and for others, of the same format or another.
            let original = random.pick(originals)
            let input = AttestationInput(
                statement: AttestationStatement(format: original.statement.format, members: members),
                authenticatorData: original.authenticatorData,
                credential: original.credential,
                publicKey: original.publicKey,
                clientDataHash: original.clientDataHash,
                now: original.now
            )
            guard try vectors.format(of: original).fault(input) == nil else { return false }
            // Certificates are looked at elsewhere; all else is the original's, for the data that it was made for.
            for name in ["alg", "sig", "ver", "certInfo", "pubArea"] {
                let value = original.statement.members[name]
                try #require(members[name] == value, "input \(number), \(name): \(bytes)")
            }
            try #require(members.count == original.statement.members.count, "input \(number): \(bytes)")
            return true
        }
    }

    @Test func `metadata that was changed is not what was signed`() throws {
        var service = try MetadataService()
        service.entries = "[\(try MetadataModel().json())]"
        let blob = try service.blob()
        let signed = blob[..<(try #require(blob.lastIndex(of: UInt8(ascii: "."))))]
        // As it was signed it is read; of what was changed hardly any is, and none need be.
        _ = try MetadataSignature(blob).payload()
        try fuzz([blob], 64, count: FuzzRun.dearInputs(oneIn: 10), atLeast: 0) { bytes, number in
            guard (try? MetadataSignature(bytes).payload()) != nil else { return false }
            let text = String(decoding: bytes, as: UTF8.self)
            try #require(bytes.starts(with: signed), "input \(number): \(text)")
            return true
        }
    }
}
