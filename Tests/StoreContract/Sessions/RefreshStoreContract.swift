package import Kernel
package import Sessions
import Testing

/// The contract of every store of sessions when tokens are rotated, one case a promise.
package enum RefreshStoreContract: String, StorePromise {
    case readsBack = "a token is found with its session and its successor, each as it was written"
    case rotatesOnce = "of many that rotate one token at a time one does, and the others change nothing"
    case keepsTheFirstUse = "the first use of a token is noted, and stays noted"
    case endsTheParent = "a replaced token goes at the time that its rotation says, its successor stays"
    case tellsTheReason = "a revoked session says why, whether it was revoked alone or with all others"
    case listsTheRevoked = "what was revoked since is listed, the last first"
    case listsTheOwners = "an account's sessions are listed, the newest first, with their last refresh"

    /// Checks this promise over an empty store that has two accounts.
    package func check(
        over store: some SessionStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID]
    ) async throws {
        let subject = RefreshesUnderTest(store: store, purging: purge, unitOfWork: unitOfWork, accounts: accounts)
        switch self {
        case .readsBack: try await subject.checkReading()
        case .rotatesOnce: try await subject.checkRace()
        case .keepsTheFirstUse: try await subject.checkFirstUse()
        case .endsTheParent: try await subject.checkParent()
        case .tellsTheReason: try await subject.checkReasons()
        case .listsTheRevoked: try await subject.checkRevoked()
        case .listsTheOwners: try await subject.checkList()
        }
    }
}

