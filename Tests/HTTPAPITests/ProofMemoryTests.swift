import Kernel
import MemoryStore
import Testing

@testable import HTTPAPI

struct ProofMemoryTests {
    private let time = VirtualTime()
    private static let lasting = Duration.seconds(241)

    /// All in one stripe.
    private static func mark(_ number: UInt64) -> Digest256 {
        let word = withUnsafeBytes(of: (number * 16).bigEndian) { [UInt8]($0) }
        return Digest256(word + [UInt8](repeating: 0, count: 24)) ?? .zero
    }

    @Test func `a proof counts once for as long as it is good, and is forgotten some time after`() {
        let memory = ProofMemory(room: 1600, lasting: Self.lasting, clock: time)
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

    @Test func `attack: what floods it makes it forget nothing`() {
        let memory = ProofMemory(room: 1600, lasting: Self.lasting, clock: time)
        var answers: [ProofMemory.Answer] = []
        for number in 0..<110 { answers.append(memory.note(Self.mark(UInt64(number)))) }
        #expect(answers.prefix(100).allSatisfy { $0 == .new })
        #expect(answers.dropFirst(100).allSatisfy { $0 == .full(Self.lasting) })
        time.advance(by: .seconds(240))
        #expect(memory.note(Self.mark(0)) == .used && memory.note(Self.mark(200)) == .full(.seconds(1)))
        time.advance(by: .seconds(1))
        #expect(memory.note(Self.mark(200)) == .new)
        #expect(memory.note(Self.mark(99)) == .used, "the turn before is remembered too")
    }
}
