import HTTPTypes
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

// The forms of the control page that record.
extension RecordingTests {
    @Test func `record, stop, save and discard work by forms alone`() async throws {
        let rig = Rig { $0.webhooks = WebhookPlan(url: "http://127.0.0.1:9/", secret: Secret("hush")) }
        try await rig.serve { caller in
            let recording = "/_mock/recording"
            #expect(try await caller.call(.get, recording).string("state") == "idle")
            #expect(try await caller.call(.get, recording + "/scenario.yaml").status == 404)
            #expect(try await caller.call(.get, "/_mock").text.contains("action=\"/_mock/recording/start\""))
            let started = try await caller.call(.post, recording + "/start")
            #expect(started.status == 303 && started.headers[.location] == "/_mock")
            let (caller, id, secret) = try await caller.withLogin()
            let fault = "target=status&fault=flap&count=2"
            #expect(try await caller.call(.post, "/_mock/faults/set", fault, headers: Self.form).status == 303)
            #expect(
                try await caller.call(.post, "/_mock/scans/\(id)/choose", "outcome=accept", headers: Self.form).status
                    == 303
            )
            #expect(
                try await caller.call(.post, "/_mock/scans/\(id)/choose", "outcome=decline", headers: Self.form).status
                    == 303,
                "a press that did nothing is not recorded"
            )
            #expect(try await caller.call(.post, "/_mock/faults/clear").status == 303)
            #expect(try await caller.call(.put, "/_mock/webhooks", #"{"copies":2,"mangle":"stale"}"#).status == 200)
            #expect(try await caller.call(.get, recording).int("steps") == 4)
            #expect(try await caller.call(.get, "/_mock").text.contains("action=\"/_mock/recording/stop\""))
            #expect(try await caller.call(.post, recording + "/stop").status == 303)
            let file = try await caller.call(.get, recording + "/scenario.yaml")
            #expect(file.headers[.contentType] == "application/yaml; charset=utf-8")
            #expect(file.headers[.contentDisposition] == #"attachment; filename="scenario.yaml""#)
            #expect(!file.text.contains("hush") && !file.text.contains("127.0.0.1") && !file.text.contains(secret))
            let steps = try MockPlan(yaml: file.text).timeline.steps
            #expect(steps.map(\.outcome?.outcome) == [nil, .accept, nil, nil] && steps[2].clearsFaults)
            #expect(steps[0].fault == FaultRule(target: .status, kind: .flap, count: 2))
            #expect(try await caller.call(.put, "/_mock/timeline", file.text).status == 200, "unchanged")
            #expect(try await caller.call(.post, recording + "/discard").status == 303)
            #expect(try await caller.call(.get, recording).string("state") == "idle")
        }
    }

    @Test func `a press on the scan's own page is recorded as well`() async throws {
        let rig = Rig()
        start(rig)
        try await rig.serve { caller in
            let (caller, id, secret) = try await caller.withLogin()
            let link = "t=\(id)&s=\(PercentEncoding.component(secret))"
            _ = try await caller.call(.get, "/?" + link)
            for outcome in ["cancel", "accept"] { _ = try await caller.call(.post, "/", "\(link)&outcome=\(outcome)") }
        }
        let steps = try recorded(rig).steps
        #expect(steps.map(\.waitFor) == [.opened] && steps.map(\.outcome?.outcome) == [.cancel])
    }

    @Test(arguments: [
        "target=token&fault=late_accept", "target=token", "fault=flap", "target=x&fault=flap", "target=status&fault=x",
        "target=status&fault=flap&count=0", "target=status&fault=flap&count=-1", "target=status&fault=flap&count=x",
        "target=status&fault=flap&count=99999999999999999999", "",
    ])
    func `a fault that can't be is refused, and is not recorded`(_ body: String) async throws {
        let rig = Rig()
        start(rig)
        try await rig.serve { caller in
            let answer = try await caller.call(.post, "/_mock/faults/set", body, headers: Self.form)
            #expect(answer.status == 400)
        }
        #expect(try recorded(rig).steps.isEmpty)
        #expect(rig.backend.with { state, _ in state.listFaults().isEmpty })
    }

    /// Fetch Metadata: a page on the web must not press the buttons of whoever reads it.
    @Test func `attack: another site starts, stops and sets nothing`() async throws {
        let rig = Rig()
        start(rig)
        try await rig.serve { caller in
            let site = try #require(HTTPField.Name("Sec-Fetch-Site"))
            let headers: HTTPFields = [site: "cross-site", .contentType: "application/x-www-form-urlencoded"]
            for path in ["recording/start", "recording/stop", "recording/discard", "faults/set"] {
                let answer = try await caller.call(
                    .post,
                    "/_mock/\(path)",
                    "target=status&fault=flap",
                    headers: headers
                )
                #expect(answer.status == 403, "\(path)")
            }
            #expect(try await caller.call(.get, "/_mock/recording/scenario.yaml", headers: headers).status == 403)
        }
        #expect(try recorded(rig).state == .recording)
    }

    @Test func `a webhook is sent from the page only where webhooks are on, and only of a known kind`() async throws {
        let rig = Rig()
        try rig.account()
        let scan = try rig.login()
        try await rig.serve { caller in
            let path = "/_mock/scans/\(scan.id)/report"
            let answer = try await caller.call(.post, path, "mangle=", headers: Self.form)
            #expect(answer.status == 400)
            #expect(try await !caller.call(.get, "/_mock").text.contains("/report"))
        }
        rig.backend.with { state, _ in
            state.setWebhooks(WebhookPlan(url: "http://127.0.0.1:9/", secret: Secret("hush")))
        }
        try await rig.serve { caller in
            let path = "/_mock/scans/\(scan.id)/report"
            let page = try await caller.call(.get, "/_mock")
            #expect(page.text.contains("action=\"\(path)\""))
            #expect(try await caller.call(.post, path, "mangle=nothing", headers: Self.form).status == 400)
            #expect(try await caller.call(.post, path, "mangle=forged", headers: Self.form).status == 303)
        }
    }
}
