package import Kernel
package import Sessions
import Testing

/// The contract of every store of sessions about those that expired, one case a promise.
package enum SessionExpiryStoreContract: String, StorePromise {
    case pagesByExpiry = "expired tokens come in the order of their expiry, each once, whatever the size of a page"
    case namesTheEnded = "a token names its session unless that has a newer token, was revoked, or is noted"
    case notesOnce = "a session is noted once, and not while a token of it can be refreshed or after it was revoked"
    case tellsRevocations = "the revocation of a session says whether its expiry was noted"
    case tellsOfALiveSession = "a session that a clock ahead has noted, and that goes on, is told when it is revoked"
    case forgetsTheRefreshed = "a session that was refreshed after it was noted is noted again when that token expires"
    case keepsTheEnd = "the time up to which sessions are noted is unknown at first, and then the last one"

    /// Checks this promise over an empty store that has an account.
    package func check(
        over store: some SessionStore,
        _ unitOfWork: some UnitOfWork,
        account: AccountID
    ) async throws {
        let subject = ExpiriesUnderTest(store: store, unitOfWork: unitOfWork, account: account)
        switch self {
        case .pagesByExpiry: try await subject.checkPages()
        case .namesTheEnded: try await subject.checkNames()
        case .notesOnce: try await subject.checkNoting()
        case .tellsRevocations: try await subject.checkRevocations()
        case .tellsOfALiveSession: try await subject.checkClockAhead()
        case .forgetsTheRefreshed: try await subject.checkRefreshed()
        case .keepsTheEnd: try await subject.checkEnd()
        }
    }
}

private struct ExpiriesUnderTest<Store: SessionStore, Work: UnitOfWork>: CheckingInUnits {
    let store: Store
    let unitOfWork: Work
    let account: AccountID

    private static var now: Instant { OperationSample.start }

