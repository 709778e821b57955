import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct ScanTests {
    @Test func `a scan nobody decides is pending and expires with its timeout`() throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login(timeout: .seconds(30))
        rig.clock.advance(.milliseconds(29_999))
        #expect(try rig.status(scan) == .pending)
        rig.clock.advance(.milliseconds(1))
        #expect(try rig.status(scan) == .expired)
    }

    @Test(arguments: [
        (Outcome.accept, 1), (.rejectMatch, 2), (.rejectLiveness, 2), (.rejectBoth, 2), (.decline, 2), (.expire, 3),
        (.error, 4), (.cancel, 5),
    ])
    func `every outcome has its status number`(_ outcome: Outcome, _ number: Int) throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login()
        _ = try rig.backend.with { state, now in try state.decide(scan.id, outcome, now: now) }
        #expect(try rig.status(scan).rawValue == number)
    }

    @Test func `a rejection says why in its message alone`() {
        #expect(Outcome.rejectMatch.message == "Not authorized. Biometry verification failed.")
        #expect(Outcome.rejectLiveness.message == "Not authorized. Liveness detection failed.")
        let both = Outcome.rejectBoth.message
        #expect(both.contains("Biometry verification failed.") && both.contains("Liveness detection failed."))
        let decline = Outcome.decline.message.lowercased()
        #expect(!decline.contains("biometry") && !decline.contains("liveness"))
    }

    @Test func `an outcome with a delay comes at its time`() throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login()
        _ = try rig.backend.with { state, now in
            try state.decide(scan.id, .accept, after: .seconds(2), now: now)
        }
        rig.clock.advance(.milliseconds(1999))
        #expect(try rig.status(scan) == .pending)
        rig.clock.advance(.milliseconds(1))
        #expect(try rig.status(scan) == .accepted)
    }

    @Test func `an outcome planned for after the timeout never comes`() throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login(timeout: .seconds(5))
        _ = try rig.backend.with { state, now in
            try state.decide(scan.id, .accept, after: .seconds(5), now: now)
        }
        rig.clock.advance(.seconds(60))
        #expect(try rig.status(scan) == .expired)
    }

    @Test func `a person who decides sooner wins over a plan, and a verdict is final`() throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login()
        try rig.backend.with { state, now in
            _ = try state.decide(scan.id, .accept, after: .seconds(2), now: now)
            _ = try state.decide(scan.id, .decline, now: now)
        }
        rig.clock.advance(.seconds(3))
        #expect(try rig.status(scan) == .rejected)
        #expect(throws: DecisionError.alreadyDecided(.decline)) {
            try rig.backend.with { state, now in _ = try state.decide(scan.id, .accept, now: now) }
        }
    }

    @Test func `a late acceptance is pending until the timeout whatever the person does`() throws {
        let rig = Rig()
        try rig.account()
        rig.setFault(FaultRule(target: .status, kind: .lateAccept))
        let scan = try rig.login(timeout: .seconds(10))
        #expect(rig.strike(.transactionStatus, scan) == .lateAccept)
        #expect(rig.strike(.transactionStatus, scan) == nil)
        _ = try rig.backend.with { state, now in try state.decide(scan.id, .decline, now: now) }
        rig.clock.advance(.milliseconds(9_999))
        #expect(try rig.status(scan) == .pending)
        rig.clock.advance(.milliseconds(1))
        #expect(try rig.status(scan) == .accepted)
        #expect(try rig.current(scan).verdict(at: rig.clock.now)?.outcome == .decline)
    }

    @Test func `the oldest scans go when there are too many`() throws {
        let rig = Rig { $0.limits.scans = 3 }
        try rig.account()
        let scans = try (0..<5).map { _ in try rig.login() }
        let kept = rig.backend.with { state, _ in state.listScans(limit: 10).map(\.id) }
        #expect(kept == scans.suffix(3).reversed().map(\.id))
        #expect(rig.backend.with { state, _ in state.scan(scans[0].id) } == nil)
    }

    @Test func `a list is newest first, capped, and by account`() throws {
        let rig = Rig()
        try rig.account("a", email: "anna@example.com")
        try rig.account("b", email: "bert@example.com")
        let first = try rig.login("a")
        let second = try rig.login("b")
        let third = try rig.login("a")
        rig.backend.with { state, _ in
            #expect(state.listScans(limit: 2).map(\.id) == [third.id, second.id])
            #expect(state.listScans(limit: 9, account: "Anna@Example.com").map(\.id) == [third.id, first.id])
            #expect(state.listScans(limit: 9, account: "b").map(\.id) == [second.id])
        }
    }

    @Test func `the same seed gives the same ids and secrets, another seed gives others`() throws {
        func run(_ seed: UInt64) throws -> [String] {
            let rig = Rig(seed: seed)
            try rig.account()
            return try (0..<3).flatMap { _ in
                let scan = try rig.login()
                return [scan.id.description, scan.secret.expose()]
            }
        }
        #expect(try run(7) == run(7))
        #expect(try run(7) != run(8))
    }

    @Test func `a secret always holds what has to be percent-encoded`() throws {
        for seed in 0..<50 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let secret = OneTimeSecret.make(generator.bytes(32)).expose()
            #expect(secret.count == 44)
            #expect(secret.contains("+") && secret.contains("/") && secret.hasSuffix("="))
        }
    }

    @Test func `a page opens with the scan's own secret and kind only`() throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login()
        rig.backend.with { state, _ in
            #expect(state.scan(scan.id, kind: .login, secret: scan.secret) != nil)
            #expect(state.scan(scan.id, kind: .enrolment, secret: scan.secret) == nil)
            #expect(state.scan(scan.id, kind: .login, secret: Secret("no")) == nil)
        }
    }
}
