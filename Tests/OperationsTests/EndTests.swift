import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite struct EndTests {
    @Test func `an acknowledgement ends the handing out`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        let grant = try #require(try await bench.poll(login).grant)
        let outcome = try await bench.service.acknowledge(login.publicID, login.rightful)
        #expect(outcome == .current(.delivered(seq: 6)))
        #expect(try await bench.poll(login).isDelivered)
        #expect(
            try await bench.service.acknowledge(login.publicID, login.rightful) == outcome,
            "once more does no harm"
        )
        guard case .closed(let closure) = try bench.state(of: login) else { throw Unexpected(what: "not closed") }
        #expect(closure.session == grant.session)
        #expect(bench.environment(of: login).last == .closed)
    }

    @Test func `nothing is acknowledged before it is collected`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        guard case .current(let view) = try await bench.service.acknowledge(login.publicID, login.rightful) else {
            throw Unexpected(what: "no view")
        }
        #expect(view.hint == .processing)
        #expect(try await bench.poll(login).grant != nil)
    }

    @Test func `a token of the session acknowledges for any caller`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        let grant = try #require(try await bench.poll(login).grant)
        let stranger = Caller(session: SessionID(UUIDBits(high: 1, low: 1)))
        #expect(try await bench.service.acknowledge(login.publicID, stranger) == .unauthorized)
        let holder = Caller(session: grant.session)
        #expect(try await bench.service.acknowledge(login.publicID, holder) == .current(.delivered(seq: 6)))
    }

    @Test(arguments: [1, 2, 3, 4])
    func `the rightful caller cancels until it has collected`(_ stage: Int) async throws {
        let bench = Bench()
        let login = try await bench.begin()
        if stage > 1 { bench.provider.fail(with: .unavailable(cause: "an outage")) }
        if stage > 1 { _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil) }
        bench.provider.fail(with: nil)
        if stage > 2 { bench.provider.answer(try await bench.open(login), .approved) }
        if stage > 3 { await bench.pass(.seconds(6)) }
        let expected: [OperationState.Name] = [.created, .opened, .pending, .approved]
        #expect(try bench.state(of: login).name == expected[stage - 1])

        for stranger in [Login.bare(), login.withCookie, Caller(challenge: Digest256(sha256: "a guess"))] {
            #expect(try await bench.service.cancel(login.publicID, stranger) == .unauthorized)
        }
        #expect(try bench.state(of: login).name == expected[stage - 1])
        _ = try await bench.service.cancel(login.publicID, login.rightful)
        #expect(try await bench.poll(login).failure == .canceled)
        await bench.pass(.seconds(200))
        #expect(try await bench.poll(login).failure == .canceled)
        #expect(bench.sessionCount == 0)
    }

    @Test func `what is collected is not cancelled`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        let grant = try await bench.poll(login).grant
        #expect(try await bench.service.cancel(login.publicID, login.rightful) == .current(.delivered(seq: 5)))
        #expect(try await bench.poll(login).grant == grant)
    }

    @Test func `without a challenge the bare id ends nothing, the cookie does`() async throws {
        let bench = Bench()
        let login = try await bench.begin(codeVerifier: nil)
        #expect(try await bench.service.cancel(login.publicID, Login.bare()) == .unauthorized)
        guard case .current = try await bench.service.cancel(login.publicID, login.withCookie) else {
            throw Unexpected(what: "not cancelled")
        }
        #expect(try bench.state(of: login).name == .failed)
        #expect(try await bench.service.cancel(Digest256(sha256: "a guess"), login.withCookie) == .unknown)
    }

    @Test func `an operator cancels by the row`() async throws {
        let bench = Bench()
        let login = try await bench.begin()
        let row = login.begun.operation.id
        #expect(try await bench.service.cancel(row: row)?.state.name == .failed)
        #expect(try await bench.service.cancel(row: row)?.seq == 2, "what is over stays as it is")
        #expect(try await bench.service.show(row)?.seq == 2)
        #expect(try await bench.service.cancel(row: OperationRowID(UUIDBits(high: 1, low: 1))) == nil)
        #expect(try await bench.service.list(OperationFilter(account: Bench.person.account)).map(\.id) == [row])
    }
}

/// A block ends what is live of the account, wherever it stands.
@Suite struct BlockTests {
    @Test(arguments: [1, 2, 3, 4])
    func `a block ends what is not collected`(_ stage: Int) async throws {
        let bench = Bench()
        let login = try await bench.begin()
        if stage == 2 { bench.provider.fail(with: .unavailable(cause: "an outage")) }
        if stage == 2 { _ = try await bench.service.open(ticket: login.ticket, browserCookie: nil) }
        if stage > 2 { bench.provider.answer(try await bench.open(login), .approved) }
        if stage > 3 { await bench.pass(.seconds(6)) }
        let bystander = try await bench.begin(email: "nobody@example.com")
        bench.disk.change(Bench.person.account) { $0.isActive = false }
        #expect(try await bench.service.block(Bench.person.account) == 1)
        #expect(try await bench.poll(login).failure == .accountBlocked)
        #expect(try await bench.poll(bystander).hint != nil)
        bench.provider.fail(with: nil)
        await bench.pass(.seconds(30))
        #expect(try await bench.poll(login).failure == .accountBlocked)
        #expect(bench.sessionCount == 0)
    }

    @Test func `a block ends the handing out of what was collected`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        #expect(try await bench.poll(login).grant != nil)
        bench.disk.change(Bench.person.account) { $0.isActive = false }
        #expect(try await bench.service.block(Bench.person.account) == 1)
        #expect(try await bench.poll(login).isDelivered)
        #expect(try bench.state(of: login).name == .closed)
    }

    @Test func `a block that the engine never heard of beats the redemption`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        bench.disk.change(Bench.person.account) { $0.isActive = false }
        #expect(try await bench.poll(login) == .failed(.accountBlocked, seq: 5))
        #expect(try bench.state(of: login).name == .failed)
        #expect(bench.sessionCount == 0)
        #expect(!bench.environment(of: login).contains(.redeemed))
    }

    @Test func `a refusal is said only when it is durable`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        bench.disk.change(Bench.person.account) { $0.isActive = false }
        let next = try await bench.restarted()
        bench.disk.crash()
        await #expect(throws: StoreError.self) { _ = try await next.poll(login) }
    }

    @Test func `a block that the engine never heard of beats the redelivery, also after a restart`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        #expect(try await bench.poll(login).grant != nil)
        bench.disk.change(Bench.person.account) { $0.isActive = false }
        #expect(try await bench.poll(login).isDelivered)
        let next = try await bench.restarted()
        #expect(try await next.poll(login).isDelivered)
    }

    @Test func `a revoked device beats the redemption`() async throws {
        let bench = Bench()
        let login = try await bench.begin(deviceCookie: Bench.deviceCookie)
        bench.provider.answer(try await bench.open(login), .approved)
        await bench.pass(.seconds(6))
        bench.disk.change(Bench.person.account) { $0.devices = [:] }
        #expect(try await bench.poll(login).failure == .accountBlocked)
        #expect(bench.sessionCount == 0)
    }
}
