package import Kernel
package import Sessions
import Testing

/// The contract of every store of sessions when it purges, one case a promise.
package enum SessionStoreContract: String, StorePromise {
    case revokesOne =
        "a session is revoked once, by its own account, and stands until then or until its last token expires"
    case revokesSeveral =
        "of several sessions those that are the account's and open are revoked and named, and no other"
    case revokesAll = "all open sessions of an account but one are revoked, and named with their clients"
    case keepsOrigins = "a session keeps the place and browser of its sign-in, or that they are unknown"
    case listsAClients = "an account's open sessions with one client are found, and no other's"
    case purgesTheDead = "a session goes with its last refresh row, once that has expired"
    case keepsTheLiving = "expired refresh rows go, and the session stays while one lives on"
    case purgesTheRevoked = "a revoked session goes with all its refresh rows, however long they would last"
    case purgesInBatches = "a purge takes about as many rows as it may, and fewer only when nothing is left"

    /// Checks this promise over an empty store that has two accounts.
    ///
    /// `rotate` adds a further refresh row to a session, `tokens` reads the keys of a session's refresh rows.
    package func check(
        over store: some SessionStore,
        purge: @escaping Purge,
        _ unitOfWork: some UnitOfWork,
        accounts: [AccountID],
        rotate: @escaping @Sendable (RefreshToken) async throws -> Void,
        tokens: @escaping @Sendable (SessionID) async throws -> [Digest256]
    ) async throws {
        let subject = SessionsUnderTest(
            store: store,
            purging: purge,
            unitOfWork: unitOfWork,
            accounts: accounts,
            addToken: rotate,
            tokens: tokens
        )
        switch self {
        case .revokesOne: try await subject.checkOne()
        case .revokesSeveral: try await subject.checkSeveral()
        case .revokesAll: try await subject.checkAll()
        case .keepsOrigins: try await subject.checkOrigins()
        case .listsAClients: try await subject.checkClient()
        case .purgesTheDead: try await subject.checkDead()
        case .keepsTheLiving: try await subject.checkLiving()
        case .purgesTheRevoked: try await subject.checkRevoked()
        case .purgesInBatches: try await subject.checkBatches()
        }
    }
}

private struct SessionsUnderTest<Store: SessionStore, Work: UnitOfWork> {
    let store: Store
    let purging: Purge
    let unitOfWork: Work
    let accounts: [AccountID]
    let addToken: @Sendable (RefreshToken) async throws -> Void
    let tokens: @Sendable (SessionID) async throws -> [Digest256]

    private static var now: Instant { OperationSample.start }

    func checkOne() async throws {
        for (number, lifetime) in [(1, 9), (2, 9), (3, 0)] as [(UInt64, Int64)] {
            try await insert(number, expiresIn: .seconds(lifetime))
        }
        try await rotate(2, expiresIn: .seconds(-1), token: 4)
        let all = Set([1, 2, 3, 4].map { id($0) })
        #expect(try await store.active(among: all, at: Self.now) == [id(1), id(2)])
        #expect(try await store.active(among: [id(2)], at: Self.now) == [id(2)])
        #expect(try await revoke(id(1), of: accounts[1]) == nil)
        #expect(try await revoke(id(4), of: accounts[0]) == nil)
        #expect(try await store.active(among: all, at: Self.now) == [id(1), id(2)])
        #expect(try await revoke(id(1), of: accounts[0]) == RevokedSession(id: id(1), client: "app", device: nil))
        #expect(try await revoke(id(1), of: accounts[0]) == nil)
        #expect(try await store.find(id(1))?.revocation?.at == Self.now)
        #expect(try await store.active(among: all, at: Self.now) == [id(2)])
    }

