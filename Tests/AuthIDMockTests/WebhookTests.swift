import Crypto
import Foundation
import HTTPTypes
import Kernel
import MockServing
import Testing

@testable import AuthIDMock

/// Webhooks as the mock makes them; what it sends over a socket is in the end-to-end tests.
@Suite struct WebhookTests {
    private static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

    private func rig(_ change: (inout WebhookPlan) -> Void = { _ in }) throws -> Rig {
        var plan = WebhookPlan(url: "http://127.0.0.1:9/", secret: Secret(Self.secret))
        change(&plan)
        let rig = Rig { $0.webhooks = plan }
        try rig.account()
        return rig
    }

    private func due(_ rig: Rig) -> [WebhookDelivery] { rig.backend.takeDueWebhooks() }

    @Test func `a scan's begin, opening and end are reported`() throws {
        let rig = try rig()
        let scan = try rig.login()
        #expect(due(rig).map(\.event.kind) == [.created])
        #expect(due(rig).isEmpty)
        rig.backend.with { state, now in state.markOpened(scan.id, now: now) }
        #expect(due(rig).map(\.event.kind) == [.opened])
        _ = try rig.backend.with { state, now in try state.decide(scan.id, .accept, now: now) }
        let last = try #require(due(rig).first)
        #expect(last.event.kind == .decided)
        #expect(last.event.body.contains(#""data":{"id":"\#(scan.id)","status":1}"#))
        rig.clock.advance(.seconds(1000))
        #expect(due(rig).isEmpty, "an end is told once")
    }

    @Test func `an end by itself is reported as well`() throws {
        let rig = try rig()
        try rig.login(timeout: .seconds(10))
        _ = due(rig)
        rig.clock.advance(.seconds(10))
        #expect(due(rig).map(\.event.status) == [.expired])
    }

    @Test func `copies have one id, and disorder lets a later event come first`() throws {
        let rig = try rig {
            $0.copies = 3
            $0.disorder = .seconds(5)
        }
        let scan = try rig.login()
        _ = try rig.backend.with { state, now in try state.decide(scan.id, .accept, now: now) }
        _ = due(rig)
        var events: [WebhookEvent] = rig.backend.with { state, _ in
            state.listDeliveries(limit: 100).filter { $0.sent != nil }.map(\.delivery.event)
        }
        for _ in 0..<60 {
            rig.clock.advance(.milliseconds(100))
            events += due(rig).map(\.event)
        }
        #expect(Set(events.map(\.name)).count == 2, "one id for each of two events")
        #expect(events.count >= 5)
        let kinds = events.map(\.kind)
        #expect(kinds != [.created, .created, .created, .decided, .decided, .decided], "seed 1 mixes them")
    }

    @Test func `a receiver that fails is asked again with the same id`() throws {
        let rig = try rig()
        try rig.login()
        let first = try #require(due(rig).first)
        rig.backend.with { state, now in state.finish(first, status: 503, now: now, retries: true) }
        #expect(due(rig).isEmpty)
        rig.clock.advance(.seconds(1))
        let second = try #require(due(rig).first)
        #expect(second.event == first.event)
        #expect(second.attempt == 2)
        rig.backend.with { state, now in state.finish(second, status: 200, now: now, retries: true) }
        rig.clock.advance(.seconds(60))
        #expect(due(rig).isEmpty)
    }

    @Test func `the published example of Standard Webhooks is signed alike`() throws {
        let key = try #require(Data(base64Encoded: String(Self.secret.dropFirst(6))))
        let rig = try rig()
        try rig.login()
        let delivery = try #require(due(rig).first)
        let plan = WebhookPlan(url: "", secret: Secret(Self.secret))
        let signed = SignedWebhook(delivery, plan, now: Instant(seconds: 1_614_265_330))
        let headers = Dictionary(uniqueKeysWithValues: signed.headers.map { ($0.name, $0.value) })
        let content = Data("\(delivery.event.name).1614265330.".utf8) + Data(signed.body)
        let code = Data(HMAC<SHA256>.authenticationCode(for: content, using: SymmetricKey(data: key)))
        #expect(headers["webhook-id"] == delivery.event.name)
        #expect(headers["webhook-timestamp"] == "1614265330")
        #expect(headers["webhook-signature"] == "v1,\(code.base64EncodedString())")
        #expect(!delivery.event.name.contains("."))
    }

