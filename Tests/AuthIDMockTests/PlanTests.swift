import Foundation
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct PlanTests {
    @Test func `a scenario file is read whole`() throws {
        let plan = try MockPlan(
            yaml: """
                accounts:
                  - { accountNumber: n-1, displayName: Nils, email: nils@example.com, enrolled: false }
                scenarios:
                  n-1:
                    steps:
                      - { outcome: reject_match, afterMs: 250 }
                      - { fault: slow, ms: 100, outcome: accept }
                    repeat: true
                faults:
                  - { target: status, fault: http_429, count: 2, rate: 0.5, seed: 9 }
                """
        )
        #expect(plan.accounts.map(\.account.displayName) == ["Nils"])
        #expect(plan.accounts.first?.isEnrolled == false)
        #expect(
            plan.scenarios["n-1"]
                == Scenario(
                    steps: [
                        ScenarioStep(outcome: .rejectMatch, after: .milliseconds(250)),
                        ScenarioStep(outcome: .accept, fault: .slow, faultDuration: .milliseconds(100)),
                    ],
                    repeats: true
                )
        )
        #expect(plan.faults == [FaultRule(target: .status, kind: .http429, count: 2, rate: 0.5, seed: 9)])
    }

    @Test(arguments: [
        ("scenarios: { a: { steps: [{ outcome: acept }] } }", "acept"),
        ("scenarios: { a: { steps: [{ outcom: accept }] } }", "outcom"),
        ("scenarios: { a: { steps: [{}] } }", "outcome or a fault"),
        ("scenarios: { a: { steps: [{ outcome: accept, afterMs: -1 }] } }", "-1"),
        ("scenarios: { a: { steps: [{ outcome: accept, ms: 5 }] } }", "hang or slow"),
        ("faults: [{ target: token, fault: wrong_transaction }]", "does not apply"),
        ("faults: [{ target: token, fault: flap, rate: 1.5 }]", "1.5"),
        ("faults: [{ target: token, fault: flap, count: 0 }]", "count"),
        ("faults: [{ target: token, fault: http_500, ms: 3 }]", "takes no ms"),
        ("faults: [{ fault: flap }]", "target"),
        ("acounts: []", "acounts"),
        ("accounts: [", "YAML"),
    ])
    func `a mistake in a scenario file is named`(_ yaml: String, _ word: String) throws {
        let fault = #expect(throws: MockPlanError.self) { _ = try MockPlan(yaml: yaml) }
        #expect(fault?.text.contains(word) == true, "\(fault?.text ?? "")")
    }

    @Test(arguments: ["demo", "rejections", "outage", "late", "enrolment"])
    func `the scenario files that come along can be used`(_ name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Mocks/scenarios")
        let yaml = try String(contentsOf: folder.appending(path: "\(name).yaml"), encoding: .utf8)
        let plan = try MockPlan(yaml: yaml)
        #expect(plan != MockPlan())
        let rig = Rig { $0.plan = plan }
        for planned in plan.accounts {
            #expect(rig.backend.with { state, _ in state.account(planned.account.number) } == planned.account)
        }
    }
}
