import Foundation
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct BehaviourTests {
    @Test(arguments: [
        ("accept@example.com", ScenarioStep(outcome: .accept)),
        ("accept+2s@example.com", ScenarioStep(outcome: .accept, after: .seconds(2))),
        ("Reject_Match+500ms@example.com", ScenarioStep(outcome: .rejectMatch, after: .milliseconds(500))),
        ("reject_liveness+1m+anna@example.com", ScenarioStep(outcome: .rejectLiveness, after: .seconds(60))),
        ("decline+anna+3s@example.com", ScenarioStep(outcome: .decline, after: .seconds(3))),
        ("expire@example.com", ScenarioStep(outcome: .expire)),
        ("hang@example.com", ScenarioStep(fault: .hang)),
        ("slow+4s@example.com", ScenarioStep(fault: .slow, faultDuration: .seconds(4))),
    ])
    func `a magic address behaves as its name says`(_ email: String, _ step: ScenarioStep) {
        #expect(MagicAddress.step(for: email) == step)
    }

    @Test(arguments: [
        "anna@example.com", "acceptance@example.com", "accept", "anna+accept@example.com", "@example.com", "",
    ])
    func `an ordinary address does nothing by itself`(_ email: String) {
        #expect(MagicAddress.step(for: email) == nil)
    }

    @Test func `a magic account's scan ends by itself`() throws {
        let rig = Rig()
        try rig.account(email: "accept+2s@example.com")
        let scan = try rig.login()
        #expect(try rig.status(scan) == .pending)
        rig.clock.advance(.seconds(2))
        #expect(try rig.status(scan) == .accepted)
    }

    @Test func `the status calls of a hanging account hang and others do not`() throws {
        let rig = Rig()
        try rig.account("a", email: "hang@example.com")
        try rig.account("b")
        let (hanging, plain) = (try rig.login("a"), try rig.login("b"))
        #expect(rig.strike(.transactionStatus, hanging) == .hang(nil))
        #expect(rig.strike(.transactionStatus, hanging) == .hang(nil))
        #expect(rig.strike(.transactionStatus, plain) == nil)
    }

    @Test func `a scenario is one step a scan, before the address and before the wildcard`() throws {
        let rig = Rig()
        try rig.account(email: "accept@example.com")
        try rig.backend.with { state, _ in
            try state.setScenario(
                Scenario(steps: [ScenarioStep(outcome: .decline), ScenarioStep(outcome: .cancel)]),
                for: "ACCEPT@example.com"
            )
            try state.setScenario(Scenario(steps: [ScenarioStep(outcome: .error)], repeats: true), for: "*")
        }
        let statuses = try (0..<3).map { _ in try rig.status(try rig.login()) }
        #expect(statuses == [.rejected, .canceled, .accepted])
        try rig.account("b", email: "bert@example.com")
        #expect(try rig.status(try rig.login("b")) == .failed)
        #expect(try rig.status(try rig.login("b")) == .failed)
    }

    @Test func `a fault strikes its target as often as it should`() throws {
        let rig = Rig()
        rig.setFault(FaultRule(target: .create, kind: .http500, count: 2))
        #expect(rig.strike(.token) == nil)
        #expect(rig.strike(.accountCreate) == nil)
        #expect(rig.strike(.transactionCreate) == .answer(.internalError))
        #expect(rig.strike(.operationCreate) == .answer(.internalError))
        #expect(rig.strike(.transactionCreate) == nil)
        #expect(rig.backend.with { state, _ in state.listFaults().isEmpty })
    }

    @Test func `a flapping provider fails every other call`() {
        let rig = Rig()
        rig.setFault(FaultRule(target: .token, kind: .flap))
        let struck = (0..<6).map { _ in rig.strike(.token) != nil }
        #expect(struck == [true, false, true, false, true, false])
    }

    @Test func `a rate strikes about its share, and the same calls for the same seed`() {
        func run(_ mock: UInt64, _ fault: UInt64) -> [Bool] {
            let rig = Rig(seed: mock)
            rig.setFault(FaultRule(target: .status, kind: .garbage, rate: 0.3, seed: fault))
            return (0..<1000).map { _ in rig.strike(.transactionStatus) != nil }
        }
        #expect(run(1, 5) == run(2, 5))
        #expect(run(1, 5) != run(1, 6))
        #expect((250...350).contains(run(1, 5).count { $0 }))
    }

    @Test func `a reset goes back to the plan and keeps tokens`() throws {
        var plan = MockPlan()
        plan.scenarios["*"] = Scenario(steps: [ScenarioStep(outcome: .accept)])
        let rig = Rig { $0.plan = plan }
        let random = rig.backend.inputs.randomBytes
        let pair = rig.backend.with { state, now in state.tokens.issue(at: now, random: random) }
        try rig.account()
        try rig.login()
        rig.backend.with { state, _ in state.reset(random: random) }
        rig.backend.with { state, now in
            #expect(state.account("a") == nil)
            #expect(state.listScans(limit: 1).isEmpty)
            #expect(state.scenario(for: "*")?.stepsLeft == 1)
            #expect(state.tokens.isValid(access: pair.access.expose(), at: now))
        }
    }

    @Test func `the request log keeps every count and only the newest calls`() {
        let rig = Rig { $0.limits.requestLog = 3 }
        rig.backend.with { state, now in
            let first = state.requestLog.begin(.token, at: now)
            for _ in 0..<4 { state.requestLog.finish(state.requestLog.begin(.transactionStatus, at: now), status: 200) }
            // Its entry is gone: the answer must not land in another call's.
            state.requestLog.finish(first, status: 500)
            #expect(state.requestLog.counts == [.token: 1, .transactionStatus: 4])
            #expect(state.requestLog.recent(10).map(\.status) == [200, 200, 200])
        }
    }
}
