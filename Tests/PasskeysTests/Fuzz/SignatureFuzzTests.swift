import Foundation
import Fuzzing
import Testing

@testable import Passkeys

/// A seeded mutator against public keys, and against signatures that have the form of their algorithm.
///
/// For any input, a key verifies its own signatures and nothing else.
@Suite(.timeLimit(.minutes(FuzzRun.minutes))) struct SignatureFuzzTests {
    /// A key with a signature of its own; one of each algorithm stands in Fixtures.
    private struct Signed: Decodable {
        let algorithm: Int64
        let key: String
        let message: String
        let signature: String
    }

    /// The key, the message and the signature of one verification.
    private struct Case: Equatable {
        var key: [UInt8]
        var message: [UInt8]
        var signature: [UInt8]
    }

    private static func cases() throws -> [Case] {
        let url = try #require(Bundle.module.url(forResource: "Fixtures/signatures", withExtension: "json"))
        return try JSONDecoder().decode([Signed].self, from: Data(contentsOf: url)).map { signed in
            Case(
                key: try #require([UInt8](hex: signed.key)),
                message: try #require([UInt8](hex: signed.message)),
                signature: try #require([UInt8](hex: signed.signature))
            )
        }
    }

    @Test func `there is a key of each algorithm, and its signature holds`() throws {
        let cases = try Self.cases()
        let algorithms = try cases.map { try COSEKey($0.key).algorithm }
        #expect(Set(algorithms) == Set(COSEAlgorithm.allCases))
        for signed in cases {
            #expect(try COSEKey(signed.key).verifies(signed.signature, over: signed.message))
        }
    }

    @Test func `a COSE key that is read has the algorithm it names, and verifies nothing that it didn't sign`()
        async throws
    {
        let cases = try Self.cases()
        let inputs = FuzzedInputs(seed: 51, tokens: ["", "\u{0}", "\u{1}", "\u{3}", " ", "!", "\"", "&", "8"])
        let make: (inout Mutator) -> (original: Case, changed: Case) = { random in
            let original = random.pick(cases)
            var changed = original
            // The check of a signature takes a hundred times what the reading of a key does: most inputs are other keys.
            switch random.below(64) {
            case 0: break
            case 1: Self.flip(&changed.signature, &random)
            case 2: changed.signature = FuzzedInputs.changed(changed.signature, by: &random)
            case 3: Self.flip(&changed.message, &random)
            // A signature of another key, of the same algorithm or not.
            case 4: changed.signature = random.pick(cases).signature
            default: for _ in 0...random.below(4) { random.mutate(&changed.key) }
            }
            return (original, changed)
        }
        var verified = 0
        try await inputs.make(make) { made, number in
            let (original, changed) = made
            guard let key = try? COSEKey(changed.key) else { return false }
            try #require(key.bytes == changed.key, "input \(number): \(changed)")
            let named = try CBORReader.read(changed.key).mapping?[3]?.integer
            try #require(named == key.algorithm.rawValue, "input \(number): \(changed)")
            let holds = key.verifies(changed.signature, over: changed.message)
            try #require(holds == (changed == original), "input \(number): \(changed)")
            if holds { verified += 1 }
            return true
        }
        #expect(verified > 0)
    }

    /// One bit, so that the form stays most of the time: the two numbers in DER of ECDSA, the length of the others.
    private static func flip(_ bytes: inout [UInt8], _ random: inout Mutator) {
        bytes[random.below(bytes.count)] ^= 1 << UInt8(random.below(8))
    }
}
