import Crypto
import FaceProviders
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Telemetry
import Testing

@testable import Assembly
@testable import Settings

/// `POST /webhooks/{provider}` from outside.
struct WebhookTests {
    private static let key = Data(repeating: 5, count: 32)
    private static let webhook: WebhookSettings = {
        var webhook = WebhookSettings()
        webhook.verifier.keys = [Secret("whsec_" + key.base64EncodedString())]
        webhook.verifier.reference = JSONPointer("/data/id").map { WebhookReferencePath($0) } ?? .root
        return webhook
    }()

    /// A bench whose provider has webhooks, and is otherwise asked once in ten minutes.
    private func run(
        _ setup: TestingSetup = .router,
        storage: HarnessStorage = .usual,
        measured: Bool = false,
        _ body: @Sendable (Harness) async throws -> Void
    ) async throws {
        try await Harness.run(setup, storage: storage) { settings in
            settings.metrics.enabled = measured
            settings.providers["silent"] = settings.providers["mock"]
            settings.providers["mock"]?.webhook = Self.webhook
            settings.faceLogin.cadence.cold = .seconds(600)
        } _: {
            try await body($0)
        }
    }

    private func headers(
        _ harness: Harness,
        _ body: String,
        id: String = "msg_1",
        offset: Duration = .zero,
        key: Data = key
    ) -> HTTPFields {
        let time = (harness.time.wall + offset).seconds
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(time).\(body)".utf8),
            using: SymmetricKey(data: key)
        )
        return [
            .named("webhook-id"): id, .named("webhook-timestamp"): "\(time)",
            .named("webhook-signature"): "v1,\(Data(code).base64EncodedString())",
        ]
    }

    private func body(_ reference: ProviderReference) -> String {
        #"{"type":"scan.decided","data":{"id":"\#(reference.text)","status":1}}"#
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a signed webhook is taken, and the login goes on at once`(_ storage: HarnessStorage) async throws {
        try await run(storage: storage) { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let reference = try #require(harness.provider.newest)
            harness.provider.answer(reference, .approved)
            let text = body(reference)
            let response = try await harness.send(.post, "/webhooks/mock", headers(harness, text), body: text)
            #expect(response.status == .ok)
            #expect(response.text == #"{"status":"received"}"#)
            #expect(response.headers[.cacheControl] == "no-store")
            #expect(harness.provider.checkCount == 0, "answered before anybody is asked")
            await harness.pass(.milliseconds(50))
            let poll = try await harness.poll(login, login.bound)
            #expect(try poll.json()["status"] as? String == "completed")
        }
    }

    // T-057
    @Test func `a forged webhook is refused and approves nobody`() async throws {
        try await run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let text = body(try #require(harness.provider.newest))
            let forged = headers(harness, text, key: Data(repeating: 6, count: 32))
            let unsigned = forged.filter { $0.name.canonicalName != "webhook-signature" }
            var tampered = headers(harness, text)
            tampered[.named("webhook-id")] = "msg_2"
            for fields in [forged, HTTPFields(unsigned), tampered, [:]] {
                let response = try await harness.send(.post, "/webhooks/mock", fields, body: text)
                try harness.expect(response, is: "webhook_not_verified", 401)
                #expect(response.headers[.wwwAuthenticate] != nil, "RFC 9110 §15.5.2")
            }
            await harness.pass(.seconds(5))
            #expect(harness.provider.checkCount == 0)
            #expect(try await harness.poll(login, login.bound).json()["status"] as? String == "pending")
            #expect(harness.webhooks(.forged) == 2)
            #expect(harness.webhooks(.unsigned) == 2)
        }
    }

    // T-058
    @Test func `a replayed webhook asks nobody, and a stale one is refused`() async throws {
        try await run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let text = body(try #require(harness.provider.newest))
            let signed = headers(harness, text)
            for _ in 0..<3 {
                #expect(try await harness.send(.post, "/webhooks/mock", signed, body: text).status == .ok)
                await harness.pass(.seconds(1))
            }
            // Each daemon remembers what it has received.
            let count = harness.daemons.compositions.count
            #expect(harness.provider.checkCount == count)
            harness.time.advance(by: .seconds(400))
            try harness.expect(
                try await harness.send(.post, "/webhooks/mock", signed, body: text),
                is: "webhook_stale",
                400
            )
            let early = headers(harness, text, id: "msg_9", offset: .seconds(400))
            try harness.expect(
                try await harness.send(.post, "/webhooks/mock", early, body: text),
                is: "webhook_stale",
                400
            )
            #expect(harness.webhooks(.duplicate) == 3 - count)
            #expect(harness.webhooks(.stale) == 2)
        }
    }

    // T-059
    /// The existence of a provider or of its webhooks shows in the status alone.
    ///
    /// The same body is read and the same code computed, so that an oversized or slow body tells nothing more.
    @Test func `a provider that there is not, or that has no webhooks, is not found`() async throws {
        try await run { harness in
            for name in ["silent", "nobody", "mock%00", "..", "MOCK"] {
                let response = try await harness.send(.post, "/webhooks/\(name)", headers(harness, "{}"), body: "{}")
                try harness.expect(response, is: "not_found", 404)
                let large = String(repeating: "x", count: 70_000)
                let refused = try await harness.send(.post, "/webhooks/\(name)", headers(harness, large), body: large)
                #expect(refused.status == .contentTooLarge, "as for one that there is")
            }
            let counts = harness.daemons.compositions.map(\.webhooks.counts)
            #expect(counts.allSatisfy { $0.snapshot.isEmpty }, "names that outsiders make up are not kept")
            #expect(counts.reduce(0) { $0 + $1.unknownProvider } == 10)
        }
    }

    // T-249
    @Test func `an oversized body is refused and counted`() async throws {
        try await run { harness in
            let large = #"{"data":{"id":"x"}}"# + String(repeating: " ", count: 70_000)
            let response = try await harness.send(.post, "/webhooks/mock", headers(harness, large), body: large)
            try harness.expect(response, is: "payload_too_large", 413)
            #expect(harness.composition.webhooks.counts.snapshot[ProviderName("mock")]?[.oversized] == 1)
        }
    }

    @Test(.ofOneDaemon(.oneCounter))
    func `attack: the metrics count forged, replayed, reordered, stale and oversized webhooks apart`()
        async throws
    {
        try await run(measured: true) { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let text = body(try #require(harness.provider.newest))
            let newest = headers(harness, text, offset: .seconds(1))
            // Each is sent its own number of times, so that no series can be mistaken for another.
            let forged = headers(harness, text, id: "msg_2", key: Data(repeating: 6, count: 32))
            let earlier = headers(harness, text, id: "msg_3")
            let stale = headers(harness, text, id: "msg_4", offset: .seconds(-400))
            let sent: [(HTTPFields, Int)] = [(newest, 3), (forged, 3), (earlier, 1), (stale, 4), ([:], 5)]
            for (fields, times) in sent {
                for _ in 0..<times { try await harness.send(.post, "/webhooks/mock", fields, body: text) }
            }
            let large = String(repeating: "x", count: 70_000)
            for _ in 0..<6 { try await harness.send(.post, "/webhooks/mock", headers(harness, large), body: large) }
            for name in ["nobody", "..", "silent"] {
                try await harness.send(.post, "/webhooks/\(name)", newest, body: text)
            }

            let metrics = try #require(harness.composition.metrics).text().split(separator: "\n").map(String.init)
            let series = metrics.filter { $0.hasPrefix("vestibule_webhooks_total{") }
            let counted = [
                ("hinted", 1), ("duplicate", 2), ("forged", 3), ("reordered", 1), ("stale", 4), ("unsigned", 5),
                ("oversized", 6), ("absorbed", 0), ("unmatched", 0), ("unreadable", 0), ("malformed", 0),
            ]
            for (outcome, count) in counted {
                let line = #"vestibule_webhooks_total{provider="mock",outcome="\#(outcome)"} \#(count)"#
                #expect(series.contains(line), "\(line) in \(series)")
            }
            #expect(series.contains(#"vestibule_webhooks_total{provider="",outcome="unknown_provider"} 3"#))
            #expect(series.count == counted.count + 1, "names that outsiders make up become no series")
            #expect(metrics.contains("# TYPE vestibule_webhooks_total counter"))
        }
    }

    // T-059
    @Test func `webhooks about unknown scans and with any body get the same answer`() async throws {
        try await run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let known = body(try #require(harness.provider.newest))
            var answers: Set<String> = []
            for (number, text) in [known, body(ProviderReference("nobody's")), "{}", "[]", "nonsense", "", "\"x\""]
                .enumerated()
            {
                let signed = headers(harness, text, id: "msg_\(number)")
                let response = try await harness.send(.post, "/webhooks/mock", signed, body: text)
                #expect(response.status == .ok, "\(text)")
                answers.insert("\(response.text) \(response.headerNames)")
            }
            #expect(answers.count == 1)
        }
    }

    @Test func `a webhook with a repeated header gets 401`() async throws {
        try await run(.live) { harness in
            let text = "{}"
            var doubled = headers(harness, text)
            doubled.append(HTTPField(name: .named("webhook-id"), value: "msg_2"))
            let response = try await harness.send(.post, "/webhooks/mock", doubled, body: text)
            try harness.expect(response, is: "webhook_not_verified", 401)
            #expect(try await harness.send(.post, "/webhooks/mock", headers(harness, text), body: text).status == .ok)
            try harness.expect(try await harness.send(.get, "/webhooks/mock"), is: "method_not_allowed", 405)
        }
    }

    @Test func `webhooks are answered during the provider's outage, with at most one check every half second`()
        async throws
    {
        try await run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let text = body(try #require(harness.provider.newest))
            harness.provider.fail(with: .unavailable(cause: "down"))
            for number in 0..<20 {
                let signed = headers(harness, text, id: "msg_\(number)")
                #expect(try await harness.send(.post, "/webhooks/mock", signed, body: text).status == .ok)
                await harness.pass(.milliseconds(100))
            }
            #expect(harness.provider.checkCount <= 6, "and asks a provider that is down no more than every half second")
            #expect(try await harness.poll(login, login.bound).json()["status"] as? String == "pending")
        }
    }

    @Test(.ofOneDaemon(.oneCounter)) func `neither secrets nor bodies are logged`() async throws {
        try await run { harness in
            for number in 0..<10 {
                let text = #"{"data":{"id":"a face \#(number)"}}"#
                let forged = headers(harness, text, key: Data(repeating: 6, count: 32))
                try await harness.send(.post, "/webhooks/mock", forged, body: text)
            }
            let lines = harness.log.lines.map(\.text).joined(separator: "\n")
            #expect(!lines.contains("a face"))
            #expect(!lines.contains("whsec_"))
            #expect(
                lines.components(separatedBy: "a webhook was refused: the reason says why").count - 1 == 4,
                "1, 2, 4, 8: not ten lines"
            )
        }
    }
}
