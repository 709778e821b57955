import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite struct WatchScheduleTests {
    private let time: VirtualTime
    private let clock: EngineClock
    private let schedule = WatchSchedule(cadence: WatchCadence())
    private let start: Uptime

    init() {
        time = VirtualTime(wall: OperationSample.start)
        clock = EngineClock(time.environment())
        start = time.now
    }

    private func due(
        of state: OperationState,
        after elapsed: Duration = .zero,
        lastPoll: Duration? = nil,
        jitter: Double = 0.5
    ) -> Duration? {
        let operation = OperationSample.operation(1, state: state)
        schedule.plan(
            operation,
            clock: clock,
            uptime: start + elapsed,
            lastPoll: lastPoll.map { start + $0 },
            jitter: jitter
        )
        return schedule.takeDue(at: start + .seconds(10_000), limit: 10).last.map { $0.due - start }
    }

    @Test func `an operation that waits for a person is due at its deadline or window`() {
        #expect(due(of: .created) == .seconds(180))
        #expect(due(of: .opened(Opening(browser: .zero)), after: .seconds(3)) == .seconds(180))
        let approval = OperationSample.approval(at: OperationSample.start + .seconds(30))
        #expect(due(of: .approved(approval)) == .seconds(90))
        let grant = OperationSample.grant(redeemedAt: OperationSample.start + .seconds(40))
        #expect(due(of: .redeemed(grant)) == .seconds(160))
    }

    @Test func `the oldest check that is due tells how long it waits, and a replaced one does not count`() {
        let operation = OperationSample.operation(1, state: .created).credentials.publicID
        let other = OperationSample.operation(2, state: .created).credentials.publicID
        #expect(schedule.oldestOverdue(at: start) == nil)
        schedule.plan(operation, at: start + .seconds(1))
        schedule.plan(other, at: start + .seconds(4))
        #expect(schedule.oldestOverdue(at: start + .seconds(1)) == nil)
        #expect(schedule.oldestOverdue(at: start + .seconds(6)) == .seconds(5))
        schedule.plan(operation, at: start + .seconds(5))
        #expect(schedule.oldestOverdue(at: start + .seconds(6)) == .seconds(2))
        #expect(schedule.takeDue(at: start + .seconds(6), limit: 9).map(\.operation) == [other, operation])
        #expect(schedule.oldestOverdue(at: start + .seconds(6)) == nil)
    }

    @Test func `what has ended is looked at when it leaves the cache`() {
        #expect(due(of: .failed(.declined, at: OperationSample.start + .seconds(7))) == .seconds(607))
        let closure = Closure(
            at: OperationSample.start + .seconds(9),
            session: OperationSample.session,
            collector: .proven
        )
        #expect(due(of: .closed(closure)) == .seconds(609))
    }

    @Test func `what was held back, or found no room, comes back spread out`() {
        let pending = OperationSample.operation(1, state: .pending(OperationSample.scan()))
        func due(_ jitter: Double, _ plan: (Double) -> Void) -> Duration? {
            plan(jitter)
            return schedule.takeDue(at: start + .seconds(10_000), limit: 10).last.map { $0.due - start }
        }
        let heldBack = { (jitter: Double) in
            schedule.plan(pending, clock: clock, uptime: start, lastPoll: nil, jitter: jitter, wasHeldBack: true)
        }
        #expect(due(0, heldBack) == .milliseconds(2500) && due(1, heldBack) == .milliseconds(7500))
        let soon = { (jitter: Double) in
            schedule.planSoon(
                pending.credentials.publicID,
                before: start + .milliseconds(700),
                uptime: start,
                jitter: jitter
            )
        }
        #expect(due(0, soon) == .milliseconds(50) && due(0.5, soon) == .milliseconds(525))
        #expect(due(1, soon) == .milliseconds(700), "and no later than the deadline")
        _ = schedule.hint(pending.credentials.publicID, at: start)
        #expect(due(0.999, soon).map { $0 < .milliseconds(500) } == true, "sooner, where there is news")
    }

    @Test func `a scan is checked hot while a client waits and cold otherwise`() {
        let pending = OperationState.pending(OperationSample.scan())
        #expect(due(of: pending, after: .seconds(10)) == .seconds(15))
        #expect(due(of: pending, after: .seconds(10), lastPoll: .milliseconds(4001)) == .seconds(11))
        #expect(due(of: pending, after: .seconds(10), lastPoll: .seconds(4)) == .seconds(15), "six seconds ago")
    }

    @Test func `jitter spreads a check over a fifth of its interval`() {
        let pending = OperationState.pending(OperationSample.scan())
        #expect(due(of: pending, jitter: 0) == .milliseconds(4500))
        let latest = due(of: pending, jitter: 0.999_999) ?? .zero
        #expect(latest > .milliseconds(5499) && latest < .milliseconds(5500))
    }

    @Test func `the last check leaves time for its answer, and then comes the deadline`() {
        let pending = OperationState.pending(OperationSample.scan())
        #expect(due(of: pending, after: .seconds(177)) == .milliseconds(178_500))
        #expect(due(of: pending, after: .milliseconds(178_500)) == .seconds(180))
        #expect(due(of: pending, after: .seconds(179)) == .seconds(180))
    }

    @Test func `a newer plan overtakes an older one`() {
        let first = OperationSample.digest("public", 1)
        schedule.plan(first, at: start + .seconds(1))
        schedule.plan(first, at: start + .seconds(5))
        #expect(schedule.count == 1)
        #expect(schedule.takeDue(at: start + .seconds(4), limit: 10).isEmpty)
        #expect(schedule.takeDue(at: start + .seconds(5), limit: 10).map(\.operation) == [first])
        #expect(schedule.takeDue(at: start + .seconds(50), limit: 10).isEmpty, "a check comes once")
        #expect(schedule.count == 0)
    }

    @Test func `expediting brings a check forward and never delays one`() {
        let first = OperationSample.digest("public", 1)
        schedule.expedite(first, to: start)
        #expect(schedule.count == 0, "a check that is not planned is in progress")
        schedule.plan(first, at: start + .seconds(5))
        schedule.expedite(first, to: start + .seconds(9))
        schedule.expedite(first, to: start + .seconds(1))
        #expect(schedule.nextDue == start + .seconds(1))
        #expect(schedule.takeDue(at: start + .seconds(9), limit: 10).count == 1)
    }

    @Test func `due checks come in order and no more than asked for`() {
        for number in [3, 1, 2, 5, 4] as [UInt64] {
            schedule.plan(OperationSample.digest("public", number), at: start + .seconds(Int64(number)))
        }
        let first = schedule.takeDue(at: start + .seconds(4), limit: 3)
        #expect(first.map(\.operation) == [1, 2, 3].map { OperationSample.digest("public", $0) })
        #expect(schedule.takeDue(at: start + .seconds(4), limit: 3).count == 1)
        #expect(schedule.nextDue == start + .seconds(5))
    }
}

@Suite struct EngineClockTests {
    @Test func `stepping the wall clock does not move the engine`() {
        let time = VirtualTime(wall: Instant(seconds: 1000))
        let clock = EngineClock(time.environment())
        time.advance(by: .seconds(3))
        time.stepWall(by: .seconds(-5000))
        #expect(clock.now == Instant(seconds: 1003))
        time.stepWall(by: .seconds(90_000))
        time.advance(by: .milliseconds(250))
        #expect(clock.now == Instant(milliseconds: 1_003_250))
    }

    @Test func `an instant is due when the engine reads it`() {
        let time = VirtualTime(wall: Instant(seconds: 1000), uptime: Uptime(nanoseconds: 7))
        let clock = EngineClock(time.environment())
        let due = clock.uptime(of: Instant(seconds: 1010))
        time.advance(by: due - time.now)
        #expect(clock.now == Instant(seconds: 1010))
    }
}
