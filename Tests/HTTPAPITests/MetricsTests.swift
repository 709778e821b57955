import HTTPTypes
import HummingbirdTesting
import Kernel
import Logging
import MemoryStore
import Operations
import Settings
import Telemetry
import Testing

@testable import Assembly

struct MetricsTests {
    private static func measured(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run(.router, { $0.metrics.enabled = true }, body)
    }

    // T-224
    @Test func `without metrics.enabled nothing is measured`() async throws {
        try await Harness.run { harness in #expect(harness.composition.metrics == nil) }
    }

    @Test(.ofOneDaemon(.oneCounter))
    func `a login shows in every family, and nothing is measured that is not declared`()
        async throws
    {
        try await Self.measured { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            _ = try await harness.poll(login, login.bound)
            try await harness.send(.post, login.ackPath, login.bound)
            let text = try #require(harness.composition.metrics).text()
            for line in [
                #"vestibule_operation_transitions_total{state="created"} 1"#,
                #"vestibule_operation_transitions_total{state="approved"} 1"#,
                #"vestibule_operation_transitions_total{state="closed"} 1"#,
                #"vestibule_operation_verdict_seconds_count{verdict="approved"} 1"#,
                #"vestibule_operations{state="closed"} 1"#, "vestibule_waiters_parked 0",
                #"vestibule_provider_request_seconds_count{provider="mock",call="begin",outcome="answered"} 1"#,
                #"vestibule_provider_healthy{provider="mock"} 1"#,
                #"vestibule_limiter_refusals_total{limiter="store_lookups"} 0"#,
                #"vestibule_http_requests_total{method="POST",route="/go/{ticket}",status="303"} 1"#,
                #"vestibule_http_requests_total{method="GET",route="/auth/biometric-login/poll/{operationId}","#
                    + #"status="200"} 1"#,
            ] {
                #expect(text.contains(line + "\n"), "\(line)")
            }
            let family = "vestibule_watcher_lag_seconds_count"
            let value = text.split(separator: "\n").first { $0.hasPrefix(family) }?.split(separator: " ").last
            #expect(value.flatMap { Int($0) } ?? 0 > 0, "\(family)")
            #expect(harness.composition.metrics?.refused == [])
        }
    }

    @Test(.ofOneDaemon(.oneCounter)) func `a failed login counts by its code, and a refusal by its reason`()
        async throws
    {
        try await Self.measured { harness in
            let login = try await harness.start()
            try await harness.open(login)
            try await harness.judge(.rejected(.notMatched))
            try await harness.send(.post, login.cancelPath)
            let text = try #require(harness.composition.metrics).text()
            #expect(text.contains(#"vestibule_operation_failures_total{code="not_matched"} 1"#))
            #expect(text.contains(#"vestibule_operation_verdict_seconds_count{verdict="rejected"} 1"#))
            #expect(text.contains(#"vestibule_refusals_total{reason="cancel_unproven"} 1"#))
        }
    }

    @Test(.ofOneDaemon(.oneCounter), arguments: [(ScanStatus.nonsense, "nonsense"), (.unrecognised, "unrecognised")])
    func `garbage from a provider has an outcome of its own, in the metrics, in health and in the log`(
        _ garbage: ScanStatus,
        _ word: String
    ) async throws {
        try await Self.measured { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let series = #"vestibule_provider_request_seconds_count{provider="mock",call="check",outcome="#
            // Two such answers and less than 15 seconds: the provider is degraded, and the login continues.
            for _ in 0..<2 { try await harness.judge(garbage) }
            let text = try #require(harness.composition.metrics).text()
            func count(_ outcome: String) -> Int? {
                text.split(separator: "\n").first { $0.hasPrefix(series + "\"\(outcome)\"} ") }?
                    .split(separator: " ").last.flatMap { Int($0) }
            }
            #expect(count("unreadable") ?? 0 > 0, "\(text)")
            #expect(count("answered") ?? 0 == 0 && count("unavailable") ?? 0 == 0)
            // A status that the table does not know is an answer about the scan: its provider is up.
            let isWell = garbage == .unrecognised
            #expect(text.contains(#"vestibule_provider_healthy{provider="mock"} "# + (isWell ? "1\n" : "0\n")))
            let ready = try await harness.send(.get, "/readyz")
            #expect(ready.status == .ok)
            #expect(try ready.json()["providers"] as? [String: String] == ["mock": isWell ? "ok" : "degraded"])
            let line = try #require(
                harness.log.lines.first {
                    $0.message
                        == "the provider's answer to a check can't be read: compare the provider's config with its API"
                }
            )
            #expect(line.level == .warning && line.metadata["provider"] == "mock")
            #expect(line.metadata["answer"] == word)
            #expect(try await harness.word(login) != "provider_error")
        }
    }

    // CWE-400, and https://prometheus.io/docs/practices/naming/#labels: label values without end are memory without end.
    // T-257
    @Test(.ofOneDaemon(.oneCounter)) func `attack: unknown paths, methods and ids add no series to the metrics`()
        async throws
    {
        try await Self.measured { harness in
            let registry = try #require(harness.composition.metrics)
            try await harness.send(.get, "/nowhere/0")
            try await harness.send(.delete, "/livez")
            try await harness.send(.get, "/auth/biometric-login/poll/\(UUIDBits(high: 1, low: 1))")
            let before = registry.text().split(separator: "\n").count
            for number in 2..<200 as Range<UInt64> {
                try await harness.send(.get, "/nowhere/\(number)")
                try await harness.send(.delete, "/livez")
                try await harness.send(.get, "/auth/biometric-login/poll/\(UUIDBits(high: 1, low: number))")
                if let method = HTTPRequest.Method("M\(number)") { try await harness.send(method, "/livez") }
            }
            let text = registry.text()
            #expect(text.split(separator: "\n").count == before)
            #expect(text.contains(#"vestibule_http_requests_total{method="any",route="unmatched",status="404"}"#))
            #expect(text.contains(#"vestibule_http_requests_total{method="any",route="unmatched",status="405"}"#))
            #expect(!text.contains("nowhere"))
        }
    }

    // T-224
    @Test func `attack: no id, ticket, cookie, address or account is in the metrics`() async throws {
        try await Self.measured { harness in
            let login = try await harness.start(isChallenged: true)
            try await harness.approve(login)
            _ = try await harness.poll(login, Harness.proof)
            _ = try await harness.poll(login)
            let text = try #require(harness.composition.metrics).text()
            let operation = try harness.operation(login)
            let cookie = try #require(login.cookie.split(separator: "=").last)
            for secret in [
                login.id, login.ticket, String(cookie), operation.id.description,
                try #require(operation.request.account).description, "ada@example.com", "example.com", Harness.verifier,
            ] {
                #expect(!text.contains(secret), "\(secret)")
            }
        }
    }
}
