import Kernel
import Testing

@testable import Vestibule

struct EntropyTests {
    @Test func `random bytes come in any number, and never twice`() async {
        let environment = Environment.system
        #expect(environment.randomBytes(0).isEmpty)
        #expect(environment.randomBytes(5000).count == 5000)
        #expect(Set(environment.randomBytes(4096)).count == 256, "every byte occurs in so many")
        // Many at once: a pool that handed the same bytes to two would show here.
        let drawn = await withTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<16 { group.addTask { (0..<500).map { _ in environment.randomBytes(16) } } }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(Set(drawn).count == 16 * 500)
        #expect(!drawn.contains([UInt8](repeating: 0, count: 16)), "what was handed out is wiped, and not handed out")
    }
}
