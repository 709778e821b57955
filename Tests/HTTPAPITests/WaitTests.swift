import Accounts
import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import ScriptedServer
import Synchronization
import Testing
import Wire

@testable import Assembly
@testable import Operations

/// Polls that park until something happens.
struct WaitTests {
    @Test(.alsoSpread) func `a parked poll is answered as soon as the login moves`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            async let answer = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            try await Self.parked(harness, 1)
            try await harness.open(login)
            #expect(Self.moved.contains(try await answer.decode(PollLoginResponse.self).hint))
            #expect(harness.parkedCount == 0)
        }
    }

    @Test(.alsoSpread) func `a parked poll collects what it waited for`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            async let answer = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            try await Self.parked(harness, 1)
            try await harness.judge(.approved)
            #expect(try await answer.decode(PollLoginResponse.self).status == .completed)
        }
    }

    @Test(arguments: [true, false])
    func `a client that disconnects during a long poll leaves the tokens to a later poll`(_ isDirect: Bool) async throws
    {
        try await Harness.run(.live) { harness in
            let login = try await harness.start()
            let port = try #require(harness.client.port)
            try await harness.open(login)
            // In capitals an id takes the router's way.
            let id = login.answer.operationId
            let path = isDirect ? login.pollPath : login.pollPath.replacing(id, with: id.uppercased())
            // It closes its side behind the request; no clock of this test reaches a minute.
            let head = "GET \(path)?wait=30 HTTP/1.1\r\nHost: localhost\r\nUser-Agent: App/1\r\n\r\n"
            let answer = try await RawSocket.exchange(port, head)
            #expect(answer.contains("\"status\":\"pending\""), "\(answer)")
            try await Self.parked(harness, 0)
            try await harness.judge(.approved)
            #expect(try await harness.word(login, [.userAgent: "App/1"]) == "completed")
        }
    }

    @Test func `a poll waits however its path and its query are written`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let id = login.answer.operationId
            for path in [login.pollPath, "/api" + login.pollPath, login.pollPath.replacing(id, with: id.uppercased())] {
                for query in ["?wait=1", "?x=1&wait=1", "?wait=%31"] {
                    async let answer = harness.send(.get, path + query, login.bound)
                    try await Self.parked(harness, 1)
                    harness.time.advance(by: .seconds(1))
                    harness.wakeOverdue()
                    _ = try await answer
                }
            }
            for query in ["?wait=0", "?wait=31", "?wait=x", "?wait="] {
                for path in [login.pollPath, login.pollPath.replacing(id, with: id.uppercased())] {
                    try harness.expect(try await harness.send(.get, path + query, login.bound), is: "invalid_wait", 400)
                }
            }
        }
    }

    @Test(.ofOneDaemon(.countedByEach)) func `attack: long polls count against the login's budget like polls`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            harness.api.drain.drain()
            var refused = 0
            for _ in 0..<40 {
                let answer = try await harness.send(.get, login.pollPath + "?wait=30", login.bound)
                if answer.status == .tooManyRequests { refused += 1 }
            }
            #expect(refused == 20, "a burst of twenty")
        }
    }

    @Test func `a long poll that times out is answered with the present state`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            async let answer = harness.send(.get, login.pollPath + "?wait=5", login.bound)
            try await Self.parked(harness, 1)
            await harness.pass(.seconds(4))
            #expect(harness.parkedCount == 1, "not yet")
            await harness.pass(.seconds(1))
            let body = try await answer.decode(PollLoginResponse.self)
            #expect(body.hint == "created" && body.operationExpiresIn == 175)
        }
    }

    @Test func `attack: a long poll without proof on an ended login is answered at the deadline`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            try await harness.send(.post, login.cancelPath, Harness.proof)
            await harness.pass(.seconds(170))
            async let unproven = harness.send(.get, login.pollPath + "?wait=30")
            try await Self.parked(harness, 1)
            await harness.pass(.seconds(10))
            let body = try await unproven.decode(PollLoginResponse.self)
            #expect(body.status == .failed && body.code == "expired")
        }
    }

    @Test func `attack: a long poll without proof does not wake when the login is opened or approved`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start(isChallenged: true)
            async let unproven = harness.send(.get, login.pollPath + "?wait=30")
            async let proven = harness.send(.get, login.pollPath + "?wait=30", Harness.proof)
            try await Self.parked(harness, 2)
            try await harness.open(login)
            #expect(Self.moved.contains(try await proven.decode(PollLoginResponse.self).hint))
            try await Self.parked(harness, 1)
            try await harness.judge(.approved)
            try await Self.parked(harness, 1)
            await harness.pass(.seconds(30))
            #expect(try await unproven.decode(PollLoginResponse.self).hint == "created")
        }
    }

    @Test(.alsoSpread) func `attack: a long poll is answered at once when its account is disabled`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            async let answer = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            try await Self.parked(harness, 1)
            _ = try await harness.composition.accounts.disable("ada@example.com")
            await harness.daemons.deliver()
            let body = try await answer.decode(PollLoginResponse.self)
            #expect(body.status == .failed && body.code == "account_blocked" && body.accessToken == nil)
            try await harness.judge(.approved)
            #expect(try await harness.word(login, login.bound) == "account_blocked")
        }
    }

    @Test func `a long poll of an ended or unknown login is answered at once`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.send(.post, login.cancelPath, login.bound)
            let answer = try await harness.send(.get, login.pollPath + "?wait=30", login.bound)
            #expect(try answer.decode(PollLoginResponse.self).code == "canceled")
            let unknown = try await harness.send(
                .get,
                "/auth/biometric-login/poll/00000000-0000-4000-8000-000000000000?wait=30"
            )
            try harness.expect(unknown, is: "operation_not_found", 404)
        }
    }

    @Test(.ofOneDaemon("A daemon releases polls that wait there."))
    func `a second parked poll of the same caller releases the first`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            async let first = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            try await Self.parked(harness, 1)
            async let second = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            #expect(try await first.decode(PollLoginResponse.self).hint == "created")
            try await Self.parked(harness, 1)
            try await harness.open(login)
            #expect(Self.moved.contains(try await second.decode(PollLoginResponse.self).hint))
        }
    }

    @Test(.ofOneDaemon("It drains one daemon.")) func `draining answers parked polls and parks no further ones`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            async let answer = harness.send(.get, login.pollPath + "?wait=30", login.bound)
            try await Self.parked(harness, 1)
            harness.api.drain.drain()
            #expect(try await answer.decode(PollLoginResponse.self).hint == "created")
            let next = try await harness.send(.get, login.pollPath + "?wait=30", login.bound)
            #expect(try next.decode(PollLoginResponse.self).hint == "created")
        }
    }

    @Test func `a parked poll calls neither provider nor store`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            try await harness.open(login)
            let before = harness.provider.calls.count
            async let answer = harness.send(.get, login.pollPath + "?wait=1", login.bound)
            try await Self.parked(harness, 1)
            #expect(harness.provider.calls.count == before)
            harness.time.advance(by: .milliseconds(1100))
            harness.wakeOverdue()
            _ = try await answer
            #expect(harness.provider.calls.count == before)
        }
    }

    /// The hints of an opened link: the first change wakes, and the second may have happened by then.
    private static let moved: [String?] = ["link_opened", "user_in_provider"]

    /// Returns once that many polls are parked.
    static func parked(_ harness: Harness, _ count: Int) async throws {
        let shards = harness.daemons.compositions.flatMap(\.service.cache.allShards)
        for _ in 0..<20_000 {
            // One that was resumed and has not run yet is not parked any more.
            let waiting = shards.reduce(0) { $0 + $1.parked.withLock(\.all.count) }
            if waiting == count, harness.parkedCount == count { return }
            try await Task.sleep(for: .milliseconds(2))
        }
        Issue.record("\(harness.parkedCount) are parked, not \(count)")
    }
}
