import Kernel
import MemoryStore
import Synchronization
import Testing

/// A database server's clock as the witness of this machine's.
struct DatabaseClockTests {
    private let time = VirtualTime()
    private let told = Mutex<[Duration?]>([])

    /// Reads a server's clock, which is `ahead` of the wall clock, with an answer that takes `delay`.
    private func read(_ clock: DatabaseClock, ahead: Duration = .zero, delay: Duration = .milliseconds(2)) {
        let asked = time.now
        time.advance(by: delay * 0.5)
        let server = time.wall + ahead
        time.advance(by: delay * 0.5)
        clock.note(server, askedAt: asked)
    }

    private func makeClock() -> DatabaseClock {
        DatabaseClock(time.environment()) { ahead in told.withLock { $0.append(ahead) } }
    }

    @Test func `nothing is known before a reading, nor a minute after the last one`() {
        let clock = makeClock()
        #expect(clock.now == nil && clock.skew == nil && !clock.contradicts(time.wall + .seconds(100)))
        read(clock)
        time.advance(by: .seconds(59))
        #expect(clock.now == time.wall && clock.skew == .zero)
        time.advance(by: .seconds(2))
        #expect(clock.now == nil && !clock.contradicts(time.wall + .seconds(100)))
    }

    // T-264
    @Test(arguments: [Duration.milliseconds(1100), .seconds(5), .seconds(-5), .seconds(86_400)])
    func `attack: a wall clock that is stepped contradicts it at once, and is told once`(_ step: Duration) {
        let clock = makeClock()
        read(clock)
        #expect(!clock.contradicts(time.wall))
        let engine = time.wall
        time.stepWall(by: step)
        #expect(clock.skew == step && clock.contradicts(engine))
        for _ in 0..<3 { read(clock, ahead: .zero - step) }
        #expect(told.withLock { $0 } == [step])
        time.stepWall(by: .zero - step)
        for _ in 0..<3 { read(clock) }
        #expect(!clock.contradicts(time.wall))
        #expect(told.withLock { $0 } == [step, nil])
    }

    @Test func `a second is tolerated, either way`() {
        let clock = makeClock()
        for ahead in [Duration.milliseconds(990), .milliseconds(-990)] {
            read(clock, ahead: ahead)
            #expect(!clock.contradicts(time.wall))
        }
        #expect(told.withLock { $0.isEmpty })
    }

    @Test func `a time of the process that drifted from a right wall clock contradicts it too`() {
        let clock = makeClock()
        read(clock)
        #expect(clock.contradicts(time.wall + .seconds(2)) && clock.contradicts(time.wall - .seconds(2)))
    }

    @Test func `a slow answer is left out, a fair one is read at its middle`() {
        let clock = makeClock()
        read(clock, ahead: .seconds(30), delay: .seconds(2))
        #expect(clock.now == nil)
        read(clock, delay: .milliseconds(400))
        #expect(clock.skew == .zero)
    }

    // T-264
    @Test func `sweeps go by it where it is known: at once in a new database, and never while it contradicts`() {
        let database = makeClock()
        let clock = SweepClock(time.environment(), witness: database, isSupported: { _ in false }) { _, _ in }
        #expect(clock.now == nil, "nothing speaks for a new database's clock")
        read(database)
        #expect(clock.now == time.wall)
        time.stepWall(by: .seconds(86_400))
        #expect(clock.now == nil)
        time.stepWall(by: .seconds(-86_400))
        #expect(clock.now == time.wall)
    }
}
