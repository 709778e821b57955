import Foundation
import Testing

@testable import VestibuleClient

/// The code that the browser presents to the app while a poll is in progress.
@Suite(.timeLimit(.minutes(10))) struct ReturnTests {
    private static let base = "com.example.app:/done"

    /// A sign-in with long polls, and a code that arrives during the first of them.
    private static func harness(
        _ poll: [ScriptedTransport.Step],
        initiate: String = Answers.initiate(),
        code: String? = "c0de"
    ) throws -> Harness {
        let login = Recorder<FaceLogin>()
        let polls = Recorder<Void>()
        let harness = try Harness(
            initiate: [.answer(200, initiate)],
            poll: poll,
            options: .init(longPoll: 25, returnURL: base)
        ) { call in
            guard call.route == .poll else { return }
            polls.append(())
            guard polls.all.count == 1, let login = login.all.first else { return }
            guard let code, let url = URL(string: "\(base)?code=\(code)") else { return }
            #expect(await login.handleReturn(url))
        }
        login.append(harness.login)
        return harness
    }

    @Test func `a return code ends the parked poll, and the next poll presents it at once`() async throws {
        let harness = try Self.harness([.park, .answer(200, Answers.completed)])
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.poll).map { $0.header("X-Return-Code") } == [nil, "c0de"])
        #expect(harness.time.uptime == .zero, "nothing was waited for")
    }

    @Test func `the same code again ends no poll`() async throws {
        let login = Recorder<FaceLogin>()
        let harness = try Harness(
            poll: [.park, .slow(.seconds(3), Answers.completed)],
            options: .init(longPoll: 25, returnURL: Self.base)
        ) { call in
            guard call.route == .poll, let login = login.all.first else { return }
            if let url = URL(string: "\(Self.base)?code=c0de") { #expect(await login.handleReturn(url)) }
            for _ in 0..<100 { await Task.yield() }
        }
        login.append(harness.login)
        _ = try await harness.signIn()
        #expect(harness.transport.calls(.poll).map { $0.header("X-Return-Code") } == [nil, "c0de"])
    }

    @Test func `cancelling while a poll waits for the code ends the sign-in`() async throws {
        let harness = try Self.harness([.park], code: nil)
        let task = Task { await harness.failure() }
        while harness.transport.calls(.poll).isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(harness.transport.calls(.cancel).count == 1)
    }

    @Test func `an approval that waits for the browser is collected past the login's own time`() async throws {
        let waiting = #"{"status":"pending","hint":"processing","seq":4,"operationExpiresIn":50,"interval":2}"#
        let harness = try Self.harness(
            [.slow(.seconds(7), waiting), .slow(.seconds(20), waiting), .answer(200, Answers.completed)],
            initiate: Answers.initiate(expiresIn: 10),
            code: nil
        )
        _ = try await harness.signIn()
        #expect(harness.time.uptime > .seconds(10))
    }

    @Test func `attack: a client gives up after an hour although the server keeps prolonging the login`() async throws {
        let waiting = #"{"status":"pending","hint":"processing","seq":4,"operationExpiresIn":999999,"interval":30}"#
        let harness = try Self.harness([.slow(.seconds(20), waiting)], code: nil)
        #expect(await harness.failure() == .expired)
        #expect(harness.time.uptime <= .seconds(3600))
    }
}
