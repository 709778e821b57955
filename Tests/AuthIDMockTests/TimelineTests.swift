import Foundation
import HTTPTypes
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

@Suite struct TimelineTests {
    private func play(_ yaml: String, on rig: Rig) throws {
        let plan = try MockPlan(yaml: yaml)
        rig.backend.with { state, now in state.play(plan.timeline, now: now) }
    }

    private func told(_ rig: Rig) -> [String] { rig.backend.playDueSteps().map(\.text) }

    @Test func `steps are taken when their time has come`() throws {
        let rig = Rig()
        try play(
            """
            timeline:
              - { say: begins }
              - { afterMs: 2000, fault: { target: status, fault: hang } }
              - { afterMs: 3000, clearFaults: true, say: better }
            """,
            on: rig
        )
        #expect(told(rig) == ["begins"])
        rig.clock.advance(.milliseconds(1999))
        #expect(told(rig) == [])
        rig.clock.advance(.milliseconds(1))
        #expect(told(rig) == ["hang strikes status calls"])
        #expect(rig.backend.with { state, _ in state.listFaults().count } == 1)
        rig.clock.advance(.seconds(3))
        #expect(told(rig) == ["better", "all faults have ended", "the timeline is over"])
        #expect(rig.backend.with { state, _ in state.listFaults().isEmpty })
        #expect(told(rig) == [])
    }

    @Test func `a step waits for another party's action, from the step before on`() throws {
        let rig = Rig()
        try rig.account()
        try rig.login()
        rig.clock.advance(.seconds(1))
        try play(
            """
            timeline:
              - { waitFor: created, say: one }
              - { waitFor: opened, say: two }
              - { waitFor: decided, afterMs: 500, say: three }
            """,
            on: rig
        )
        #expect(told(rig) == ["waiting for a scan to begin"], "the one before does not count")
        #expect(told(rig) == [], "said once")
        rig.clock.advance(.seconds(1))
        let scan = try rig.login()
        rig.backend.with { state, now in state.markOpened(scan.id, now: now) }
        #expect(told(rig) == ["one", "two", "waiting for a scan to end"], "both happened between two looks")
        _ = try rig.backend.with { state, now in try state.decide(scan.id, .decline, now: now) }
        #expect(told(rig) == [])
        rig.clock.advance(.milliseconds(500))
        #expect(told(rig) == ["three", "the timeline is over"])
    }

    @Test func `steps that wait for the same wait for one scan each`() throws {
        let rig = Rig()
        try rig.account()
        try play("timeline: [{ waitFor: decided, say: one }, { waitFor: decided, say: two }]", on: rig)
        let scans = try [rig.login(), rig.login()]
        _ = told(rig)
        _ = try rig.backend.with { state, now in try state.decide(scans[0].id, .accept, now: now) }
        #expect(told(rig) == ["one", "waiting for a scan to end"])
        _ = try rig.backend.with { state, now in try state.decide(scans[1].id, .accept, now: now) }
        #expect(told(rig) == ["two", "the timeline is over"])
    }

    @Test func `a step can end scans, give scenarios, enrol, and change webhooks`() throws {
        let rig = Rig {
            $0.autoEnroll = false
            $0.webhooks = WebhookPlan(url: "http://127.0.0.1:9/", secret: Secret("s"))
        }
        try rig.account()
        try play(
            """
            timeline:
              - enrolment: { account: a, enrolled: true }
              - scenario: { account: b@example.com, steps: [{ outcome: decline }] }
              - webhooks: { copies: 3, disorderMs: 100, mangle: forged }
              - { waitFor: created, outcome: accept, account: a }
            """,
            on: rig
        )
        #expect(
            told(rig).prefix(3) == ["a is enrolled", "a scenario for b@example.com", "webhooks are sent otherwise"]
        )
        #expect(rig.backend.with { state, _ in state.webhookPlan?.mangling } == .forged)
        #expect(rig.backend.with { state, _ in state.webhookPlan?.copies } == 3)
        #expect(rig.backend.with { state, _ in state.scenario(for: "b@example.com")?.stepsLeft } == 1)
        let scan = try rig.login()
        #expect(told(rig) == ["accept: one scan", "the timeline is over"])
        #expect(try rig.status(scan) == .accepted)
    }

    @Test(arguments: [
        ("timeline: [{}]", "does or waits"), ("timeline: [{say: x, wait: created}]", "unknown key"),
        ("timeline: [{waitFor: never}]", "must be one of created"), ("timeline: [{account: a}]", "needs an outcome"),
        ("timeline: [{afterMs: -1}]", "not between"), ("timeline: [{webhooks: {copies: 99}}]", "not between"),
        ("timeline: [{fault: {target: token, fault: late_accept}}]", "does not apply"), ("timeline: 5", "timeline"),
    ])
    func `a step that can't be is named`(yaml: String, words: String) {
        #expect { try MockPlan(yaml: yaml) } throws: { ($0 as? MockPlanError)?.text.contains(words) == true }
    }

    @Test func `the control API plays a scenario file, in YAML or JSON, and tells how far it is`() async throws {
        let rig = Rig()
        try await rig.serve { caller in
            let path = "/_mock/timeline"
            #expect(try await caller.call(.get, path).string("state") == "idle")
            #expect(try await caller.call(.put, path, "accounts: []").status == 400)
            #expect(try await caller.call(.put, path, "timeline: [{say: x, oops: 1}]").status == 400)
            let yaml = "timeline:\n  - { say: hello }\n  - { waitFor: created }\n"
            #expect(try await caller.call(.put, path, yaml).string("state") == "playing")
            _ = rig.backend.playDueSteps()
            let view = try await caller.call(.get, path)
            #expect(try view.int("step") == 2)
            #expect(view.text.contains("hello"))
            let json = #"{"timeline":[{"say":"again"}]}"#
            #expect(try await caller.call(.put, path, json).status == 200)
            _ = rig.backend.playDueSteps()
            #expect(try await caller.call(.get, path).string("state") == "over")
            #expect(try await caller.call(.delete, path).status == 204)
            #expect(try await caller.call(.get, path).string("state") == "idle")
        }
    }

    @Test func `the shipped timelines can be played`() throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../Mocks/scenarios").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let plans = try files.filter { $0.pathExtension == "yaml" }.map {
            try MockPlan(yaml: String(contentsOf: $0, encoding: .utf8))
        }
        #expect(plans.count { !$0.timeline.steps.isEmpty } >= 2)
    }
}

