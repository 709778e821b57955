import Synchronization
import Testing

@testable import Kernel

struct SteadyClockTests {
    private static let minute = Duration.seconds(60)
    private static let day = Duration.seconds(86_400)
    private static let start = Instant(seconds: 1_800_000_000)

    /// Both clocks, and what is thought of them.
    private struct Scene {
        var clock = SteadyClock()
        /// How far the wall clock is ahead of the monotonic one.
        var ahead = Duration.zero
        var uptime = Uptime(nanoseconds: 7)

        var wall: Instant { start + (uptime - Uptime(nanoseconds: 7)) + ahead }

        mutating func look(after passed: Duration = minute, isSupported: Bool = false) -> SteadyClock.Verdict {
            uptime = uptime + passed
            return clock.look(.init(wall: wall, uptime: uptime)) { _ in isSupported }
        }

        /// One whose wall clock was believed from its first look on.
        static func believed() -> Scene {
            var scene = Scene()
            #expect(scene.look(isSupported: true) == .steady)
            return scene
        }

        var expected: SteadyClock.Verdict { .stepped(expected: wall - ahead) }
    }

    // T-264
    @Test(arguments: [800, -800, 1, -1])
    func `attack: a clock that is wrong for a minute is not believed until it is right again`(_ days: Int) {
        var scene = Scene.believed()
        scene.ahead = Self.day * days
        #expect(scene.look() == scene.expected)
        #expect(scene.look(after: .seconds(15)) == scene.expected)
        scene.ahead = .zero
        #expect(scene.look() == .steady)
    }

    // T-264
    @Test func `a clock that is wrong for a day of looks but a millisecond is not believed, at a day it is`() {
        var scene = Scene.believed()
        scene.ahead = Self.day * 800
        #expect(scene.look() == scene.expected)
        #expect(scene.look(after: Self.day - .milliseconds(1)) == scene.expected)
        #expect(scene.look(after: .milliseconds(1)) == .steady)
        #expect(scene.look() == .steady)
        scene.ahead = .zero
        let back = scene.look()
        #expect(back == .stepped(expected: scene.wall + Self.day * 800), "now it is this one that has to prove itself")
    }

    @Test func `each step restarts the day`() {
        var scene = Scene.believed()
        for step in 1...5 {
            scene.ahead = Self.day * (100 * step)
            #expect(scene.look(after: Self.day - Self.minute) == scene.expected)
        }
        #expect(scene.look(after: Self.day - Self.minute) == scene.expected)
        #expect(scene.look() == .steady)
    }

    // T-264
    @Test(arguments: [3_600_000, -3_600_000])
    func `an hour either way is a correction, a millisecond more is a step`(_ milliseconds: Int64) {
        var scene = Scene.believed()
        scene.ahead = .milliseconds(milliseconds)
        #expect(scene.look() == .steady)
        scene.ahead = .milliseconds(milliseconds + milliseconds.signum())
        #expect(scene.look() == scene.expected)
    }

    // T-264
    @Test func `attack: clock steps that are each within the bound are refused when they add up`() {
        var scene = Scene.believed()
        var verdicts: [SteadyClock.Verdict] = []
        for _ in 1...10 {
            scene.ahead += .seconds(3500)
            verdicts.append(scene.look())
        }
        #expect(verdicts.first == .steady)
        #expect(verdicts.dropFirst().allSatisfy { $0 != .steady } == true)
    }

    @Test func `a slow drift of years is followed`() {
        var scene = Scene.believed()
        for _ in 1...2000 {
            scene.ahead += .seconds(600)
            #expect(scene.look(after: Self.day) == .steady)
        }
    }

    @Test func `a long sleep that both clocks saw does not count as a step`() {
        var scene = Scene.believed()
        #expect(scene.look(after: Self.day * 400) == .steady)
    }

    // T-264
    @Test func `a start without traces has to prove itself for a day`() {
        var scene = Scene()
        #expect(scene.look() == .unproved)
        #expect(scene.look(after: Self.day - .milliseconds(1)) == .unproved)
        #expect(scene.look(after: .milliseconds(1)) == .steady)
    }

    @Test func `a start at a wrong time is asked for traces again once the clock was set right`() {
        var scene = Scene()
        scene.ahead = .zero - Self.day * 20_000
        #expect(scene.look() == .unproved)
        scene.ahead = .zero
        #expect(scene.look(isSupported: true) == .steady)
    }

    @Test func `a start without traces is asked for them again: one may have become old enough`() {
        var scene = Scene()
        #expect(scene.look() == .unproved)
        #expect(scene.look() == .unproved)
        #expect(scene.look(isSupported: true) == .steady)
    }

    // T-264
    @Test func `attack: supporting traces do not make a clock believed against the monotonic clock`() {
        var scene = Scene.believed()
        scene.ahead = Self.day * 2
        #expect(scene.look(isSupported: true) == scene.expected)
    }

    // T-264
    @Test func `attack: a sweep gets no time while the clock is wrong, which is reported once`() {
        let scene = Mutex(Scene())
        let told = Mutex<[String]>([])
        let environment = Environment(now: { scene.withLock(\.wall) }, clock: StillClock { scene.withLock(\.uptime) }) {
            _ in []
        }
        let clock = SweepClock(environment, isSupported: { _ in true }) { verdict, wall in
            told.withLock { $0.append("\(verdict) \(wall.seconds)") }
        }
        #expect(clock.now == Self.start)
        for _ in 1...3 {
            scene.withLock {
                $0.ahead = Self.day
                $0.uptime = $0.uptime + Self.minute
            }
            #expect(clock.now == nil)
        }
        #expect(told.withLock(\.count) == 1)
        scene.withLock { $0.ahead = .zero }
        #expect(clock.now == Self.start + Self.minute * 3)
        #expect(told.withLock(\.last) == "steady \(Self.start.seconds + 180)")
    }

    @Test func `reporting looks for traces once a minute at most, and sees each step`() {
        let scene = Mutex(Scene())
        let looked = Mutex(0)
        let isSupported = Mutex(false)
        let environment = Environment(now: { scene.withLock(\.wall) }, clock: StillClock { scene.withLock(\.uptime) }) {
            _ in []
        }
        let clock = SweepClock(environment) { _ in
            looked.withLock { $0 += 1 }
            return isSupported.withLock { $0 }
        } tell: { _, _ in
        }
        for _ in 1...50 { #expect(!clock.isBelieved) }
        #expect(looked.withLock { $0 } == 1)
        isSupported.withLock { $0 = true }
        scene.withLock { $0.uptime = $0.uptime + Self.minute }
        #expect(clock.isBelieved && looked.withLock { $0 } == 2)
        scene.withLock { $0.ahead = Self.day }
        #expect(!clock.isBelieved)
    }
}

/// Shows a time; nobody sleeps by it.
private struct StillClock: MonotonicClock {
    let read: @Sendable () -> Uptime

    init(_ read: @escaping @Sendable () -> Uptime) { self.read = read }

    var now: Uptime { read() }
    func sleep(until deadline: Uptime) async throws { throw CancellationError() }
}
