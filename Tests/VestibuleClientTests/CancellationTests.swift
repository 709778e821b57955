import Foundation
import Testing

@testable import VestibuleClient

@Suite struct CancellationTests {
    @Test func `cancelling while a poll is out cancels the login at the server`() async throws {
        let bench = try Bench(poll: [.answer(200, Answers.pending()), .park])
        let task = Task { await bench.failure() }
        while bench.transport.calls(.poll).count < 2 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        let cancel = try #require(bench.transport.calls(.cancel).first)
        #expect(cancel.request.method == .post)
        #expect(
            cancel.request.url.path(percentEncoded: true).hasSuffix("/auth/biometric-login/cancel/\(Answers.operation)")
        )
        #expect(cancel.header("X-Code-Verifier") == bench.transport.calls(.poll).first?.header("X-Code-Verifier"))
        #expect(cancel.header("X-Code-Verifier") != nil)
        #expect(cancel.request.timeout <= .seconds(3))
        #expect(bench.transport.calls(.cancel).count == 1)
    }

    @Test func `a cancellation that the server doesn't hear is a cancellation`() async throws {
        let bench = try Bench(poll: [.park], cancel: [.silence])
        let task = Task { await bench.failure() }
        while bench.transport.calls(.poll).isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `cancelling before the login began sends nothing more`() async throws {
        let bench = try Bench(initiate: [.park], poll: [])
        let task = Task { await bench.failure() }
        while bench.transport.calls(.initiate).isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(bench.transport.calls.count == 1)
    }

    @Test func `cancelling while the page opens is a cancellation`() async throws {
        let bench = try Bench(poll: [.answer(200, Answers.pending())])
        let opening = Journal<Bool>()
        let task = Task { () -> FaceLoginError? in
            do throws(FaceLoginError) {
                _ = try await bench.login.signIn(
                    email: "ada@example.com",
                    open: { _ in
                        opening.append(true)
                        while !Task.isCancelled { await Task.yield() }
                        return false
                    },
                    progress: { _ in }
                )
                return nil
            } catch {
                return error
            }
        }
        while opening.all.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(bench.transport.calls(.cancel).count == 1)
    }

    @Test func `a reader that stops reading the stream cancels the login`() async throws {
        let bench = try Bench(poll: [.answer(200, Answers.pending()), .park])
        for try await progress in bench.login.signIn(email: "ada@example.com", open: { _ in true })
        where progress == .waiting(.created) {
            break
        }
        while bench.transport.calls(.cancel).isEmpty { await Task.yield() }
        #expect(bench.transport.calls(.ack).isEmpty)
    }

    @Test func `tokens that arrived are kept and acknowledged whatever is cancelled then`() async throws {
        let task = Journal<Task<SignedIn, any Error>>()
        let bench = try Bench(
            poll: [.answer(200, Answers.completed)],
            onCall: { call in
                guard call.route == .poll else { return }
                while task.all.isEmpty { await Task.yield() }
                task.all.first?.cancel()
            }
        )
        let run = Task { try await bench.signIn() as SignedIn }
        task.append(run)
        let signedIn = try await run.value
        #expect(try await bench.store.load().tokens == signedIn.tokens)
        #expect(bench.transport.calls(.ack).count == 1)
        #expect(bench.transport.calls(.cancel).isEmpty)
    }
}
