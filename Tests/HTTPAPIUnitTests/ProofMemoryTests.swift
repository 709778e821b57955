import Kernel
import MemoryStore
import Testing

@testable import HTTPAPI

struct ProofMemoryTests {
    private let time = VirtualTime()
    private static let lasting = Duration.seconds(241)

    /// Marks that differ only in their first bytes, as an attacker chooses them.
    private static func mark(_ number: UInt64) -> Digest256 {
        let word = withUnsafeBytes(of: (number * 16).bigEndian) { [UInt8]($0) }
        return Digest256(word + [UInt8](repeating: 0, count: 24)) ?? .zero
    }

    @Test func `a proof counts once for as long as it is good, and is forgotten some time after`() {
        let memory = ProofMemory(capacity: 1600, lifetime: Self.lasting, environment: time.environment())
        for start in 0..<3 {
            let mark = Self.mark(UInt64(start))
            #expect(memory.note(mark) == .new)
            for _ in 0..<4 {
                #expect(memory.note(mark) == .used)
                time.advance(by: .seconds(60))
            }
            #expect(memory.note(mark) == .used, "240 s later")
            time.advance(by: Self.lasting)
            time.advance(by: Self.lasting)
            #expect(memory.note(mark) == .new)
        }
    }

    // T-246
    @Test func `attack: a full proof memory refuses new proofs and still knows all used ones`() throws {
        let memory = ProofMemory(capacity: 1600, lifetime: Self.lasting, environment: time.environment())
        let numbers = Array(UInt64(0)..<4000)
        let known = numbers.filter { memory.note(Self.mark($0)) == .new }
        #expect(known.count == 1600 && memory.count == 1600, "as many as there is room for")
        let late = try #require(numbers.last { !known.contains($0) })
        #expect(memory.note(Self.mark(late)) == .full(Self.lasting))
        time.advance(by: .seconds(240))
        #expect(known.allSatisfy { memory.note(Self.mark($0)) == .used })
        #expect(memory.note(Self.mark(late)) == .full(.seconds(1)))
        time.advance(by: .seconds(1))
        #expect(memory.note(Self.mark(late)) == .new)
        #expect(known.allSatisfy { memory.note(Self.mark($0)) == .used }, "the turn before is remembered too")
    }

    // T-246
    @Test func `attack: proofs are spread over the parts of the memory by a key that callers do not know`() {
        // Without a key all of these would be in one of sixteen parts, which has room for a hundred.
        let memory = ProofMemory(capacity: 1600, lifetime: Self.lasting, environment: time.environment())
        let answers = (UInt64(0)..<400).map { memory.note(Self.mark($0)) }
        #expect(answers.filter { $0 == .new }.count == 400)
        let other = ProofMemory(capacity: 1, lifetime: Self.lasting, environment: time.environment())
        let taken = (UInt64(0)..<400).filter { other.note(Self.mark($0)) == .new }
        #expect(taken.count == 16, "each part has its one")
    }
}
