import Fuzzing
import Testing

/// The assumptions of the fuzzing itself.
struct FuzzingTests {
    @Test func `the peak of memory is read`() throws {
        let status = "Name:\txctest\nVmPeak:\t  900000 kB\nVmHWM:\t   12345 kB\nVmRSS:\t    9000 kB\n"
        #expect(PeakMemory.bytes(in: status) == 12345 * 1024)
        #expect(PeakMemory.bytes(in: "VmRSS:\t 9000 kB\n") == nil)
        #expect(try #require(PeakMemory.bytes()) > 1 << 20)
    }

    @Test func `a run in which nothing is accepted, or everything, fails`() async throws {
        let inputs = FuzzedInputs(seed: 1, tokens: [""], count: 100)
        for answer in [true, false] {
            await withKnownIssue { try await inputs.change([[1, 2, 3]]) { _, _ in answer } }
        }
    }
}
