import Kernel
import Operations
import Synchronization
import Testing

@testable import FaceProviders

@Suite(.timeLimit(.minutes(10))) struct SharedTokenTests {
    /// Hands out tokens when the test says so.
    private final class CountingTokenSource: TokenSource {
        private let state = Mutex((asked: 0, waiting: [CheckedContinuation<IssuedToken?, Never>]()))

        /// How many callers were failed, as the test counts them.
        let failed = Mutex(0)

        var asked: Int { state.withLock(\.asked) }
        var isWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

        var waitingCount: Int { state.withLock(\.waiting.count) }

        /// Answers the request that has been in progress for longest.
        func answerFirst(_ token: String?) {
            let first = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
            first?.resume(returning: token.map { IssuedToken(token: Secret($0), freshFor: .seconds(60)) })
        }

        func answer(_ token: String?, freshFor: Duration = .seconds(60)) {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in waiting {
                one.resume(returning: token.map { IssuedToken(token: Secret($0), freshFor: freshFor) })
            }
        }

        func obtain() async throws(ProviderError) -> IssuedToken {
            let token = await withCheckedContinuation { continuation in
                state.withLock { state in
                    state.asked += 1
                    state.waiting.append(continuation)
                }
            }
            guard let token else { throw .unreached(cause: "no token") }
            return token
        }
    }

    private let tokenSource = CountingTokenSource()
    private let time = VirtualTime()
    private let token: SharedToken

    init() { token = SharedToken(tokenSource, clock: time) }

    private func until(_ condition: () -> Bool) async {
        while !condition(), !Task.isCancelled { await Task.yield() }
    }

    private func get() async -> Result<String, ProviderError> {
        do throws(ProviderError) {
            return .success(try await token.current().token.expose())
        } catch {
            return .failure(error)
        }
    }

    @Test func `attack: a cancelled wait for a token ends at once, while the request continues for others`() async {
        let hanging = Task { await get() }
        await until { tokenSource.isWaiting }
        let other = Task { await get() }
        // It waits before the other leaves, so that it makes no request of its own.
        await until { token.waitingCount == 2 }
        hanging.cancel()
        #expect(await hanging.value == .failure(.unreached(cause: "the wait for a token was cancelled")))
        #expect(tokenSource.asked == 1, "the request continues for the others")
        tokenSource.answer("t1")
        #expect(await other.value == .success("t1"))
        let late = Task { await get() }
        late.cancel()
        #expect(await late.value == .success("t1"), "a token that is there needs no wait")
    }

    @Test func `callers that come two seconds later do not wait for a request that hangs`() async {
        let early = Task { await get() }
        await until { tokenSource.asked == 1 }
        time.advance(by: .milliseconds(1999))
        let joined = Task { await get() }
        await until { token.waitingCount == 2 }
        #expect(tokenSource.asked == 1)
        time.advance(by: .milliseconds(1))
        let late = Task { await get() }
        await until { tokenSource.asked == 2 }
        await until { token.waitingCount == 3 }
        tokenSource.answerFirst(nil)
        await until { !tokenSource.isWaiting || tokenSource.waitingCount == 1 }
        tokenSource.answer("t2")
        for waiter in [early, joined, late] { #expect(await waiter.value == .success("t2")) }
    }

    @Test func `a failure fails all waiters, and the next caller asks again`() async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    if case .failure(.unreached(cause: "no token")) = await get() {
                        tokenSource.failed.withLock { $0 += 1 }
                    }
                }
            }
            // A caller after a failure waits for a request of its own.
            await until {
                tokenSource.answer(nil)
                return tokenSource.failed.withLock { $0 } == 50
            }
        }
        let before = tokenSource.asked
        let next = Task { await get() }
        await until { tokenSource.isWaiting }
        tokenSource.answer("t2")
        #expect(await next.value == .success("t2") && tokenSource.asked == before + 1)
    }

    @Test func `a refused token is dropped, but not the one that replaced it`() async throws {
        let first = Task { try await token.current() }
        await until { tokenSource.isWaiting }
        tokenSource.answer("t1")
        let old = try await first.value
        #expect(token.discard(old))
        let second = Task { try await token.current() }
        await until { tokenSource.isWaiting }
        tokenSource.answer("t2")
        _ = try await second.value
        #expect(!token.discard(old))
        #expect(await get() == .success("t2"))
        time.advance(by: .seconds(60))
        let third = Task { await get() }
        await until { tokenSource.isWaiting }
        tokenSource.answer("t3")
        #expect(await third.value == .success("t3"))
    }
}
