import Kernel
import Synchronization
import Testing

/// A database server's clock as the witness of this machine's.
struct DatabaseClockTests {
    private let machine = Machine()

    // T-264
    @Test(arguments: [Duration.milliseconds(1100), .seconds(5), .seconds(-5), .seconds(86_400)])
    func `attack: a wall clock that is stepped differs at once, and is told once`(_ step: Duration) {
        let clock = machine.databaseClock
        machine.read(clock)
        #expect(!clock.isSkewed && clock.skew?.ahead == .zero)
        machine.step(by: step)
        #expect(clock.isSkewed && clock.skew?.ahead == step)
        for _ in 0..<3 { machine.read(clock, ahead: .zero - step) }
        #expect(machine.told == [.init(ahead: step, needsRestart: false)])
        machine.step(by: .zero - step)
        for _ in 0..<3 { machine.read(clock) }
        #expect(!clock.isSkewed)
        #expect(machine.told == [.init(ahead: step, needsRestart: false), nil])
    }

    @Test func `nothing is known before a reading, nor a minute after the last one`() {
        let clock = machine.databaseClock
        #expect(clock.now == nil && clock.skew == nil && !clock.isSkewed)
        machine.read(clock)
        machine.pass(.seconds(59))
        #expect(clock.now == machine.wall)
        machine.pass(.seconds(2))
        machine.step(by: .seconds(100))
        #expect(clock.now == nil && !clock.isSkewed)
    }

    @Test func `a second is tolerated, either way`() {
        let clock = machine.databaseClock
        for ahead in [Duration.milliseconds(990), .milliseconds(-990)] {
            machine.read(clock, ahead: ahead)
            #expect(!clock.isSkewed)
        }
        #expect(machine.told.isEmpty)
    }

    @Test func `a start with a wrong clock is told as such once the clock is right`() {
        machine.step(by: .seconds(-30))
        let clock = machine.databaseClock
        machine.read(clock, ahead: .seconds(30))
        #expect(machine.told == [.init(ahead: .seconds(-30), needsRestart: false)])
        machine.step(by: .seconds(30))
        machine.read(clock)
        #expect(machine.told.last == .some(.init(ahead: .seconds(-30), needsRestart: true)))
        #expect(clock.isSkewed && machine.told.count == 2)
    }

    @Test func `a slow answer is left out, a fair one is read at its middle`() {
        let clock = machine.databaseClock
        machine.read(clock, ahead: .seconds(30), delay: .seconds(2))
        #expect(clock.now == nil)
        machine.read(clock, delay: .milliseconds(400))
        #expect(clock.skew?.ahead == .zero)
    }

    // T-264
    @Test func `sweeps go by it where it is known: at once in a new database, and never while it differs`() {
        let database = machine.databaseClock
        let clock = SweepClock(machine.environment, witness: database, isSupported: { _ in false }) { _, _ in }
        #expect(clock.now == nil, "nothing speaks for a new database's clock")
        machine.read(database)
        #expect(clock.now == machine.wall)
        machine.step(by: .seconds(86_400))
        #expect(clock.now == nil)
        machine.step(by: .seconds(-86_400))
        #expect(clock.now == machine.wall)
    }
}

/// A machine with two clocks, beside a database server whose clock agreed at first.
private final class Machine: MonotonicClock {
    private struct State {
        var wall = Instant(seconds: 1_800_000_000)
        var uptime = Uptime(nanoseconds: 5_000_000_000)
        var told: [DatabaseClock.Skew?] = []
    }

    private let state = Mutex(State())

    var wall: Instant { state.withLock(\.wall) }
    var now: Uptime { state.withLock(\.uptime) }
    var told: [DatabaseClock.Skew?] { state.withLock(\.told) }
    var environment: Environment { Environment(now: { self.wall }, clock: self) { _ in [] } }
    var databaseClock: DatabaseClock {
        DatabaseClock(environment) { skew in self.state.withLock { $0.told.append(skew) } }
    }

    func pass(_ duration: Duration) {
        state.withLock { state in
            state.wall = state.wall + duration
            state.uptime = state.uptime + duration
        }
    }

    func step(by duration: Duration) { state.withLock { $0.wall = $0.wall + duration } }

    /// Reads the server's clock, which is `ahead` of the wall clock, with an answer that takes `delay`.
    func read(_ clock: DatabaseClock, ahead: Duration = .zero, delay: Duration = .milliseconds(2)) {
        let asked = now
        pass(delay * 0.5)
        let server = wall + ahead
        pass(delay * 0.5)
        clock.note(server, askedAt: asked)
    }

    func sleep(until deadline: Uptime) async throws { throw CancellationError() }
}