    @Test func `each mangling spoils its part`() throws {
        let rig = try rig()
        let scan = try rig.login()
        let plan = WebhookPlan(url: "", secret: Secret(Self.secret))
        let whole = try #require(due(rig).first)
        func signed(_ mangling: WebhookMangling?) -> SignedWebhook {
            let delivery = WebhookDelivery(
                number: 0,
                event: whole.event,
                attempt: 1,
                due: rig.clock.now,
                mangling: mangling
            )
            return SignedWebhook(delivery, plan, now: rig.clock.now)
        }
        func header(_ name: String, _ webhook: SignedWebhook) -> String? {
            webhook.headers.first { $0.name == name }?.value
        }
        let good = signed(nil)
        #expect(header("webhook-signature", signed(.forged)) != header("webhook-signature", good))
        #expect(header("webhook-signature", signed(.unsigned)) == nil)
        #expect(signed(.tampered).body != good.body)
        #expect(header("webhook-signature", signed(.tampered)) == header("webhook-signature", good))
        for (mangling, offset) in [(WebhookMangling.stale, -3600), (.early, 3600)] {
            let time = header("webhook-timestamp", signed(mangling)).flatMap { Int64($0) }
            #expect(time == rig.clock.now.seconds + Int64(offset))
        }
        #expect(!String(decoding: signed(.foreign).body, as: UTF8.self).contains(scan.id.description))
        #expect(signed(.oversized).body.count > 65_536)
        #expect((try? JSONSerialization.jsonObject(with: Data(signed(.garbage).body))) == nil)
    }

    @Test func `the plain scheme signs time and body in headers of its own`() throws {
        let rig = try rig { $0.scheme = .hmac }
        try rig.login()
        let delivery = try #require(due(rig).first)
        let plan = try #require(rig.backend.with { state, _ in state.webhookPlan })
        let signed = SignedWebhook(delivery, plan, now: rig.clock.now)
        #expect(signed.headers.map(\.name) == ["Content-Type", "X-Timestamp", "X-Signature"])
        let key = SymmetricKey(data: Data(Self.secret.utf8))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(rig.clock.now.seconds).".utf8) + Data(signed.body),
            using: key
        )
        #expect(signed.headers.last?.value == code.map { String(format: "%02x", $0) }.joined())
    }

    @Test func `the control API turns them on and off and never returns the secret`() async throws {
        try await Rig().serve { caller in
            let path = "/_mock/webhooks"
            #expect(try await caller.call(.put, path, "{}").status == 400)
            let on = try await caller.call(.put, path, #"{"url":"http://127.0.0.1:9/x","secret":"hush","copies":2}"#)
            #expect(on.status == 200)
            let more = try await caller.call(.put, path, #"{"disorderMs":500,"mangle":"stale"}"#)
            #expect(more.text.contains(#""copies":2"#) && more.text.contains(#""disorderMs":500"#))
            #expect(more.text.contains(#""mangle":"stale""#))
            #expect(!more.text.contains("hush"))
            #expect(!(try await caller.call(.put, path, #"{"mangle":"none"}"#)).text.contains("mangle"))
            for body in [
                #"{"copies":0}"#, #"{"copies":21}"#, #"{"mangle":"x"}"#, #"{"scheme":"x"}"#, #"{"nonsense":1}"#,
            ] {
                #expect(try await caller.call(.put, path, body).status == 400, "\(body)")
            }
            #expect(try await caller.call(.delete, path).status == 204)
            #expect(try await caller.call(.get, path).text == #"{"deliveries":[]}"#)
        }
    }

    /// OWASP, Server Side Request Forgery Prevention: whoever reaches the control API must not reach the network by it.
    @Test(arguments: [
        "http://169.254.169.254/latest", "http://10.0.0.1/", "http://example.com/", "file:///etc/passwd", "http:///x",
        "x",
        "http://127.0.0.1@example.com/", "http://127.0.0.1.example.com/", "http://0x7f.1/", "gopher://127.0.0.1/",
    ])
    func `webhooks do not leave this machine`(url: String) async throws {
        #expect(!WebhookAddress.isAllowed(url, remote: false))
        try await Rig().serve { caller in
            let answer = try await caller.call(.put, "/_mock/webhooks", #"{"url":"\#(url)","secret":"s"}"#)
            #expect(answer.status == 400)
        }
    }

    @Test func `with --allow-remote they may`() {
        #expect(WebhookAddress.isAllowed("https://hooks.example.com/x", remote: true))
        #expect(!WebhookAddress.isAllowed("file:///etc/passwd", remote: true))
        for url in ["http://127.0.0.1:8080/x", "http://localhost/x", "https://[::1]:8443/x", "http://127.9.9.9/"] {
            #expect(WebhookAddress.isAllowed(url, remote: false), "\(url)")
        }
    }
}
