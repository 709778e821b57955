import Foundation
import Testing

@testable import VestibuleClient

/// The errors that a login survives, and those that end it.
@Suite struct PersistenceOfPollingTests {
    @Test(arguments: [
        ScriptedTransport.Step.fault(.unreachable("no route")), .fault(.timedOut), .fault(.untrustedServer),
        .fault(.answerTooLarge), .fault(.interrupted), .answer(500, "oops"), .answer(502, "<html>"), .answer(503, ""),
        .answer(429, Answers.problem("rate_limited")), .answer(408, ""), .answer(400, Answers.problem("slow_down")),
        .answer(200, #"{"status":"compl"#), .answer(200, "<html>hello</html>"),
        .answer(200, #"{"status":"asleep","seq":1}"#),
    ])
    func `a fault does not end the login`(fault: ScriptedTransport.Step) async throws {
        let harness = try Harness(
            poll: [.answer(200, Answers.pending()), fault, fault, fault, .answer(200, Answers.completed)])
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.poll).count == 5)
        let degraded = harness.reported.all.filter { if case .degraded(.network) = $0 { true } else { false } }
        #expect(degraded.count == 1)
        #expect(harness.transport.calls(.cancel).isEmpty)
    }

    @Test func `the app hears when the network is back`() async throws {
        let harness = try Harness(
            poll: [
                .answer(200, Answers.pending("processing")), .fault(.timedOut), .answer(200, Answers.pending(nil)),
                .answer(200, Answers.completed),
            ])
        _ = try await harness.signIn()
        #expect(
            harness.reported.all.dropFirst().dropLast() == [
                .waiting(.processing), .degraded(.network(.timedOut)), .waiting(.processing),
            ]
        )
    }

    @Test func `pauses after faults grow to five seconds and not beyond`() async throws {
        let harness = try Harness(
            poll: Array(repeating: .answer(503, ""), count: 12) + [.answer(200, Answers.completed)]
        )
        _ = try await harness.signIn()
        let times = harness.transport.calls(.poll).map(\.at.seconds)
        let pauses = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(pauses.allSatisfy { (2...5).contains($0) })
        #expect(Set(pauses).count > 3)
    }

    @Test(arguments: [("7", 7.0), ("600", 30.0), ("0", 2.0)])
    func `Retry-After is kept, within reason`(field: String, pause: Double) async throws {
        let harness = try Harness(
            poll: [
                .answer(429, Answers.problem("rate_limited"), headers: ["Retry-After": field]),
                .answer(200, Answers.completed),
            ])
        _ = try await harness.signIn()
        let times = harness.transport.calls(.poll).map(\.at.seconds)
        #expect(times[1] - times[0] >= pause)
        #expect(times[1] - times[0] <= max(pause, 5))
    }

    @Test func `a server that asks for quiet until the end is left in peace`() async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(expiresIn: 20))],
            poll: [.answer(503, "", headers: ["Retry-After": "25"]), .answer(200, Answers.completed)]
        )
        #expect(await harness.failure() == .expired)
        #expect(harness.transport.calls(.poll).count == 1)
        #expect(harness.time.uptime == .seconds(20))
    }

    @Test(arguments: [
        (400, "invalid_request"), (401, "unauthorized"), (403, "step_up_required"), (404, "operation_not_found"),
    ])
    func `a refusal ends the login and carries the server's words`(status: Int, code: String) async throws {
        let harness = try Harness(poll: [.answer(status, Answers.problem(code))])
        #expect(
            await harness.failure()
                == .serverRefused(ServerError(status: status, code: code, message: "Not so.", requestId: "req-7"))
        )
        #expect(harness.transport.calls(.poll).count == 1)
    }

    @Test func `an answer of something else than the API is a refusal with the status as its code`() async throws {
        for status in [204, 302, 404, 418] {
            let harness = try Harness(poll: [.answer(status, "<html>", headers: ["X-Request-Id": "edge-1"])])
            guard case .serverRefused(let refusal) = await harness.failure() else {
                Issue.record("not refused")
                return
            }
            #expect(refusal.code == "http_\(status)")
            #expect(refusal.requestId == "edge-1")
        }
    }

    @Test func `tokens that were handed out before are an error of their own`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.collected)])
        #expect(await harness.failure() == .alreadyCollected)
        #expect(try await harness.store.load() == StoredCredentials())
    }

    @Test func `an expiry by the server's word is the same error as one by the clock`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.failed("expired"))])
        #expect(await harness.failure() == .expired)
    }

    @Test func `a long poll asks at once after news and keeps the interval otherwise`() async throws {
        let harness = try Harness(
            poll: [
                .slow(.seconds(4), Answers.pending("created", seq: 1)),
                .slow(.seconds(3), Answers.pending("link_opened", seq: 2)),
                .answer(200, Answers.pending("link_opened", seq: 2)),
                .slow(.seconds(25), Answers.pending("link_opened", seq: 2)),
                .answer(200, Answers.completed),
            ],
            options: FaceLogin.Options(longPoll: 25)
        )
        _ = try await harness.signIn()
        let polls = harness.transport.calls(.poll)
        #expect(polls.map(\.at.seconds) == [0, 4, 7, 9, 34])
        #expect(polls.allSatisfy { $0.query == "wait=25" && $0.request.timeout == .seconds(35) })
    }

    @Test(arguments: [(0, "wait=1"), (-3, "wait=1"), (99, "wait=30")])
    func `a long poll out of range is clamped`(seconds: Int, query: String) async throws {
        let harness = try Harness(
            poll: [.answer(200, Answers.completed)],
            options: FaceLogin.Options(longPoll: seconds)
        )
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.poll).map(\.query) == [query])
    }

    @Test func `a long poll never waits beyond the end`() async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(expiresIn: 40))],
            poll: [
                .slow(.seconds(30), Answers.pending()), .slow(.seconds(9), Answers.pending()),
                .answer(200, Answers.pending()),
            ],
            options: FaceLogin.Options(longPoll: 30)
        )
        #expect(await harness.failure() == .expired)
        #expect(harness.transport.calls(.poll).map(\.query) == ["wait=30", "wait=9", nil])
        #expect(harness.time.uptime == .seconds(40))
    }
}