    func checkSeveral() async throws {
        let phone = DeviceID(UUIDBits(high: 0xD, low: 1))
        for number in UInt64(1)...4 { try await insert(number, device: phone, expiresIn: .seconds(9)) }
        try await insert(5, account: 1, device: phone, expiresIn: .seconds(9))
        #expect(try await revoke(id(3), of: accounts[0]) == RevokedSession(id: id(3), client: "app", device: phone))
        let named: Set<SessionID> = [id(1), id(2), id(3), id(5), id(9)]
        #expect(try await revoke(named) == [id(1), id(2)], "those that are the account's, and open")
        #expect(try await revoke(named).isEmpty)
        #expect(try await revoke([]).isEmpty)
        #expect(try await store.find(id(1))?.revocation?.reason == .passkeyRemoved)
        #expect(try await store.find(id(1))?.revocation?.at == Self.now)
        #expect(try await store.find(id(3))?.revocation?.reason == .notMe)
        for number in UInt64(4)...5 { #expect(try await store.find(id(number))?.revocation == nil) }
    }

    func checkAll() async throws {
        let phone = DeviceID(UUIDBits(high: 0xD, low: 1))
        for number in UInt64(1)...3 { try await insert(number, device: phone, expiresIn: .seconds(9)) }
        try await insert(4, account: 1, expiresIn: .seconds(9))
        _ = try await revoke(id(1), of: accounts[0])
        #expect(try await revokeAll(except: id(2)) == [RevokedSession(id: id(3), client: "app", device: phone)])
        #expect(try await store.find(id(2))?.revocation == nil)
        #expect(try await revokeAll(except: nil).map(\.id) == [id(2)])
        #expect(try await revokeAll(except: nil).isEmpty)
        #expect(try await store.find(id(4))?.revocation == nil)
    }

    func checkOrigins() async throws {
        let origins: [UInt64: Session.Origin?] = [
            1: Session.Origin(address: "2001:db8::7", agent: "Firefox, Windows"),
            2: Session.Origin(address: "", agent: "Safari, iPhone"), 3: Session.Origin(address: "192.0.2.1", agent: ""),
            4: nil,
        ]
        for (number, origin) in origins { try await insert(number, expiresIn: .seconds(9), from: origin) }
        _ = try await revoke(id(1), of: accounts[0])
        let listed = try await store.list(of: accounts[0], limit: 9)
        for (number, origin) in origins {
            #expect(try await store.find(id(number))?.authentication.origin == origin)
            let entry = try #require(listed.first { $0.session.id == id(number) })
            #expect(entry.session.authentication.origin == origin)
        }
    }

    func checkDead() async throws {
        try await insert(1, expiresIn: .milliseconds(-1))
        try await insert(2, expiresIn: .zero)
        try await insert(3, expiresIn: .seconds(1))
        #expect(try await purge(100) == 2, "the session and its refresh row")
        #expect(try await remaining(1...3) == [2, 3])
        #expect(try await tokens(id(1)).isEmpty)
        #expect(try await tokens(id(2)).count == 1)
    }

    func checkLiving() async throws {
        try await insert(1, expiresIn: .seconds(-9), token: 1)
        try await rotate(1, expiresIn: .seconds(-5), token: 2)
        try await rotate(1, expiresIn: .seconds(5), token: 3)
        #expect(try await purge(100) == 2)
        #expect(try await remaining(1...1) == [1])
        #expect(try await tokens(id(1)) == [key(3)])
    }

    func checkRevoked() async throws {
        try await insert(1, account: 0, expiresIn: .seconds(900), token: 1)
        try await rotate(1, expiresIn: .seconds(1000), token: 2)
        try await insert(2, account: 1, expiresIn: .seconds(900), token: 3)
        try await revoke(0, ago: .milliseconds(1))
        try await revoke(1, ago: .zero)
        #expect(try await purge(100) == 3)
        #expect(try await remaining(1...2) == [2])
        #expect(try await tokens(id(1)).isEmpty)
    }

    func checkBatches() async throws {
        for number in 1...6 { try await insert(UInt64(number), account: 0, expiresIn: .seconds(-1)) }
        try await insert(7, account: 1, expiresIn: .seconds(900), token: 7)
        for token in 8...12 { try await rotate(7, expiresIn: .seconds(900), token: UInt64(token)) }
        try await insert(13, account: 0, expiresIn: .seconds(900))
        try await revoke(1, ago: .seconds(1))
        var rounds = 0
        while try await purge(4) >= 4 {
            rounds += 1
            try #require(rounds < 10)
        }
        #expect(rounds > 1)
        #expect(try await remaining(1...13) == [13])
        #expect(try await purge(4) == 0)
    }

    private func id(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 0x5E55, low: number)) }
    private func key(_ number: UInt64) -> Digest256 { OperationSample.digest("refresh row", number) }

    func checkClient() async throws {
        for (number, client) in [(1, "app"), (2, "app"), (3, "other")] as [(UInt64, String)] {
            try await insert(number, expiresIn: .seconds(9), client: client)
        }
        try await insert(4, account: 1, expiresIn: .seconds(9))
        let (store, account, ended) = (store, accounts[0], id(1))
        func open(_ client: String) async throws -> Set<SessionID> {
            Set(try await unitOfWork.read { try store.open(of: account, client: client, in: $0) })
        }
        #expect(try await open("app") == [id(1), id(2)])
        _ = try await unitOfWork.run {
            try store.revoke([ended], of: account, because: .signedOut, at: Self.now, in: $0)
        }
        #expect(try await open("app") == [id(2)])
        #expect(try await open("other") == [id(3)])
    }

    private func insert(
        _ number: UInt64,
        account: Int = 0,
        device: DeviceID? = nil,
        passkey: PasskeyID? = nil,
        expiresIn: Duration,
        token: UInt64? = nil,
        client: String = "app",
        from origin: Session.Origin? = nil
    ) async throws {
        let session = Session(
            id: id(number),
            account: accounts[account],
            client: client,
            linkedDevice: device.map { Session.LinkedDevice(id: $0) },
            createdAt: Self.now - .seconds(5000),
            authentication: Session.Authentication(
                at: Self.now - .seconds(5000),
                methods: ["face"],
                passkey: passkey,
                origin: origin
            )
        )
        let row = row(token ?? number, of: session.id, expiresIn: expiresIn)
        let store = store
        try await unitOfWork.run { try store.insert(session, row, face: nil, in: $0) }
    }

    /// A further refresh row of the session, as a rotation makes it.
    private func rotate(_ number: UInt64, expiresIn: Duration, token: UInt64) async throws {
        try await addToken(row(token, of: id(number), expiresIn: expiresIn))
    }

    private func row(_ token: UInt64, of session: SessionID, expiresIn: Duration) -> RefreshToken {
        RefreshToken(
            key: key(token),
            session: session,
            lineage: RefreshToken.Lineage(family: key(1), parent: nil, child: nil),
            issuedAt: Self.now - .seconds(5000),
            expiresAt: Self.now + expiresIn,
            firstUsedAt: nil
        )
    }

    private func revoke(_ account: Int, ago: Duration) async throws {
        let (store, account) = (store, accounts[account])
        _ = try await unitOfWork.run {
            try store.revokeAll(of: account, except: nil, because: .accountDisabled, at: Self.now - ago, in: $0)
        }
    }

    private func revoke(_ session: SessionID, of account: AccountID) async throws -> RevokedSession? {
        let store = store
        return try await unitOfWork.run {
            try store.revoke(session, of: account, because: .notMe, at: Self.now, in: $0)
        }
    }

    /// Revokes the open sessions of the first account but one.
    private func revokeAll(except kept: SessionID?) async throws -> [RevokedSession] {
        let (store, account) = (store, accounts[0])
        return try await unitOfWork.run {
            try store.revokeAll(of: account, except: kept, because: .notMe, at: Self.now, in: $0)
        }
    }

    /// Revokes sessions of the first account, as for a passkey that was removed.
    private func revoke(_ sessions: Set<SessionID>) async throws -> Set<SessionID> {
        let (store, account) = (store, accounts[0])
        return try await unitOfWork.run { transaction in
            let ended = try store.revoke(
                sessions,
                of: account,
                because: .passkeyRemoved,
                at: Self.now,
                in: transaction
            )
            return Set(ended.map(\.id))
        }
    }

    private func purge(_ limit: Int) async throws -> Int {
        try await unitOfWork.run { [purging] in try purging(Self.now, limit, $0) }
    }

    private func remaining(_ numbers: ClosedRange<UInt64>) async throws -> [UInt64] {
        var found: [UInt64] = []
        for number in numbers where try await store.find(id(number)) != nil { found.append(number) }
        return found
    }
}
