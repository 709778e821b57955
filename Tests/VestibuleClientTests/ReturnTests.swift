import Foundation
import Testing

@testable import VestibuleClient

/// The code that the browser brings back, while a poll is under way.
@Suite(.timeLimit(.minutes(10))) struct ReturnTests {
    private static let base = "com.example.app:/done"

    /// A sign-in whose server parks the poll until `poll` says more, with a code that arrives during the first of them.
    private static func bench(
        _ poll: [ScriptedTransport.Step],
        initiate: String = Answers.initiate(),
        codes: [String] = ["c0de"]
    ) throws -> Bench {
        let login = Journal<FaceLogin>()
        let polls = Journal<Void>()
        let bench = try Bench(
            initiate: [.answer(200, initiate)],
            poll: poll,
            options: .init(longPoll: 25, returnURL: base)
        ) { call in
            guard call.route == .poll else { return }
            polls.append(())
            guard polls.all.count == 1, let login = login.all.first else { return }
            for code in codes {
                if let url = URL(string: "\(base)?code=\(code)") { #expect(await login.handleReturn(url)) }
            }
        }
        login.append(bench.login)
        return bench
    }

    @Test func `a return code ends the parked poll, and the next one brings it at once`() async throws {
        let bench = try Self.bench([.park, .answer(200, Answers.completed)])
        _ = try await bench.signIn()
        #expect(bench.transport.calls(.poll).map { $0.header("X-Return-Code") } == [nil, "c0de"])
        #expect(bench.time.uptime == .zero, "nothing was waited for")
    }

    @Test func `the code that came last is the one that is brought`() async throws {
        let bench = try Self.bench([.park, .answer(200, Answers.completed)], codes: ["first", "second"])
        _ = try await bench.signIn()
        #expect(bench.transport.calls(.poll).map { $0.header("X-Return-Code") } == [nil, "second"])
    }

    @Test func `the same code again ends no poll`() async throws {
        let bench = try Bench(
            poll: [.answer(200, Answers.pending()), .slow(.seconds(20), Answers.completed)],
            options: .init(longPoll: 25, returnURL: Self.base)
        )
        let url = try #require(URL(string: "\(Self.base)?code=c0de"))
        let inbox = ReturnInbox()
        #expect(await inbox.accept(url, at: Self.base))
        let waiting = Task { await inbox.change(from: "c0de") }
        #expect(await inbox.accept(url, at: Self.base))
        waiting.cancel()
        await waiting.value
        #expect(await inbox.code == "c0de")
        _ = try await bench.signIn()
        #expect(bench.transport.calls(.poll).count == 2)
    }

    @Test func `cancelling while a poll waits for the code ends the sign-in`() async throws {
        let bench = try Self.bench([.park], codes: [])
        let task = Task { await bench.failure() }
        while bench.transport.calls(.poll).isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(bench.transport.calls(.cancel).count == 1)
    }

    @Test func `an approval that waits for the browser is collected past the login's own time`() async throws {
        let waiting = #"{"status":"pending","hint":"processing","seq":4,"operationExpiresIn":50,"interval":2}"#
        let bench = try Self.bench(
            [.slow(.seconds(7), waiting), .slow(.seconds(20), waiting), .answer(200, Answers.completed)],
            initiate: Answers.initiate(expiresIn: 10),
            codes: []
        )
        _ = try await bench.signIn()
        #expect(bench.time.uptime > .seconds(10))
    }

    @Test func `attack: a server that prolongs a login for ever is not followed for more than an hour`() async throws {
        let waiting = #"{"status":"pending","hint":"processing","seq":4,"operationExpiresIn":999999,"interval":30}"#
        let bench = try Self.bench([.slow(.seconds(20), waiting)], codes: [])
        #expect(await bench.failure() == .expired)
        #expect(bench.time.uptime <= .seconds(3600))
    }
}
