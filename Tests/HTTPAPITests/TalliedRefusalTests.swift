import Audit
import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Telemetry
import Testing
import TokenForgeries

@testable import Assembly

/// Refusals that concern no operation: counted in the audit's tally and the metrics, without a row of their own.
struct TalliedRefusalTests {
    @Test(.ofOneDaemon(.oneCounter))
    func `requests with a missing or old token are counted in the audit on every route that takes one`()
        async throws
    {
        try await measured { harness in
            let ada = try await harness.signIn()
            let id = "00000000-0000-4000-8000-000000000000"
            let routes: [(HTTPRequest.Method, String)] = [
                (.get, "/auth/operations"), (.post, "/auth/operations/\(id)/not-me"),
                (.post, "/auth/biometric-enrollment/initiate"), (.get, "/auth/biometric-enrollment/poll/\(id)"),
                (.get, "/auth/biometric-enrollment/events/\(id)"), (.get, "/biometric/enrollment/status"),
                (.post, "/biometric/enroll"), (.post, "/auth/approvals/initiate"), (.get, "/auth/approvals/poll/\(id)"),
                (.get, "/auth/approvals/events/\(id)"), (.post, "/auth/approvals/ack/\(id)"),
                (.post, "/auth/approvals/cancel/\(id)"),
            ]
            for (method, path) in routes {
                for headers in [HTTPFields(), [.authorization: "Bearer x.y.z"]] {
                    try harness.expect(try await harness.send(method, path, headers), is: "unauthorized", 401)
                }
            }
            await harness.pass(.seconds(601))
            for prefix in ["", "/api"] {
                let answer = try await harness.send(.post, prefix + Harness.enrolPath, ada.bearer)
                try harness.expect(answer, is: "step_up_required", 403)
            }
            try await expect(harness, ["not_signed_in": 2 * routes.count, "step_up_required": 2])
        }
    }

    @Test(.ofOneDaemon(.oneCounter))
    func `wrong passwords, codes, signatures and refresh tokens are on record, and so are their limits`()
        async throws
    {
        try await measured { harness in
            try await harness.register("eve@example.com")
            for _ in 0..<7 { _ = try await harness.passwordSignIn("eve@example.com", "not the password") }
            for _ in 0..<8 {
                _ = try await harness.post("/api/mobile/auth/token/refresh", #"{"refreshToken":"no.such.token"}"#)
            }
            for number in 0..<6 {
                _ = try await harness.askForCode(on: "7b8f0c52-4d1e-4f43-9f0b-7a6f0c1d2e3\(number)")
            }
            _ = try await harness.typeCode("111111")
            try await expect(
                harness,
                ["wrong_password": 5, "refresh_refused": 5, "wrong_code": 1],
                limits: ["wrong_passwords": 2, "foreign_refresh_tokens": 3, "mailed_codes": 1]
            )
        }
    }

    // T-257
    @Test(.ofOneDaemon(.oneCounter))
    func `attack: wrong passwords on a link's page and cross-site calls are counted in the audit`()
        async throws
    {
        try await measured { harness in
            try await harness.register("eve@example.com")
            let path = try #require(try await harness.mails().last).path
            for _ in 1...3 {
                #expect(try await harness.submit(path, "password=guess+guess+guess").status == .forbidden)
            }
            for _ in 1...2 {
                let answer = try await harness.post(
                    Harness.initiatePath,
                    #"{"email":"ada@example.com"}"#,
                    [.origin: "https://evil.example.com"]
                )
                try harness.expect(answer, is: "origin_not_allowed", 403)
            }
            try await expect(harness, ["wrong_password": 3, "origin_not_allowed": 2])
        }
    }

    @Test(.ofOneDaemon(.oneCounter)) func `what the limits of devices refuse is on record`() async throws {
        try await measured { harness in
            let ada = try await harness.phone()
            #expect(try await harness.setUp(Harness.spki(P256.Signing.PrivateKey().publicKey), ada).status == .ok)
            let challenge = try await harness.challenge()
            let wrong = try P256.Signing.PrivateKey().signed(challenge)
            for _ in 0..<7 { _ = try await harness.verify(challenge, wrong) }
            for _ in 0..<12 {
                _ = try await harness.post(Harness.biometric + "/challenge", #"{"deviceId":"\#(Harness.phone)"}"#)
            }
            try await expect(
                harness,
                ["wrong_signature": 5],
                limits: ["wrong_answers_per_device": 2, "challenges_per_device": 3, "devices_per_address": 0]
            )
        }
    }

    @Test(.ofOneDaemon(.oneCounter))
    func `attack: refused and replayed DPoP proofs at a sign-in are counted in the audit`()
        async throws
    {
        try await measured { harness in
            let maker = DPoPMaker()
            try await harness.register("eve@example.com")
            let path = "/auth/login"
            let good = harness.proving(.post, path, maker)
            for _ in 0..<3 { _ = try await harness.passwordSignIn("eve@example.com", path: path, with: good) }
            let misplaced = harness.proving(.get, path, maker)
            _ = try await harness.passwordSignIn("eve@example.com", path: path, with: misplaced)
            try await expect(harness, ["proof_refused": 3], limits: ["dpop_proofs": 0])
        }
    }

    // T-257
    @Test(.ofOneDaemon(.oneCounter)) func `attack: 500 requests without tokens make one audit row with their count`()
        async throws
    {
        try await measured { harness in
            let rows = try await harness.composition.audit.newest(1000).count
            for _ in 0..<500 { _ = try await harness.send(.get, "/auth/operations") }
            #expect(harness.composition.service.refusals.pendingCount == 0)
            try await expect(harness, ["not_signed_in": 500])
            #expect(try await harness.composition.audit.newest(1000).count == rows + 1)
        }
    }

    @Test(.ofOneDaemon(.oneCounter))
    func `a stale token on a route for everybody is no refusal, nor is what is on record with its login`()
        async throws
    {
        try await measured { harness in
            let login = try await harness.start(with: [.authorization: "Bearer stale"])
            try harness.expect(try await harness.send(.post, login.cancelPath), is: "unauthorized", 401)
            #expect(harness.composition.service.refusals.totals == [.cancelUnproven: 1])
            #expect(harness.composition.service.refusals.eventTotals == [.begun: 1])
        }
    }

    private func measured(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run(.router, { $0.metrics.enabled = true }, body)
    }

    /// Compares the tally's row and the metrics with the expected counts; a zero is in the metrics alone.
    private func expect(_ harness: Harness, _ events: [String: Int], limits: [String: Int] = [:]) async throws {
        harness.time.advance(by: .seconds(61))
        try await harness.composition.service.refusals.flush()
        let tally = try await harness.composition.audit.newest(1000).first { $0.entry.event == "operations.tally" }
        let words = Set(try #require(tally?.entry.detail).split(separator: " ").map(String.init))
        let text = try #require(harness.composition.metrics).text()
        for (event, count) in events {
            #expect(words.contains("\(event)=\(count)"), "\(event) in \(words)")
            #expect(text.contains("vestibule_refusals_total{reason=\"\(event)\"} \(count)\n"), "\(event)")
        }
        for (limit, count) in limits {
            #expect(count == 0 || words.contains("limited.\(limit)=\(count)"), "\(limit) in \(words)")
            #expect(text.contains("vestibule_limiter_refusals_total{limiter=\"\(limit)\"} \(count)\n"), "\(limit)")
        }
    }
}
