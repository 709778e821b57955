import Kernel
import MemoryStore
import Testing

@testable import Operations

struct ProviderHealthTests {
    private let time = VirtualTime()
    private let name = ProviderName("scripted")
    private let health: ProviderHealth

    init() { health = ProviderHealth(providers: [name], clock: time) }

    @Test func `two failures in a row mark a provider degraded, and one answer ends it`() {
        health.note(name, reachable: false)
        #expect(!health.isDegraded(name) && health.snapshot == [name: true])
        health.note(name, reachable: false)
        #expect(health.isDegraded(name) && health.snapshot == [name: false])
        health.note(name, reachable: true)
        #expect(!health.isDegraded(name) && health.snapshot == [name: true])
        health.note(name, reachable: false)
        #expect(!health.isDegraded(name), "it counts from one again")
    }

    @Test func `a note of health reports a change only when degraded begins or ends`() {
        #expect(!health.note(name, reachable: true))
        #expect(!health.note(name, reachable: false))
        #expect(health.note(name, reachable: false))
        #expect(!health.note(name, reachable: false))
        #expect(health.note(name, reachable: true))
        #expect(!health.note(name, reachable: true))
        #expect(health.note(name, reachable: false, isCutOff: true))
        time.advance(by: ProviderHealth.failuresCountFor)
        #expect(!health.note(name, reachable: true), "time had made it whole")
    }

    @Test func `failures that nothing follows are forgotten after a while`() {
        for _ in 0..<3 { health.note(name, reachable: false) }
        time.advance(by: ProviderHealth.failuresCountFor - .milliseconds(1))
        #expect(health.isDegraded(name))
        time.advance(by: .milliseconds(1))
        #expect(health.snapshot == [name: true], "also for those who ask before any poll does")
        #expect(!health.isDegraded(name))
        health.note(name, reachable: false)
        #expect(!health.isDegraded(name), "the old ones do not count with a new one")
        health.note(name, reachable: false)
        #expect(health.isDegraded(name))
    }

    @Test func `failures that go on keep it degraded`() {
        for _ in 0..<10 {
            health.note(name, reachable: false)
            time.advance(by: .seconds(20))
        }
        #expect(health.isDegraded(name))
    }

    @Test func `an open circuit makes it degraded at the first word of it`() {
        health.note(name, reachable: false, isCutOff: true)
        #expect(health.isDegraded(name))
        health.note(name, reachable: true)
        #expect(!health.isDegraded(name))
    }

    @Test func `a step of the wall clock does not end a provider's degradation`() {
        for _ in 0..<2 { health.note(name, reachable: false) }
        time.stepWall(by: .seconds(3600))
        #expect(health.isDegraded(name))
    }
}