    func checkPages() async throws {
        // Three expire in one millisecond.
        for (number, second) in [(1, 5), (2, 5), (3, 5), (4, 4), (5, 6), (6, 7)] as [(UInt64, Int64)] {
            try await open(number, expiresAt: Self.now + .seconds(second))
        }
        for size in 1...4 {
            var found: [ExpiredToken] = []
            var position = ExpiryPosition(expiresAt: Self.now)
            while true {
                let page = try await expired(after: position, until: Self.now + .seconds(6), limit: size)
                found += page
                guard let last = page.last else { break }
                position = last.position
            }
            let sessions = found.compactMap(\.session)
            #expect(found.count == 5 && sessions.count == 5, "pages of \(size)")
            #expect(Set(sessions) == Set(ids(1...5)))
            #expect(sessions.first == id(4) && sessions.last == id(5))
        }
        let from = ExpiryPosition(expiresAt: Self.now + .seconds(6))
        #expect(
            try await expired(after: from, until: Self.now + .seconds(7), limit: 9).map(\.session) == [id(5), id(6)]
        )
    }

    func checkNames() async throws {
        let end = Self.now + .seconds(9)
        for number in 1...4 as ClosedRange<UInt64> {
            try await open(number, client: "shop", expiresAt: Self.now + .seconds(Int64(number)))
        }
        try await rotate(1, until: Self.now + .seconds(5))
        _ = try await revoke(2)
        #expect(try await note(3, by: end) != nil)
        let found = try await expired(after: ExpiryPosition(expiresAt: Self.now), until: end, limit: 9)
        #expect(found.map(\.session) == [nil, nil, nil, id(4), id(1)])
        #expect(found.allSatisfy { $0.client == "shop" })
        let ends = found.map(\.position.expiresAt)
        #expect(ends == ends.sorted())
    }

    func checkNoting() async throws {
        let end = Self.now + .seconds(9)
        for number in 1...3 as ClosedRange<UInt64> {
            try await open(number, client: "shop", expiresAt: Self.now + .seconds(5))
        }
        try await rotate(2, until: end + .milliseconds(1))
        _ = try await revoke(3)
        #expect(try await note(1, by: Self.now + .seconds(4)) == nil)
        #expect(try await note(1, by: end) == ExpiredSession(id: id(1), account: account, client: "shop"))
        #expect(try await note(1, by: end) == nil)
        #expect(try await note(2, by: end) == nil, "it was refreshed")
        #expect(try await note(2, by: end + .milliseconds(1)) != nil)
        #expect(try await note(3, by: end) == nil, "it was revoked")
        #expect(try await note(4, by: end) == nil, "there is none")
        #expect(try await store.find(id(1))?.revocation == nil)
        // Of many that note one session at a time one does.
        try await open(5, expiresAt: Self.now)
        let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 { group.addTask { try await note(5, by: end) != nil } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(winners == 1)
    }

    func checkRevocations() async throws {
        for number in 1...6 as ClosedRange<UInt64> { try await open(number, expiresAt: Self.now) }
        for number in [1, 3, 5] as [UInt64] { #expect(try await note(number, by: Self.now) != nil) }
        #expect(try await revoke(1)?.isExpiryNoted == true)
        #expect(try await revoke(2)?.isExpiryNoted == false)
        let (account, several) = (account, Set([id(3), id(4)]))
        let ended = try await run { [store] in
            try store.revoke(several, of: account, because: .signedOut, at: Self.now, in: $0)
                + store.revokeAll(of: account, except: nil, because: .signedOut, at: Self.now, in: $0)
        }
        #expect(Set(ended.map(\.id)) == Set(ids(3...6)))
        #expect(Set(ended.filter(\.isExpiryNoted).map(\.id)) == [id(3), id(5)])
    }

    func checkRefreshed() async throws {
        for number in 1...2 as ClosedRange<UInt64> { try await open(number, expiresAt: Self.now) }
        // As by a clock that is ahead.
        for number in 1...2 as ClosedRange<UInt64> { #expect(try await note(number, by: Self.now) != nil) }
        for number in 1...2 as ClosedRange<UInt64> { try await rotate(number, until: Self.now + .seconds(5)) }
        #expect(try await revoke(1)?.isExpiryNoted == false)
        let end = Self.now + .seconds(5)
        #expect(try await note(2, by: end - .milliseconds(1)) == nil)
        let found = try await expired(after: ExpiryPosition(expiresAt: Self.now), until: end, limit: 9)
        #expect(found.compactMap(\.session) == [id(2)])
        #expect(try await note(2, by: end) != nil)
        #expect(try await note(2, by: end) == nil)
        #expect(try await revoke(2, at: end)?.isExpiryNoted == true)
    }

    /// A session whose fixed token is good again when a clock that was ahead is put right.
    func checkClockAhead() async throws {
        let end = Self.now + .seconds(1800)
        for number in 1...2 as ClosedRange<UInt64> { try await open(number, expiresAt: end) }
        for number in 1...2 as ClosedRange<UInt64> { #expect(try await note(number, by: end) != nil) }
        #expect(try await revoke(1, at: Self.now)?.isExpiryNoted == false)
        #expect(try await revoke(2, at: end)?.isExpiryNoted == true)
    }

    func checkEnd() async throws {
        #expect(try await notedUntil() == nil)
        for end in [Self.now, Self.now + .seconds(1), Self.now - .seconds(1)] {
            try await run { [store] in try store.keepExpiriesNoted(until: end, in: $0) }
            #expect(try await notedUntil() == end)
        }
    }

    private func notedUntil() async throws -> Instant? {
        try await run { [store] in try store.expiriesNotedUntil(in: $0) }
    }

    private func id(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 0x5E55, low: number)) }
    private func ids(_ numbers: ClosedRange<UInt64>) -> [SessionID] { numbers.map { id($0) } }
    private func key(_ number: UInt64) -> Digest256 { OperationSample.digest("expiring row", number) }

    private func expired(
        after position: ExpiryPosition,
        until end: Instant,
        limit: Int
    ) async throws -> [ExpiredToken] {
        try await run { [store] in try store.expired(after: position, until: end, limit: limit, in: $0) }
    }

    private func note(_ number: UInt64, by end: Instant) async throws -> ExpiredSession? {
        let session = id(number)
        return try await run { [store] in try store.noteExpiry(of: session, by: end, in: $0) }
    }

    private func revoke(_ number: UInt64, at now: Instant = Self.now) async throws -> RevokedSession? {
        let (session, account) = (id(number), account)
        return try await run { [store] in
            try store.revoke(session, of: account, because: .signedOut, at: now, in: $0)
        }
    }

    private func open(_ number: UInt64, client: String = "app", expiresAt: Instant) async throws {
        let session = Session(
            id: id(number),
            account: account,
            client: client,
            linkedDevice: nil,
            createdAt: Self.now - .seconds(100),
            authentication: Session.Authentication(at: Self.now - .seconds(100), methods: ["face"])
        )
        let token = token(number, of: number, parent: nil, until: expiresAt)
        try await run { [store] in try store.insert(session, token, face: nil, in: $0) }
    }

    private func rotate(_ number: UInt64, until end: Instant) async throws {
        let child = token(number + 100, of: number, parent: key(number), until: end)
        let isRotated = try await run { [store] in
            let parentEndsAt = Self.now + .seconds(1)
            return try store.rotate(into: child, parentEndsAt: parentEndsAt, isProven: false, in: $0)
        }
        #expect(isRotated)
    }

    private func token(_ number: UInt64, of session: UInt64, parent: Digest256?, until end: Instant) -> RefreshToken {
        RefreshToken(
            key: key(number),
            session: id(session),
            lineage: RefreshToken.Lineage(family: key(session), parent: parent, child: nil),
            issuedAt: Self.now - .seconds(100),
            expiresAt: end,
            firstUsedAt: nil
        )
    }
}
