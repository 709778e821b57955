import Foundation
import Testing

@testable import VestibuleClient

@Suite struct CancellationTests {
    @Test func `cancelling while a poll is out cancels the login at the server`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.pending()), .park])
        let task = Task { await harness.failure() }
        while harness.transport.calls(.poll).count < 2 { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        let cancel = try #require(harness.transport.calls(.cancel).first)
        #expect(cancel.request.method == .post)
        #expect(
            cancel.request.url.path(percentEncoded: true).hasSuffix("/auth/biometric-login/cancel/\(Answers.operation)")
        )
        #expect(cancel.header("X-Code-Verifier") == harness.transport.calls(.poll).first?.header("X-Code-Verifier"))
        #expect(cancel.header("X-Code-Verifier") != nil)
        #expect(cancel.request.timeout <= .seconds(3))
        #expect(harness.transport.calls(.cancel).count == 1)
    }

    @Test func `a cancellation that the server doesn't hear is a cancellation`() async throws {
        let harness = try Harness(poll: [.park], cancel: [.silence])
        let task = Task { await harness.failure() }
        while harness.transport.calls(.poll).isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
    }

    @Test func `cancelling before the login began sends nothing more`() async throws {
        let harness = try Harness(initiate: [.park], poll: [])
        let task = Task { await harness.failure() }
        while harness.transport.calls(.initiate).isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(harness.transport.calls.count == 1)
    }

    @Test func `cancelling while the page opens is a cancellation`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.pending())])
        let opening = Recorder<Bool>()
        let task = Task { () -> FaceLoginError? in
            do throws(FaceLoginError) {
                _ = try await harness.login.signIn(
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
        #expect(harness.transport.calls(.cancel).count == 1)
    }

    @Test func `a reader that stops reading the stream cancels the login`() async throws {
        let harness = try Harness(poll: [.answer(200, Answers.pending()), .park])
        for try await progress in harness.login.signIn(email: "ada@example.com", open: { _ in true })
        where progress == .waiting(.created) {
            break
        }
        while harness.transport.calls(.cancel).isEmpty { await Task.yield() }
        #expect(harness.transport.calls(.ack).isEmpty)
    }

    @Test func `tokens that arrived are kept and acknowledged whatever is cancelled then`() async throws {
        let task = Recorder<Task<SignedIn, any Error>>()
        let harness = try Harness(
            poll: [.answer(200, Answers.completed)],
            onCall: { call in
                guard call.route == .poll else { return }
                while task.all.isEmpty { await Task.yield() }
                task.all.first?.cancel()
            }
        )
        let run = Task { try await harness.signIn() as SignedIn }
        task.append(run)
        let signedIn = try await run.value
        #expect(try await harness.store.load().tokens == signedIn.tokens)
        #expect(harness.transport.calls(.ack).count == 1)
        #expect(harness.transport.calls(.cancel).isEmpty)
    }
}
