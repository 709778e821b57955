import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import Operations

@Suite struct EndTests {
    @Test func `after its acknowledgement a grant is not handed out again`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        let grant = try #require(try await harness.poll(login).grant)
        let outcome = try await harness.service.acknowledge(login.publicID, login.rightful)
        #expect(outcome == .current(.delivered(seq: 6)))
        #expect(try await harness.poll(login).isDelivered)
        #expect(
            try await harness.service.acknowledge(login.publicID, login.rightful) == outcome,
            "once more does no harm"
        )
        guard case .closed(let closure) = try harness.state(of: login) else {
            throw UnexpectedResultError(what: "not closed")
        }
        #expect(closure.session == grant.session)
        #expect(harness.environment(of: login).last == .closed)
    }

    @Test func `an acknowledgement before the collection changes nothing`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        guard case .current(let view) = try await harness.service.acknowledge(login.publicID, login.rightful) else {
            throw UnexpectedResultError(what: "no view")
        }
        #expect(view.hint == .processing)
        #expect(try await harness.poll(login).grant != nil)
    }

    // T-006
    @Test func `a token of the session acknowledges for any caller`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        let grant = try #require(try await harness.poll(login).grant)
        let outsider = Caller(session: SessionID(UUIDBits(high: 1, low: 1)))
        #expect(try await harness.service.acknowledge(login.publicID, outsider) == .unauthorized)
        let holder = Caller(session: grant.session)
        #expect(try await harness.service.acknowledge(login.publicID, holder) == .current(.delivered(seq: 6)))
    }

    // T-006
    @Test(arguments: [1, 2, 3, 4])
    func `a login is cancelled by its own client until it is collected`(_ stage: Int) async throws {
        let harness = Harness()
        let login = try await harness.begin()
        if stage > 1 { harness.provider.fail(with: .unavailable(cause: "an outage")) }
        if stage > 1 { _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil) }
        harness.provider.fail(with: nil)
        if stage > 2 { harness.provider.answer(try await harness.open(login), .approved) }
        if stage > 3 { await harness.pass(.seconds(6)) }
        let expected: [OperationState.Name] = [.created, .opened, .pending, .approved]
        #expect(try harness.state(of: login).name == expected[stage - 1])

        for outsider in [Login.bare(), login.withCookie, Caller(challenge: Digest256(sha256: "a guess"))] {
            #expect(try await harness.service.cancel(login.publicID, outsider) == .unauthorized)
        }
        #expect(try harness.state(of: login).name == expected[stage - 1])
        _ = try await harness.service.cancel(login.publicID, login.rightful)
        #expect(try await harness.poll(login).failure == .canceled)
        await harness.pass(.seconds(200))
        #expect(try await harness.poll(login).failure == .canceled)
        #expect(harness.sessionCount == 0)
    }

    @Test func `cancelling a collected login changes nothing`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        let grant = try await harness.poll(login).grant
        #expect(try await harness.service.cancel(login.publicID, login.rightful) == .current(.delivered(seq: 5)))
        #expect(try await harness.poll(login).grant == grant)
    }

    // T-006
    @Test func `without a challenge the bare id ends nothing, the cookie does`() async throws {
        let harness = Harness()
        let login = try await harness.begin(codeVerifier: nil)
        #expect(try await harness.service.cancel(login.publicID, Login.bare()) == .unauthorized)
        guard case .current = try await harness.service.cancel(login.publicID, login.withCookie) else {
            throw UnexpectedResultError(what: "not cancelled")
        }
        #expect(try harness.state(of: login).name == .failed)
        #expect(try await harness.service.cancel(Digest256(sha256: "a guess"), login.withCookie) == .unknown)
    }

    @Test func `an operator cancels by the row`() async throws {
        let harness = Harness()
        let login = try await harness.begin()
        let row = login.begun.operation.id
        #expect(try await harness.service.cancel(row: row)?.state.name == .failed)
        #expect(try await harness.service.cancel(row: row)?.seq == 2, "what is over stays as it is")
        #expect(try await harness.service.show(row)?.seq == 2)
        #expect(try await harness.service.cancel(row: OperationRowID(UUIDBits(high: 1, low: 1))) == nil)
        #expect(try await harness.service.list(OperationFilter(account: Harness.person.account)).map(\.id) == [row])
    }

    @Test func `an operator who looks for live operations reads no rows from before a day ago`() async throws {
        let harness = Harness()
        let row = try await harness.begin().begun.operation.id
        let (live, over) = (OperationFilter(states: [.created]), OperationFilter(states: [.created, .failed]))
        #expect(try await harness.service.list(live).map(\.id) == [row])
        harness.time.advance(by: .seconds(86_401))
        #expect(try await harness.service.list(live).isEmpty)
        #expect(try await harness.service.list(over).map(\.id) == [row], "what has ended may be older")
    }

    @Test func `a search for live operations that few match reads no rows, and has the store's order and pages`()
        async throws
    {
        let harness = Harness()
        for number in 1...5 {
            _ = try await harness.begin(email: "person\(number)@example.com")
            if number % 2 == 0 { harness.time.advance(by: .seconds(1)) }
        }
        let filter = OperationFilter(states: [.created])
        let stored = try await harness.service.ports.store.list(filter)
        #expect(stored.count == 5)
        harness.disk.isDown = true
        #expect(try await harness.service.list(filter).map(\.id) == stored.map(\.id))
        #expect(try await harness.service.list(OperationFilter(states: [.pending])).isEmpty)
        #expect(try await harness.service.list(OperationFilter(client: "nobody", states: [.created])).isEmpty)
        let rest = OperationFilter(states: [.created], after: .init(stored[1]), limit: 2)
        #expect(try await harness.service.list(rest).map(\.id) == stored[2...3].map(\.id))
        await #expect(throws: (any Error).self) { try await harness.service.list(OperationFilter(states: [.failed])) }
    }

    @Test func `more matches than are sorted are left to the store`() async throws {
        let harness = Harness()
        for number in 1...3 { _ = try await harness.begin(email: "person\(number)@example.com") }
        let filter = OperationFilter(states: [.created])
        #expect(harness.service.cache.search(filter, most: 3)?.count == 3)
        #expect(harness.service.cache.search(filter, most: 2) == nil)
    }
}

