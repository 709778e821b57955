import Kernel
import Operations
import ScriptedServer
import Synchronization
import Testing

struct AuthIDTokenTests {
    private typealias Replies = FakeAuthID.Replies

    /// Returns how many of `count` concurrent checks get an answer.
    private func checkAtOnce(_ count: Int, _ authID: FakeAuthID) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count { group.addTask { await authID.checkFailure() == nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func `fifty checks at once share one token request`() async throws {
        let replies = Replies(token: { _ in .late(.milliseconds(100), Replies.pair("1", expires: nil)) })
        try await FakeAuthID.run(replies) { authID in
            #expect(await checkAtOnce(50, authID) == 50)
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.status) == 50)
        }
    }

    @Test func `a failed token request fails all its waiters, and the next caller tries again`() async throws {
        let replies = Replies(token: {
            $0.number == 1 ? .late(.milliseconds(500), .json("{}", status: 503)) : Replies.pair("2", expires: nil)
        })
        try await FakeAuthID.run(replies) { authID in
            #expect(await checkAtOnce(20, authID) == 0)
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.status) == 0)
            let status = try await authID.check()
            #expect(status == .pending(.userInProvider))
            #expect(authID.count(.token) == 2)
        }
    }

    @Test func `a token is used until a minute before it expires, then refreshed`() async throws {
        try await FakeAuthID.run { authID in
            _ = try await authID.check()
            authID.time.advance(by: .seconds(839))
            _ = try await authID.check()
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.refresh) == 0)
            authID.time.advance(by: .seconds(1))
            _ = try await authID.check()
            #expect(authID.count(.token) == 1)
            let refresh = try #require(authID.requests(.refresh).first)
            #expect(refresh.text == #""refresh-1""#)
            #expect(refresh.header("Authorization") == nil)
            #expect(authID.requests(.status).last?.header("Authorization") == "Bearer access-r1")
        }
    }

    @Test func `a refreshed pair's refresh token is the next to be used`() async throws {
        try await FakeAuthID.run { authID in
            for _ in 0..<3 {
                _ = try await authID.check()
                authID.time.advance(by: .seconds(900))
            }
            #expect(authID.requests(.refresh).map(\.text) == [#""refresh-1""#, #""refresh-r1""#])
        }
    }

    @Test func `a token that lives no longer than a minute is not kept`() async throws {
        let time = VirtualTime()
        let expiry = time.timestamp(in: .seconds(60))
        let short: Replies.Reply = { Replies.pair("s\($0.number)", expires: expiry) }
        try await FakeAuthID.run(Replies(token: short, refresh: short), time: time) { authID in
            _ = try await authID.check()
            _ = try await authID.check()
            #expect(authID.count(.token) + authID.count(.refresh) == 2)
        }
    }

    @Test(arguments: [
        nil, "", "soon", "1767226500", "2026-01-01", "2026-01-01T00:15:00", "2026-02-30T00:00:00Z",
        "2025-12-31T23:59:59Z",
    ])
    func `a token without a usable date is kept for some minutes`(_ expires: String?) async throws {
        try await FakeAuthID.run(Replies(token: { _ in Replies.pair("1", expires: expires) })) { authID in
            _ = try await authID.check()
            authID.time.advance(by: .seconds(239))
            _ = try await authID.check()
            #expect(authID.count(.refresh) == 0)
            authID.time.advance(by: .seconds(1))
            _ = try await authID.check()
            #expect(authID.count(.refresh) == 1)
        }
    }

    @Test func `a date in an odd form is ignored`() async throws {
        let reply = ScriptedReply.json(#"{"AccessToken":"a","RefreshToken":7,"AccessTokenExpirationDate":1767226500}"#)
        try await FakeAuthID.run(Replies(token: { _ in reply })) { authID in
            let status = try await authID.check()
            #expect(status == .pending(.userInProvider))
        }
    }

    @Test func `no date makes a token live longer than an hour`() async throws {
        try await FakeAuthID.run(Replies(token: { _ in Replies.pair("1", expires: "2999-01-01T00:00:00Z") })) {
            authID in
            _ = try await authID.check()
            authID.time.advance(by: .seconds(3600 - 60))
            _ = try await authID.check()
            #expect(authID.count(.refresh) == 1)
        }
    }

    @Test func `a stepped wall clock does not spoil a token`() async throws {
        try await FakeAuthID.run { authID in
            _ = try await authID.check()
            authID.time.step(wall: .seconds(86_400))
            _ = try await authID.check()
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.refresh) == 0)
        }
    }

    @Test func `a 401 refreshes the token once and repeats the call once`() async throws {
        let replies = Replies(begin: {
            $0.number == 1 ? Replies.notAuthenticated : .json(#"{"TransactionId":"tx-1","OneTimeSecret":"s"}"#)
        })
        try await FakeAuthID.run(replies) { authID in
            _ = try await authID.begin()
            #expect(authID.count(.begin) == 2)
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.refresh) == 1)
            #expect(authID.requests(.begin).last?.header("Authorization") == "Bearer access-r1")
        }
    }

    @Test func `many checks with one rejected token refresh it once`() async throws {
        let replies = Replies(
            refresh: { _ in .late(.milliseconds(100), Replies.pair("new", expires: nil)) },
            status: {
                $0.bearer == "access-1"
                    ? .late(.milliseconds(Int64($0.number)), Replies.notAuthenticated)
                    : .json(#"{"TransactionId":"tx-1","Status":0}"#)
            }
        )
        try await FakeAuthID.run(replies) { authID in
            #expect(await checkAtOnce(50, authID) == 50)
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.refresh) == 1)
            #expect(authID.count(.status) == 100)
        }
    }

    @Test func `a late 401 does not drop the token that replaced the rejected one`() async throws {
        let isRenewed = Mutex(false)
        let replies = Replies(status: { call in
            switch (call.bearer, call.number) {
            case ("access-1", 1): .held(until: { isRenewed.withLock { $0 } }, Replies.notAuthenticated)
            case ("access-1", _): Replies.notAuthenticated
            default: .json(#"{"TransactionId":"tx-1","Status":0}"#)
            }
        })
        try await FakeAuthID.run(replies) { authID in
            async let late = authID.checkFailure()
            try await authID.wait(for: 1, .status)
            #expect(await authID.checkFailure() == nil)
            isRenewed.withLock { $0 = true }
            #expect(await late == nil)
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.refresh) == 1)
            #expect(authID.count(.status) == 4)
        }
    }

    @Test func `a second 401 counts as the server's own outage, and the next call starts over with the keys`()
        async throws
    {
        try await FakeAuthID.run(Replies(status: { _ in Replies.notAuthenticated })) { authID in
            let cause = "asking for a transaction's status: HTTP 401 E_USER_NOT_AUTHENTICATED: No."
            #expect(await authID.checkFailure() == .unavailable(cause: cause))
            #expect(authID.count(.status) == 2)
            #expect(authID.count(.token) == 1)
            #expect(authID.count(.refresh) == 1)
            _ = await authID.checkFailure()
            #expect(authID.count(.token) == 2)
        }
    }

    @Test(arguments: [
        ScriptedReply.json("{}", status: 401), .json("{}", status: 400), .json("{}", status: 500), .json("garbage"),
        .json("{}"), .json(#"{"AccessToken":""}"#), .json(#"{"AccessToken":"a\r\nX: 1"}"#),
    ])
    func `a refresh that yields no token falls back to the keys`(_ reply: ScriptedReply) async throws {
        try await FakeAuthID.run(Replies(refresh: { _ in reply })) { authID in
            _ = try await authID.check()
            authID.time.advance(by: .seconds(900))
            let status = try await authID.check()
            #expect(status == .pending(.userInProvider))
            #expect(authID.count(.refresh) == 1)
            #expect(authID.count(.token) == 2)
        }
    }

    @Test func `a refresh that gets no answer fails in time, and the next caller uses the keys`() async throws {
        try await FakeAuthID.run(Replies(refresh: { _ in .hang })) { authID in
            _ = try await authID.check()
            authID.time.advance(by: .seconds(900))
            async let failure = authID.checkFailure()
            try await authID.runOut(after: 1, .refresh)
            #expect(await failure == .unreached(cause: "refreshing the token: no complete answer in time"))
            let status = try await authID.check()
            #expect(status == .pending(.userInProvider))
            #expect(authID.count(.refresh) == 1)
            #expect(authID.count(.token) == 2)
        }
    }

    @Test(arguments: [400, 401, 403])
    func `wrong keys count as the server's own outage, not as a rejection of the person`(
        _ status: Int
    ) async throws {
        let error = Replies.error(status, "E_USER_NOT_AUTHENTICATED")
        try await FakeAuthID.run(Replies(token: { _ in error })) { authID in
            let cause = "asking for a token: HTTP \(status) E_USER_NOT_AUTHENTICATED: No."
            #expect(await authID.beginFailure() == .unreached(cause: cause))
            #expect(authID.count(.begin) == 0)
            #expect(authID.count(.token) == 1)
        }
    }

    @Test(arguments: ["", "null", "{}", #"{"AccessToken":null}"#, #"{"AccessToken":"a b"}"#])
    func `a token answer that can't be used means unavailable`(_ body: String) async throws {
        try await FakeAuthID.run(Replies(token: { _ in .json(body) })) { authID in
            #expect(await authID.checkFailure() == .unreached(cause: "asking for a token: the answer cannot be read"))
            #expect(authID.count(.status) == 0)
        }
    }
}
