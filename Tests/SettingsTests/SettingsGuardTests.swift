import FaceProviders
import Kernel
import SettingsFixture
import Testing

@testable import Settings

struct SettingsGuardTests {
    /// A provider with these lines at its end.
    private func fixture(_ lines: String) -> SettingsFixture {
        var fixture = SettingsFixture.minimal()
        fixture.files["/srv/vestibule-test/config/providers/mock.yaml"] = (SettingsFixture.mock + "\n" + lines, 0o644)
        return fixture
    }

    private func policy(_ lines: String) throws -> GuardPolicy {
        let provider = try #require(try fixture(lines).load().settings.providers["mock"])
        return provider.guardPolicy
    }

    @Test func `a provider without a guard section has the default guard`() throws {
        #expect(try policy("") == GuardPolicy())
        #expect(try policy("requestTimeout: 40s").callTimeout == .seconds(80))
    }

    @Test func `the values of the guard section are in force`() throws {
        let lines = """
            guard:
              callTimeout: 12s
              retries: 3
              maxConcurrentStarts: 5
              maxQueued: 6
              probeTimeout: 3s
              circuitFailures: 7
              circuitPause: 8s
            """
        let circuit = CircuitBreaker.Policy(failures: 7, pause: .seconds(8))
        #expect(
            try policy(lines)
                == GuardPolicy(
                    callTimeout: .seconds(12),
                    retries: 3,
                    concurrentStarts: 5,
                    queued: 6,
                    probeTimeout: .seconds(3),
                    circuit: circuit
                )
        )
    }

    @Test func `every fault has its file, its line and its key`() {
        let file = "config/providers/mock.yaml"
        let key = "providers.mock.guard"
        let lines = "guard:\n  callTimeout: 4s\n  retries: 9\n  circuitFailures: 1\n  circuitPause: 30s\n  retry: 1"
        #expect(
            fixture("requestTimeout: 5s\n" + lines).faults() == [
                "\(file):7: \(key).callTimeout: is shorter than requestTimeout (5s)",
                #"\#(file):8: \#(key).retries: "9" is out of range. It takes 0 to 5"#,
                #"\#(file):9: \#(key).circuitFailures: "1" is out of range. It takes 2 to 1000"#,
                #"\#(file):10: \#(key).circuitPause: "30s" is out of range. It takes 100ms to 25s"#,
                "\(file):11: \(key).retry: unknown key. Known here: callTimeout, retries, maxConcurrentStarts, maxQueued, "
                    + "probeTimeout, circuitFailures, circuitPause",
            ]
        )
        #expect(
            fixture("requestTimeout: 5s\nguard:\n  callTimeout: 4s").faults()
                == ["\(file):7: \(key).callTimeout: is shorter than requestTimeout (5s)"]
        )
        #expect(fixture("requestTimeout: 5s\nguard:\n  callTimeout: 5s").faults() == [])
    }

    @Test func `the pause is shorter than failures count`() throws {
        // Else a provider would count as whole while its circuit is open.
        #expect(fixture("guard:\n  circuitPause: 25s").faults() == [])
        #expect(fixture("guard:\n  circuitPause: 26s").faults().count == 1)
    }
}
