import Kernel
import MemoryStore
import Operations
import Testing

/// What ids and tickets tell an outsider.
struct StartIDsTests {
    private static let count = 1000

    /// The bits of an id and a ticket, most significant first.
    private struct Sample {
        let bits: [Bool]
        /// The ten bits that hide the bucket in the id.
        let hiddenBucket: UInt64

        init(_ login: Login) throws {
            let ticket = try #require(Base64URL.decode(login.ticket))
            bits = (login.begun.publicID.bytes + ticket).flatMap { byte in (0..<8).map { byte & 0x80 >> $0 != 0 } }
            hiddenBucket = login.begun.publicID.low >> 32 & 0x3FF
        }
    }

    private func starts(_ email: String, seed: UInt64) async throws -> [Sample] {
        let harness = Harness(seed: seed)
        var samples: [Sample] = []
        for _ in 0..<Self.count { samples.append(try Sample(await harness.begin(email: email))) }
        return samples
    }

    // T-013, T-271
    @Test func `attack: a thousand starts for an account look like a thousand for an unknown address`() async throws {
        let (known, unknown) = (
            try await starts(Harness.person.email, seed: 1), try await starts("nobody@example.com", seed: 2)
        )
        var fixed = 0
        for bit in known[0].bits.indices {
            let ones = (known.count { $0.bits[bit] }, unknown.count { $0.bits[bit] })
            if [0, Self.count].contains(ones.0), ones.0 == ones.1 {
                fixed += 1
                continue
            }
            // Five standard deviations of the difference of two fair thousands.
            #expect(abs(ones.0 - ones.1) < 112, "bit \(bit): \(ones)")
            #expect(abs(ones.0 - Self.count / 2) < 80, "bit \(bit): \(ones)")
        }
        #expect(fixed == 6, "version and variant of the id")
        // Both addresses have one bucket each, which two starts would show if it were not hidden.
        for samples in [known, unknown] {
            let pairs = zip(samples, samples.dropFirst()).count { $0.hiddenBucket == $1.hiddenBucket }
            #expect(pairs < 10)
            #expect(Set(samples.map(\.hiddenBucket)).count > 550)
        }
    }
}
