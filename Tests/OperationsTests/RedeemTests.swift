import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedeemTests {
    @Test func `the first poll after the approval opens the session`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        let approvedAt = bench.service.clock.now
        await bench.pass(.seconds(7))
        let view = try await bench.poll(login)
        let grant = try #require(view.grant)
        #expect(bench.disk.tables.sessions[grant.session]?.grant == grant)
        #expect(bench.disk.tables.sessions[grant.session]?.operation == login.begun.operation.id)
        #expect(try bench.state(of: login) == .redeemed(grant))
        #expect(grant.collector == .proven)
        #expect(grant.issuedAt == bench.time.wall)
        #expect(grant.authenticatedAt < bench.time.wall - .seconds(6), "the person proved it before the collection")
        #expect(grant.authenticatedAt > bench.time.wall - .seconds(14) && approvedAt < bench.service.clock.now)
        #expect(bench.environment(of: login).suffix(2) == [.approved, .redeemed])
    }

    @Test(arguments: ["verifier", nil])
    func `of eight polls at once all get one grant`(_ codeVerifier: String?) async throws {
        let bench = Bench()
        let login = try await bench.approved(codeVerifier: codeVerifier)
        let views = try await withThrowingTaskGroup(of: PollView.self) { group in
            for _ in 0..<8 {
                group.addTask { try await bench.poll(login, codeVerifier == nil ? Login.bare() : nil) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let grants = views.compactMap(\.grant)
        #expect(grants.count == 8)
        #expect(grants.allSatisfy { $0 == grants[0] })
        #expect(bench.sessionCount == 1)
        #expect(bench.environment(of: login).filter { $0 == .redeemed }.count == 1)
    }

    @Test func `a lost answer is given again, the same`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        let first = try await bench.poll(login).grant
        for seconds in [1, 30, 80] as [Int64] {
            await bench.pass(.seconds(seconds))
            #expect(try await bench.poll(login).grant == first)
        }
        await bench.pass(.seconds(9))
        #expect(try await bench.poll(login).isDelivered)
        #expect(try bench.state(of: login).name == .closed)
        #expect(bench.sessionCount == 1)
    }

    @Test func `a write that was durable though it reported a fault costs no second session`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        bench.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await bench.poll(login) }
        #expect(bench.sessionCount == 1)
        let grant = try await bench.poll(login).grant
        #expect(bench.disk.tables.sessions.values.map(\.grant) == [grant])
    }

    @Test func `a write that failed leaves the approval to be collected`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        bench.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { _ = try await bench.poll(login) }
        #expect(bench.sessionCount == 0)
        #expect(try await bench.poll(login).grant != nil)
        #expect(bench.sessionCount == 1)
    }

    @Test func `without cookies the same address gets it again for twenty seconds`() async throws {
        let bench = Bench()
        let login = try await bench.approved(codeVerifier: nil)
        let grant = try #require(try await bench.poll(login, Login.bare()).grant)
        #expect(grant.collector == .fingerprint(Digest256(sha256: "home")))
        await bench.pass(.milliseconds(19_999))
        #expect(try await bench.poll(login, Login.bare()).grant == grant)
        #expect(try await bench.poll(login, Login.bare(from: "elsewhere")).hint == .created)
        #expect(try await bench.poll(login, Caller()).hint == .created, "no address is no proof")
        await bench.pass(.milliseconds(1))
        #expect(try await bench.poll(login, Login.bare()).isDelivered)
        #expect(bench.sessionCount == 1)
    }

    @Test func `an approval that nobody collects in time is worth nothing`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        guard case .approved(let approval) = try bench.state(of: login) else { throw Unexpected(what: "no approval") }
        let end = approval.at + .seconds(60)
        // The watcher has not come by yet: the poll itself finds that it is too late.
        bench.time.advance(by: end - bench.service.clock.now)
        #expect(try await bench.poll(login) == .failed(.expired, seq: 5))
        #expect(try bench.state(of: login) == .failed(.expired, at: end))
        #expect(bench.sessionCount == 0)
        #expect(try await bench.poll(login) == .failed(.expired, seq: 5))
    }

    @Test func `a fault between commit and cache is healed by the next poll`() async throws {
        let bench = Bench()
        let login = try await bench.approved()
        _ = try await bench.poll(login)
        bench.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) {
            _ = try await bench.service.acknowledge(login.publicID, login.rightful)
        }
        #expect(try bench.state(of: login).name == .closed)
        #expect(bench.service.cache.card(login.publicID)?.operation.state.name == .redeemed)
        #expect(try await bench.poll(login).isDelivered, "what is closed is handed out no more")
        #expect(bench.service.cache.card(login.publicID)?.operation.state.name == .closed)
    }
}
