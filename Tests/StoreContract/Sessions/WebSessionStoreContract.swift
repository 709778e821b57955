package import Kernel
package import Sessions
import Testing

/// The contract of every store of browsers' sessions, one case a promise.
package enum WebSessionStoreContract: String, StorePromise {
    case comesBackAsWritten = "a browser's session comes back as it was written, by its cookie"
    case isSeen = "a use is noted, and never an earlier one over a later"
    case isSeenOfSessions = "the last use of each session is that of its newest cookie"
    case isForgotten = "a cookie is forgotten once"
    case areForgotten = "all cookies of a session are forgotten, and no other's"
    case goesAlong = "it goes with its session"
    case purges = "what has expired is purged, in batches"

    /// Checks this promise over an empty store that has these two sessions; `remove` takes one of them away.
    package func check(
        over store: some WebSessionStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        sessions: [SessionID],
        remove: @escaping @Sendable (SessionID, borrowing Transaction) throws -> Void
    ) async throws {
        let subject = WebSessionsUnderTest(store: store, purging: purge, unitOfWork: unitOfWork, sessions: sessions)
        switch self {
        case .comesBackAsWritten: try await subject.checkWriting()
        case .isSeen: try await subject.checkSeeing()
        case .isSeenOfSessions: try await subject.checkLastSeen()
        case .isForgotten: try await subject.checkForgetting()
        case .areForgotten: try await subject.checkForgettingAll()
        case .goesAlong: try await subject.checkEnding(remove)
        case .purges: try await subject.checkPurging()
        }
    }
}

private struct WebSessionsUnderTest<Store: WebSessionStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let sessions: [SessionID]

    private static var now: Instant { OperationSample.start }

    func checkWriting() async throws {
        let written = [browser(1), browser(2, of: 1)]
        try await insert(written)
        for browser in written { #expect(try await store.find(browser.cookie) == browser) }
        #expect(try await store.find(Self.cookie(9)) == nil)
        await #expect(throws: (any Error).self) { try await insert([browser(1, of: 1)]) }
    }

    func checkSeeing() async throws {
        try await insert([browser(1), browser(2)])
        let (earlier, later) = (Self.now + .seconds(60), Self.now + .seconds(90))
        for instant in [later, earlier] {
            try await run { try store.markSeen(Self.cookie(1), at: instant, in: $0) }
        }
        #expect(try await store.find(Self.cookie(1))?.seenAt == later)
        #expect(try await store.find(Self.cookie(2))?.seenAt == Self.now)
    }

    func checkLastSeen() async throws {
        try await insert([browser(1), browser(2), browser(3, of: 1)])
        let later = Self.now + .seconds(60)
        try await run { try store.markSeen(Self.cookie(2), at: later, in: $0) }
        #expect(try await store.lastSeen(of: Set(sessions)) == [sessions[0]: later, sessions[1]: Self.now])
        #expect(try await store.lastSeen(of: [sessions[1]]) == [sessions[1]: Self.now])
    }

    func checkForgetting() async throws {
        try await insert([browser(1), browser(2)])
        let removed = try await run { transaction in
            [try store.remove(Self.cookie(1), in: transaction), try store.remove(Self.cookie(1), in: transaction)]
        }
        #expect(removed == [browser(1), nil])
        #expect(try await store.find(Self.cookie(1)) == nil)
        #expect(try await store.find(Self.cookie(2)) == browser(2))
    }

    func checkForgettingAll() async throws {
        try await insert([browser(1), browser(2), browser(3, of: 1)])
        let session = sessions[0]
        try await run { try store.removeAll(of: session, in: $0) }
        for number in [1, 2] as [UInt64] { #expect(try await store.find(Self.cookie(number)) == nil) }
        #expect(try await store.find(Self.cookie(3)) == browser(3, of: 1))
    }

    func checkEnding(_ remove: @escaping @Sendable (SessionID, borrowing Transaction) throws -> Void) async throws {
        try await insert([browser(1), browser(2, of: 1)])
        let session = sessions[0]
        try await run { try remove(session, $0) }
        #expect(try await store.find(Self.cookie(1)) == nil)
        #expect(try await store.find(Self.cookie(2)) != nil)
    }

    func checkPurging() async throws {
        try await insert((1...5).map { browser($0, lasting: Int64($0)) })
        func purge(_ limit: Int) async throws -> Int {
            try await run { try purging(Self.now + .seconds(4), limit, $0) }
        }
        #expect(try await purge(2) == 2)
        #expect(try await store.find(Self.cookie(3)) != nil, "the oldest first")
        #expect(try await purge(9) == 1)
        #expect(try await purge(9) == 0)
        #expect(try await store.find(Self.cookie(4)) != nil)
    }

    private func insert(_ browsers: [WebSession]) async throws {
        try await run { transaction in for browser in browsers { try store.insert(browser, in: transaction) } }
    }

    private func browser(_ number: UInt64, of session: Int = 0, lasting seconds: Int64 = 600) -> WebSession {
        WebSession(
            cookie: Self.cookie(number),
            session: sessions[session],
            isAlone: number.isMultiple(of: 2),
            createdAt: Self.now,
            seenAt: Self.now,
            expiresAt: Self.now + .seconds(seconds)
        )
    }

    private static func cookie(_ number: UInt64) -> Digest256 { OperationSample.digest("web cookie", number) }
}
