import Foundation
import HTTPTypes
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

/// A tester's presses, as a scenario file that does the same again.
@Suite struct RecordingTests {
    static let form: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    func recorded(_ rig: Rig) throws -> Recording {
        try #require(rig.backend.with { state, _ in state.recording })
    }

    func start(_ rig: Rig) { rig.backend.with { state, now in state.startRecording(now: now) } }

    private func decide(_ rig: Rig, _ scan: Scan, _ outcome: Outcome) throws {
        try rig.backend.with { state, now in
            let scan = try state.decide(scan.id, outcome, now: now)
            state.recordOutcome(outcome, of: scan, now: now)
        }
    }

    private func press(_ rig: Rig, _ change: (inout TimelineStep) -> Void) {
        rig.backend.with { state, now in state.record(now: now, change) }
    }

    // MARK: Steps

    @Test func `each press is a step that waits for what happened before it, and then as long as the tester did`()
        throws
    {
        let rig = Rig()
        try rig.account()
        start(rig)
        rig.clock.advance(.seconds(9))
        press(rig) { $0.fault = FaultRule(target: .create, kind: .slow, duration: .seconds(1)) }
        rig.clock.advance(.seconds(2))
        let scan = try rig.login()
        rig.clock.advance(.milliseconds(300))
        rig.backend.with { state, now in state.markOpened(scan.id, now: now) }
        rig.clock.advance(.milliseconds(1500))
        try decide(rig, scan, .rejectMatch)
        rig.clock.advance(.milliseconds(250))
        press(rig) { $0.clearsFaults = true }
        rig.backend.with { state, _ in state.stopRecording() }
        press(rig) { $0.say = "never" }
        #expect(
            try recorded(rig).yaml.split(separator: "\n").dropFirst(2) == [
                "timeline:", "  - { fault: { target: create, fault: slow, ms: 1000 } }",
                "  - { waitFor: opened, afterMs: 1500, outcome: reject_match, account: \"anna@example.com\" }",
                "  - { afterMs: 250, clearFaults: true }",
            ]
        )
        #expect(try recorded(rig).state == .stopped)
    }

    @Test func `two scans before a press are two waits, and none is waited for twice`() throws {
        let rig = Rig()
        try rig.account()
        try rig.login()
        rig.clock.advance(.seconds(1))
        start(rig)
        let first = try rig.login()
        rig.clock.advance(.seconds(1))
        let second = try rig.login()
        try decide(rig, second, .decline)
        try decide(rig, first, .accept)
        let steps = try recorded(rig).steps
        #expect(steps.map(\.waitFor) == [.created, .created, nil], "the scan before the recording does not count")
        #expect(steps.map(\.after) == [.zero, .zero, .zero])
        #expect(steps.map(\.outcome?.outcome) == [nil, .decline, .accept])
    }

    @Test func `faults in force at the beginning are in force at the beginning of a replay`() throws {
        let rig = Rig()
        rig.setFault(FaultRule(target: .status, kind: .flap, count: 3, rate: 0.25, seed: .max))
        start(rig)
        press(rig) { $0.clearsFaults = true }
        let plan = try MockPlan(yaml: try recorded(rig).yaml)
        #expect(plan.faults == [FaultRule(target: .status, kind: .flap, count: 3, rate: 0.25, seed: .max)])
    }

    @Test func `an account without an address is named by its number`() throws {
        let rig = Rig()
        try rig.account(email: "")
        start(rig)
        try decide(rig, try rig.login(), .accept)
        #expect(try recorded(rig).steps.first?.outcome == AccountOutcome(account: "a", outcome: .accept))
    }

    // MARK: Replays

    @Test func `what was recorded is decoded as it was, and has the same effects on other accounts' numbers`() throws {
        let rig = Rig()
        try rig.account("a", email: "anna@example.com")
        try rig.account("b", email: "bert@example.com")
        start(rig)
        let scans = [try rig.login("a"), try rig.login("b")]
        rig.clock.advance(.seconds(1))
        press(rig) { $0.fault = FaultRule(target: .status, kind: .http500, count: 2) }
        rig.setFault(FaultRule(target: .status, kind: .http500, count: 2))
        try decide(rig, scans[1], .decline)
        rig.clock.advance(.seconds(1))
        try decide(rig, scans[0], .accept)
        let recording = try recorded(rig)
        let plan = try MockPlan(yaml: recording.yaml)
        #expect(plan.timeline.steps == recording.steps && plan.faults == recording.faults)

        let replay = Rig(seed: 2)
        replay.backend.with { state, now in state.play(plan.timeline, now: now) }
        #expect(replay.backend.playDueSteps().map(\.text) == ["waiting for a scan to begin"])
        // Another client: later, under other numbers, and in the same order.
        replay.clock.advance(.seconds(30))
        try replay.account("x", email: "Anna@example.com")
        try replay.account("y", email: "bert@example.com")
        let again = [try replay.login("x"), try replay.login("y")]
        _ = replay.backend.playDueSteps()
        #expect(replay.backend.with { state, _ in state.listFaults().isEmpty }, "not before its time")
        replay.clock.advance(.seconds(1))
        _ = replay.backend.playDueSteps()
        #expect(replay.backend.with { state, _ in state.listFaults().map(\.rule.kind) } == [.http500])
        #expect(try replay.current(again[1]).verdict(at: replay.clock.now)?.outcome == .decline)
        #expect(try replay.current(again[0]).verdict(at: replay.clock.now) == nil)
        replay.clock.advance(.seconds(1))
        #expect(replay.backend.playDueSteps().last?.isLast == true)
        #expect(try replay.current(again[0]).verdict(at: replay.clock.now)?.outcome == .accept)
    }

    @Test func `a webhook that was sent by hand is sent again, and not repeated when it fails`() throws {
        let rig = Rig { $0.webhooks = WebhookPlan(url: "http://127.0.0.1:9/", secret: Secret("hush")) }
        try rig.account()
        start(rig)
        let scan = try rig.login()
        let random = rig.backend.inputs.randomBytes
        _ = try rig.backend.with { state, now in
            try state.takeRecordedWebhook(scan.id, WebhookRequest(mangling: .forged), now: now, random: random)
        }
        let step = try #require(try recorded(rig).steps.first?.webhook)
        #expect(step == AccountWebhook(account: "anna@example.com", mangling: .forged))
        let plan = try MockPlan(
            yaml: "timeline: [{ webhook: { account: anna@example.com, mangle: forged, copies: 2 } }]"
        )
        _ = rig.backend.takeDueWebhooks()
        rig.backend.with { state, now in state.play(plan.timeline, now: now) }
        #expect(rig.backend.playDueSteps().first?.text == "a webhook is sent (forged)")
        let due = rig.backend.takeDueWebhooks()
        #expect(due.count == 2 && due.allSatisfy { $0.mangling == .forged && $0.event.scan == scan.id })
        for delivery in due {
            rig.backend.with { state, now in state.finish(delivery, status: 500, now: now, retries: true) }
        }
        rig.clock.advance(.seconds(60))
        #expect(rig.backend.takeDueWebhooks().isEmpty)
        rig.backend.with { state, now in
            state.setWebhooks(nil)
            state.play(plan.timeline, now: now)
        }
        #expect(rig.backend.playDueSteps().first?.text == "webhooks are off: nothing to send")
    }

    @Test(arguments: [
        "timeline: [{ webhook: { copies: 0 } }]", "timeline: [{ webhook: { copies: 21 } }]",
        "timeline: [{ webhook: { mangle: none } }]", "timeline: [{ webhook: { url: x } }]",
        "timeline: [{ webhook: 1 }]",
    ])
    func `a webhook step that can't be is refused`(_ yaml: String) {
        #expect(throws: MockPlanError.self) { try MockPlan(yaml: yaml) }
    }

    @Test func `steps of every kind, with any values, come out of the text as they went in`() throws {
        var random = SeededGenerator(seed: 11)
        var recording = Recording(at: Instant(seconds: 0), faults: [], limits: Recording.Limits())
        var time = Instant(seconds: 0)
        for _ in 0..<300 {
            time = time + .milliseconds(Int64(random.unitInterval() * 100_000))
            let step = Self.anyStep(&random)
            recording.append(at: time, after: [], now: time) { recorded in
                let after = recorded.after
                recorded = step
                recorded.after = after
            }
        }
        #expect(recording.steps.count == 300 && recording.state == .recording)
        #expect(try MockPlan(yaml: recording.yaml).timeline.steps == recording.steps)
    }

    private static func anyStep(_ random: inout SeededGenerator) -> TimelineStep {
        func draw<Value>(_ values: [Value]) -> Value { values[Int(random.unitInterval() * Double(values.count))] }
        let name = draw(["a@example.com", "x\"y", "", "ü\u{301}\u{202E}", "- {", "null", "1e3", "true", "~", "a: b #c"])
        var step = TimelineStep()
        switch Int(random.unitInterval() * 7) {
        case 0: step.say = name
        case 1: step.clearsFaults = true
        case 2:
            step.fault = FaultRule(
                target: .status,
                kind: draw([.hang, .slow]),
                count: draw([nil, 1, .max]),
                rate: draw([1, 0, 0.1, 1e-7, 0.30000000000000004]),
                duration: draw([nil, .zero, .milliseconds(86_400_000)]),
                seed: draw([nil, 0, .max])
            )
        case 3:
            let steps = [ScenarioStep(outcome: .accept, after: .milliseconds(5)), ScenarioStep(fault: .garbage)]
            step.scenario = AccountScenario(
                account: name,
                scenario: Scenario(steps: steps, repeats: draw([true, false]))
            )
        case 4: step.enrolment = AccountEnrolment(account: name, isEnrolled: draw([true, false]))
        case 5: step.outcome = AccountOutcome(account: draw([nil, name]), outcome: draw(Outcome.allCases))
        default:
            let plan = WebhookPlan(
                url: "http://127.0.0.1:9/",
                secret: Secret("hush"),
                copies: 3,
                mangling: draw([nil, .stale])
            )
            step.webhooks = WebhookChange(of: plan)
            step.webhook = AccountWebhook(account: name, mangling: draw([nil, .foreign]), copies: draw([1, 20]))
        }
        return step
    }

    // MARK: Attacks

    static let hostile = [
        "a\"b@example.com", "a\\b@example.com", "a\nb: c@example.com", "a\r\n- { clearFaults: true }@example.com",
        "\u{85}\u{2028}\u{2029}@example.com", "\u{202E}moc.elpmaxe@a", "\u{0}\u{7}\u{7F}@example.com", "😀@example.com",
        "\"} ]\ntimeline: []\n#@example.com", "*anchor@example.com", "&a !!binary@example.com", "%YAML@example.com",
        "<script>alert(1)</script>@example.com", String(repeating: "ä", count: 300) + "@example.com",
        "a\u{FEFF}@example.com",
        "e\u{301}@example.com", "\u{1F468}\u{200D}\u{1F469}@example.com", "---@example.com",
    ]

    @Test(arguments: hostile)
    func `attack: no address of a client becomes another step, key or line of the file`(_ email: String) throws {
        let rig = Rig()
        try rig.account(email: email)
        start(rig)
        try decide(rig, try rig.login(), .accept)
        let recording = try recorded(rig)
        let lines = recording.yaml.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == 5 && lines.last == "", "two of comment, one of key, one of step")
        #expect(recording.yaml.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
        let plan = try MockPlan(yaml: recording.yaml)
        #expect(plan.timeline.steps == recording.steps)
        let name = try #require(plan.timeline.steps.first?.outcome?.account)
        #expect(Array(name.unicodeScalars) == Array(email.unicodeScalars))
    }

    @Test(arguments: hostile)
    func `attack: no address becomes markup of the page`(_ email: String) async throws {
        let rig = Rig()
        try rig.account(email: email)
        start(rig)
        try decide(rig, try rig.login(), .accept)
        rig.backend.with { state, _ in state.stopRecording() }
        try await rig.serve { caller in
            let page = try await caller.call(.get, "/_mock")
            #expect(page.text.contains("<pre tabindex=\"0\"") && !page.text.contains("<script>alert"))
            #expect(page.text.contains("account: &quot;"))
            let file = try await caller.call(.get, "/_mock/recording/scenario.yaml")
            #expect(try MockPlan(yaml: file.text).timeline.steps.count == 1)
        }
    }

    @Test func `attack: a recording is bounded, and what is in it can still be played`() throws {
        let rig = Rig { $0.limits.recording.steps = 50 }
        start(rig)
        for _ in 0..<200 { press(rig) { $0.clearsFaults = true } }
        let full = try recorded(rig)
        #expect(full.steps.count == 50 && full.state == .full)
        #expect(try MockPlan(yaml: full.yaml).timeline.steps.count == 50)

        let long = Rig()
        start(long)
        let scenario = Scenario(steps: (0..<1_000).map { _ in ScenarioStep(outcome: .accept) })
        for index in 0..<100 {
            press(long) { $0.scenario = AccountScenario(account: "\(index)@example.com", scenario: scenario) }
        }
        let recording = try recorded(long)
        #expect(recording.state == .full && !recording.steps.isEmpty)
        #expect(recording.yaml.utf8.count < 60_000, "the control API takes it: its bodies end at 64 KiB")
        #expect(try MockPlan(yaml: recording.yaml).timeline.steps == recording.steps)
    }

    @Test func `a pause of days is no fault of the file, and a reset ends the recording`() throws {
        let rig = Rig()
        start(rig)
        press(rig) { $0.clearsFaults = true }
        rig.clock.advance(.seconds(500_000))
        press(rig) { $0.clearsFaults = true }
        #expect(try MockPlan(yaml: try recorded(rig).yaml).timeline.steps.last?.after == .seconds(86_400))
        let random = rig.backend.inputs.randomBytes
        rig.backend.with { state, _ in state.reset(random: random) }
        #expect(rig.backend.with { state, _ in state.recording } == nil)
    }
}
