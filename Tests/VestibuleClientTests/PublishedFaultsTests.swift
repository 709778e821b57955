import Foundation
import Testing

@testable import VestibuleClient

/// The three faults of the client in the field, each of which this one must not have.
@Suite struct PublishedFaultsTests {
    @Test(arguments: [
        FaceLogin.Failure.Code.declined, .deniedNotMe, .notMatched, .livenessFailed, .tooManyAttempts, .canceled,
        .superseded, .providerError, .providerUnavailable, .accountBlocked, .init(rawValue: "of_tomorrow"),
    ])
    func `a failure ends the login with the poll that reports it`(code: FaceLogin.Failure.Code) async throws {
        let harness = try Harness(
            poll: [
                .answer(200, Answers.pending()), .answer(200, Answers.failed(code.rawValue, retryable: false)),
                .answer(200, Answers.completed),
            ])
        #expect(
            await harness.failure()
                == .authenticationFailed(FaceLogin.Failure(code: code, message: "Said the server.", retryable: false))
        )
        #expect(harness.transport.calls(.poll).count == 2)
        #expect(harness.transport.calls(.cancel).isEmpty)
        #expect(try await harness.store.load().tokens == nil)
    }

    @Test(arguments: [
        #"{"status":"failed"}"#, #"{"status":"failed","seq":"four","code":401}"#, #"{"status":"failed","seq":1}"#,
    ])
    func `a failure in an odd shape is a failure still`(body: String) async throws {
        let harness = try Harness(poll: [.answer(200, body)])
        guard case .authenticationFailed(let failure) = await harness.failure() else {
            Issue.record("another error")
            return
        }
        #expect(failure.code.rawValue == "unknown")
        #expect(harness.transport.calls(.poll).count == 1)
    }

    @Test func `answers that cannot be read are not swallowed until the deadline`() async throws {
        let oddUser = #"{"status":"completed","seq":5,"user":{"id":"x","joinDate":"2025-01-01"},"accessToken":"a"}"#
        let harness = try Harness(poll: [.answer(200, oddUser)])
        #expect(await harness.failure() == .networkError(.unreadableAnswer))
        #expect(harness.transport.calls(.poll).count == 5)
        #expect(harness.time.uptime < .seconds(40))
    }

    @Test func `unreadable answers count in a row only`() async throws {
        let noise = Array(repeating: ScriptedTransport.Step.answer(200, "noise"), count: 4)
        let harness = try Harness(
            poll: noise + [.answer(200, Answers.pending())] + noise + [.answer(200, Answers.completed)]
        )
        _ = try await harness.signIn()
    }

    @Test(arguments: [10, 45, 180])
    func `nothing is asked past the deadline`(lifetime: Int) async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(expiresIn: lifetime))],
            poll: [.answer(200, Answers.pending())]
        )
        #expect(await harness.failure() == .expired)
        #expect(harness.time.uptime == .seconds(lifetime))
        let last = try #require(harness.transport.calls(.poll).last)
        #expect(last.at == .seconds(lifetime - 1))
        #expect(last.at + last.request.timeout <= .seconds(lifetime))
    }

    @Test(arguments: [
        ScriptedTransport.Step.silence, .fault(.unreachable("no route")),
        .answer(503, "", headers: ["Retry-After": "20"]),
    ])
    func `the deadline holds when the network is gone`(fault: ScriptedTransport.Step) async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(expiresIn: 60))],
            poll: [.answer(200, Answers.pending()), fault]
        )
        #expect(await harness.failure() == .expired)
        #expect(harness.time.uptime == .seconds(60))
    }

    @Test func `the lifetime counts from the sending of the request`() async throws {
        let harness = try Harness(
            initiate: [.slow(.seconds(8), Answers.initiate(expiresIn: 60))],
            poll: [.answer(200, Answers.pending())]
        )
        #expect(await harness.failure() == .expired)
        #expect(harness.time.uptime == .seconds(60))
    }

    @Test func `a lifetime beyond reason is cut to an hour`() async throws {
        let harness = try Harness(
            initiate: [.answer(200, Answers.initiate(expiresIn: 99_999_999, interval: 30))],
            poll: [.answer(200, Answers.pending(interval: 30))]
        )
        #expect(await harness.failure() == .expired)
        #expect(harness.time.uptime == .seconds(3600))
    }
}