private struct RefreshesUnderTest<Store: SessionStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let accounts: [AccountID]

    private static var now: Instant { OperationSample.start }
    private static var later: Instant { now + .seconds(60) }

    func checkReading() async throws {
        let (session, first) = try await open(1, binding: .deviceKey)
        #expect(try await family(first.key) == RefreshFamily(session: session, presented: first, child: nil))
        let child = successor(2, of: first, at: Self.later)
        #expect(try await rotate(child))
        let found = try #require(try await family(first.key))
        #expect(found.session == session && found.child == child)
        #expect(found.presented.lineage.child == child.key && found.presented.firstUsedAt == Self.later)
        #expect(found.presented.issuedAt == first.issuedAt && found.presented.lineage.family == first.lineage.family)
        #expect(try await family(child.key) == RefreshFamily(session: session, presented: child, child: nil))
        #expect(try await family(key(9)) == nil)
        #expect(try await rotate(successor(3, of: child, at: Self.later), isProven: true))
        #expect(try await !rotate(successor(4, of: child, at: Self.later)), "and who comes second changes nothing")
        #expect(try await family(first.key)?.presented.isRotationProven == false)
        let proven = try #require(try await family(child.key))
        #expect(proven.presented.isRotationProven && proven.child?.isRotationProven == false)
        #expect(try await family(first.key)?.child == proven.presented)
    }

    func checkRace() async throws {
        let (_, first) = try await open(1)
        let winners = try await withThrowingTaskGroup(of: Digest256?.self) { group in
            for number in 2...9 as ClosedRange<UInt64> {
                let child = successor(number, of: first, at: Self.later)
                group.addTask { try await rotate(child) ? child.key : nil }
            }
            return try await group.reduce(into: [Digest256]()) { all, key in if let key { all.append(key) } }
        }
        #expect(winners.count == 1)
        #expect(try await family(first.key)?.child?.key == winners.first)
        for number in 2...9 as ClosedRange<UInt64> where key(number) != winners.first {
            #expect(try await family(key(number)) == nil, "no row of a loser")
        }
    }

    func checkFirstUse() async throws {
        let (_, first) = try await open(1)
        try await markUsed(first.key, at: Self.now + .seconds(5))
        try await markUsed(first.key, at: Self.now + .seconds(9))
        #expect(try await family(first.key)?.presented.firstUsedAt == Self.now + .seconds(5))
        #expect(try await rotate(successor(2, of: first, at: Self.later)))
        #expect(try await family(first.key)?.presented.firstUsedAt == Self.now + .seconds(5))
    }

    func checkParent() async throws {
        let (session, first) = try await open(1)
        #expect(try await rotate(successor(2, of: first, at: Self.later)))
        #expect(try await family(first.key)?.presented.expiresAt == Self.later + .seconds(100))
        #expect(try await purge(before: Self.later + .seconds(100)) == 0)
        #expect(try await purge(before: Self.later + .seconds(101)) == 1)
        #expect(try await family(first.key) == nil)
        #expect(try await family(key(2))?.session == session)
    }

    func checkReasons() async throws {
        for number in 1...3 as ClosedRange<UInt64> { _ = try await open(number) }
        let (store, account, one) = (store, accounts[0], id(1))
        _ = try await unitOfWork.run { transaction in
            try store.revoke(one, of: account, because: .refreshReuse, at: Self.now, in: transaction)
        }
        _ = try await unitOfWork.run { transaction in
            try store.revokeAll(
                of: account,
                except: nil,
                because: .signedOutEverywhere,
                at: Self.later,
                in: transaction
            )
        }
        #expect(try await store.find(id(1))?.revocation?.reason == .refreshReuse, "the first reason stays")
        #expect(try await store.find(id(2))?.revocation?.reason == .signedOutEverywhere)
        #expect(try await family(key(3))?.session.revocation?.reason == .signedOutEverywhere)
        let device = DeviceID(UUIDBits(high: 0xD, low: 1))
        _ = try await open(4, device: device)
        _ = try await open(5, device: DeviceID(UUIDBits(high: 0xD, low: 2)))
        _ = try await open(6, account: 1, device: device)
        let (fourth, sixth) = (id(4), id(6))
        let ended = try await unitOfWork.run { transaction in
            try store.revoke([fourth, sixth], of: account, because: .deviceRevoked, at: Self.later, in: transaction)
        }
        #expect(ended.map(\.id) == [id(4)])
        #expect(try await store.find(id(4))?.revocation?.reason == .deviceRevoked)
        for other in [id(5), id(6)] { #expect(try await store.find(other)?.revocation == nil) }
        let inside = try await unitOfWork.run { try store.find(one, in: $0) }
        #expect(try await inside == store.find(one))
    }

    func checkRevoked() async throws {
        for number in 1...4 as ClosedRange<UInt64> { _ = try await open(number) }
        for number in 1...3 as ClosedRange<UInt64> {
            let (store, account, one) = (store, accounts[0], id(number))
            _ = try await unitOfWork.run { transaction in
                let at = Self.now + .seconds(Int64(number))
                return try store.revoke(one, of: account, because: .signedOut, at: at, in: transaction)
            }
        }
        let since = try await store.revoked(after: Self.now + .seconds(1), limit: 9)
        #expect(since.map(\.session) == [id(3), id(2)])
        #expect(since.map(\.at) == [Self.now + .seconds(3), Self.now + .seconds(2)])
        #expect(try await store.revoked(after: Self.now, limit: 1).map(\.session) == [id(3)])
    }

    func checkList() async throws {
        let (old, first) = try await open(1, createdAt: Self.now - .seconds(50))
        let (new, _) = try await open(2)
        _ = try await open(3, account: 1)
        #expect(try await rotate(successor(4, of: first, at: Self.later)))
        let all = try await store.list(of: accounts[0], limit: 9)
        #expect(all.map(\.session) == [new, old])
        #expect(all.map(\.refreshedAt) == [Self.now, Self.later])
        #expect(all.map(\.expiresAt) == [Self.now + .seconds(9000), Self.later + .seconds(9000)])
        #expect(try await store.list(of: accounts[0], limit: 1).map(\.session) == [new])
    }

    private func id(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 0x5E55, low: number)) }
    private func key(_ number: UInt64) -> Digest256 { OperationSample.digest("refresh row", number) }

    private func open(
        _ number: UInt64,
        account: Int = 0,
        device: DeviceID? = nil,
        binding: Session.Binding = .none,
        createdAt: Instant = now
    ) async throws -> (Session, RefreshToken) {
        let session = Session(
            id: id(number),
            account: accounts[account],
            client: "app",
            linkedDevice: device.map { Session.LinkedDevice(id: $0) },
            createdAt: createdAt,
            authentication: Session.Authentication(
                at: createdAt,
                methods: ["face", "pin"],
                passkey: number.isMultiple(of: 2) ? nil : PasskeyID(UUIDBits(high: 0x9A55, low: number))
            ),
            tokenBinding: Session.TokenBinding(proof: binding, key: number.isMultiple(of: 2) ? key(number) : nil)
        )
        let token = token(number, session.id, family: key(number), parent: nil, at: createdAt)
        let store = store
        try await unitOfWork.run { try store.insert(session, token, face: nil, in: $0) }
        return (session, token)
    }

    private func successor(_ number: UInt64, of parent: RefreshToken, at now: Instant) -> RefreshToken {
        token(number, parent.session, family: parent.lineage.family, parent: parent.key, at: now)
    }

    private func token(
        _ number: UInt64,
        _ session: SessionID,
        family: Digest256,
        parent: Digest256?,
        at now: Instant
    ) -> RefreshToken {
        RefreshToken(
            key: key(number),
            session: session,
            lineage: RefreshToken.Lineage(family: family, parent: parent, child: nil),
            issuedAt: now,
            expiresAt: now + .seconds(9000),
            firstUsedAt: nil
        )
    }

    private func rotate(_ child: RefreshToken, isProven: Bool = false) async throws -> Bool {
        let store = store
        return try await unitOfWork.run { transaction in
            let parentEndsAt = child.issuedAt + .seconds(100)
            return try store.rotate(into: child, parentEndsAt: parentEndsAt, isProven: isProven, in: transaction)
        }
    }

    private func markUsed(_ key: Digest256, at now: Instant) async throws {
        let store = store
        try await unitOfWork.run { try store.markUsed(key, at: now, in: $0) }
    }

    private func family(_ key: Digest256) async throws -> RefreshFamily? {
        let store = store
        return try await unitOfWork.run { try store.family(of: key, in: $0) }
    }

    private func purge(before instant: Instant) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(instant, 100, $0) }
    }
}