/// The testers' page.
@Suite struct ConsoleTests {
    @Test func `it lists live scans with a button for each outcome, and works by forms alone`() async throws {
        try await Rig().serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            let page = try await caller.call(.get, "/_mock")
            #expect(page.status == 200)
            #expect(page.text.contains("Anna Example"))
            for outcome in Outcome.allCases { #expect(page.text.contains("value=\"\(outcome.rawValue)\"")) }
            #expect(page.text.contains("<noscript><meta http-equiv=\"refresh\""))
            #expect(!page.text.contains(secret))
            let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
            let chosen = try await caller.call(.post, "/_mock/scans/\(id)/choose", "outcome=accept", headers: form)
            #expect(chosen.status == 303)
            #expect(chosen.headers[.location] == "/_mock")
            #expect(try await caller.loginStatus(id).int("Status") == 1)
            let twice = try await caller.call(.post, "/_mock/scans/\(id)/choose", "outcome=decline", headers: form)
            #expect(twice.status == 303, "an old page's button does no harm")
            #expect(try await caller.loginStatus(id).int("Status") == 1)
            let after = try await caller.call(.get, "/_mock?part=list")
            #expect(!after.text.contains("<form method=\"post\" action=\"/_mock/scans"))
            #expect(after.text.contains("Ended"))
            #expect(!after.text.contains("<html"))
            #expect(try await caller.call(.post, "/_mock/scans/\(id)/choose", "outcome=x", headers: form).status == 400)
        }
    }

    @Test func `names are escaped, and nothing comes from elsewhere`() async throws {
        let rig = Rig()
        try rig.backend.with { state, _ in
            try state.createAccount(
                Account(number: "a", displayName: "<script>alert(1)</script>", email: "\"><b>@example.com")
            )
        }
        try rig.login()
        try await rig.serve { caller in
            let page = try await caller.call(.get, "/_mock")
            #expect(!page.text.contains("<script>alert"))
            #expect(!page.text.contains("\"><b>"))
            #expect(page.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(!page.text.contains("http://") && !page.text.contains("https://"))
            for asset in ["/_mock/console.css", "/_mock/console.js"] {
                #expect(try await caller.call(.get, asset).status == 200)
            }
        }
    }

    /// Fetch Metadata: a page on the web must not press the buttons of whoever reads it.
    @Test func `another site presses no button`() async throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login()
        try await rig.serve { caller in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let answer = try await caller.call(
                .post,
                "/_mock/scans/\(scan.id)/choose",
                "outcome=accept",
                headers: [site: "cross-site", .contentType: "application/x-www-form-urlencoded"]
            )
            #expect(answer.status == 403)
        }
        #expect(try rig.status(scan) == .pending)
    }

    @Test func `active settings are shown, and faults end at a press`() async throws {
        let rig = Rig { $0.webhooks = WebhookPlan(url: "http://127.0.0.1:9/hook", secret: Secret("hush")) }
        rig.setFault(FaultRule(target: .status, kind: .flap))
        try await rig.serve { caller in
            let page = try await caller.call(.get, "/_mock")
            #expect(page.text.contains("<strong>flap</strong> strikes") && page.text.contains("127.0.0.1:9/hook"))
            #expect(!page.text.contains("hush"))
            #expect(try await caller.call(.post, "/_mock/faults/clear").status == 303)
            #expect(!(try await caller.call(.get, "/_mock")).text.contains("<strong>flap</strong>"))
        }
    }
}