/// A block ends what is live of the account, wherever it stands.
@Suite struct BlockTests {
    @Test(arguments: [1, 2, 3, 4])
    func `blocking an account ends its uncollected logins with account_blocked`(_ stage: Int) async throws {
        let harness = Harness()
        let login = try await harness.begin()
        if stage == 2 { harness.provider.fail(with: .unavailable(cause: "an outage")) }
        if stage == 2 { _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil) }
        if stage > 2 { harness.provider.answer(try await harness.open(login), .approved) }
        if stage > 3 { await harness.pass(.seconds(6)) }
        let bystander = try await harness.begin(email: "nobody@example.com")
        harness.disk.change(Harness.person.account) { $0.isActive = false }
        #expect(try await harness.service.block(Harness.person.account) == 1)
        #expect(try await harness.poll(login).failure == .accountBlocked)
        #expect(try await harness.poll(bystander).hint != nil)
        harness.provider.fail(with: nil)
        await harness.pass(.seconds(30))
        #expect(try await harness.poll(login).failure == .accountBlocked)
        #expect(harness.sessionCount == 0)
    }

    @Test func `blocking an account stops the redelivery of a collected login`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        #expect(try await harness.poll(login).grant != nil)
        harness.disk.change(Harness.person.account) { $0.isActive = false }
        #expect(try await harness.service.block(Harness.person.account) == 1)
        #expect(try await harness.poll(login).isDelivered)
        #expect(try harness.state(of: login).name == .closed)
    }

    @Test func `a poll of an approved login reads that its account was disabled and opens no session`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        harness.disk.change(Harness.person.account) { $0.isActive = false }
        #expect(try await harness.poll(login) == .failed(.accountBlocked, seq: 5))
        #expect(try harness.state(of: login).name == .failed)
        #expect(harness.sessionCount == 0)
        #expect(!harness.environment(of: login).contains(.redeemed))
    }

    @Test func `a poll of a blocked account reports the store's error while the refusal can't be written`() async throws
    {
        let harness = Harness()
        let login = try await harness.approved()
        harness.disk.change(Harness.person.account) { $0.isActive = false }
        let next = try await harness.restarted()
        harness.disk.crash()
        await #expect(throws: StoreError.self) { _ = try await next.poll(login) }
    }

    @Test func `a repeated poll reads that the account was disabled and hands out nothing, also after a restart`()
        async throws
    {
        let harness = Harness()
        let login = try await harness.approved()
        #expect(try await harness.poll(login).grant != nil)
        harness.disk.change(Harness.person.account) { $0.isActive = false }
        #expect(try await harness.poll(login).isDelivered)
        let next = try await harness.restarted()
        #expect(try await next.poll(login).isDelivered)
    }

    @Test func `a revoked device beats the redemption`() async throws {
        let harness = Harness()
        let login = try await harness.begin(deviceCookie: Harness.deviceCookie)
        harness.provider.answer(try await harness.open(login), .approved)
        await harness.pass(.seconds(6))
        harness.disk.change(Harness.person.account) { $0.devices = [:] }
        #expect(try await harness.poll(login).failure == .accountBlocked)
        #expect(harness.sessionCount == 0)
    }
}
