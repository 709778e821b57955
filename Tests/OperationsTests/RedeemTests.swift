import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

@Suite(.timeLimit(.minutes(1))) struct RedeemTests {
    @Test func `the first poll after the approval opens the session`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        let approvedAt = harness.service.clock.now
        await harness.pass(.seconds(7))
        let view = try await harness.poll(login)
        let grant = try #require(view.grant)
        #expect(harness.disk.tables.sessions[grant.session]?.grant == grant)
        #expect(harness.disk.tables.sessions[grant.session]?.operation == login.begun.operation.id)
        #expect(try harness.state(of: login) == .redeemed(grant))
        #expect(grant.collector == .proven)
        #expect(grant.issuedAt == harness.time.wall)
        #expect(grant.authenticatedAt < harness.time.wall - .seconds(6), "the person proved it before the collection")
        #expect(grant.authenticatedAt > harness.time.wall - .seconds(14) && approvedAt < harness.service.clock.now)
        #expect(harness.environment(of: login).suffix(2) == [.approved, .redeemed])
    }

    // T-009
    @Test(arguments: ["verifier", nil])
    func `of eight polls at once all get one grant`(_ codeVerifier: String?) async throws {
        let harness = Harness()
        let login = try await harness.approved(codeVerifier: codeVerifier)
        let views = try await withThrowingTaskGroup(of: PollView.self) { group in
            for _ in 0..<8 {
                group.addTask { try await harness.poll(login, codeVerifier == nil ? Login.bare() : nil) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let grants = views.compactMap(\.grant)
        #expect(grants.count == 8)
        #expect(grants.allSatisfy { $0 == grants[0] })
        #expect(harness.sessionCount == 1)
        #expect(harness.environment(of: login).filter { $0 == .redeemed }.count == 1)
    }

    @Test func `a lost answer is given again, the same`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        let first = try await harness.poll(login).grant
        for seconds in [1, 30, 80] as [Int64] {
            await harness.pass(.seconds(seconds))
            #expect(try await harness.poll(login).grant == first)
        }
        await harness.pass(.seconds(9))
        #expect(try await harness.poll(login).isDelivered)
        #expect(try harness.state(of: login).name == .closed)
        #expect(harness.sessionCount == 1)
    }

    // T-009
    @Test func `a redemption whose write succeeded with an error opens one session`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        harness.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) { _ = try await harness.poll(login) }
        #expect(harness.sessionCount == 1)
        let grant = try await harness.poll(login).grant
        #expect(harness.disk.tables.sessions.values.map(\.grant) == [grant])
    }

    // T-260
    @Test func `a redemption whose write failed leaves the login approved`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        harness.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { _ = try await harness.poll(login) }
        #expect(harness.sessionCount == 0)
        #expect(try await harness.poll(login).grant != nil)
        #expect(harness.sessionCount == 1)
    }

    // T-003
    @Test func `without cookies the same address gets it again for twenty seconds`() async throws {
        let harness = Harness()
        let login = try await harness.approved(codeVerifier: nil)
        let grant = try #require(try await harness.poll(login, Login.bare()).grant)
        #expect(grant.collector == .fingerprint(Digest256(sha256: "home")))
        await harness.pass(.milliseconds(19_999))
        #expect(try await harness.poll(login, Login.bare()).grant == grant)
        #expect(try await harness.poll(login, Login.bare(from: "elsewhere")).hint == .created)
        #expect(try await harness.poll(login, Caller()).hint == .created, "no address is no proof")
        await harness.pass(.milliseconds(1))
        #expect(try await harness.poll(login, Login.bare()).isDelivered)
        #expect(harness.sessionCount == 1)
    }

    @Test func `an approval that is not collected within sixty seconds expires and opens no session`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        guard case .approved(let approval) = try harness.state(of: login) else {
            throw UnexpectedResultError(what: "no approval")
        }
        let end = approval.at + .seconds(60)
        // The watcher has not come by yet: the poll itself finds that it is too late.
        harness.time.advance(by: end - harness.service.clock.now)
        #expect(try await harness.poll(login) == .failed(.expired, seq: 5))
        #expect(try harness.state(of: login) == .failed(.expired, at: end))
        #expect(harness.sessionCount == 0)
        #expect(try await harness.poll(login) == .failed(.expired, seq: 5))
    }

    @Test func `a cache left behind by an uncertain commit is corrected by the next poll`() async throws {
        let harness = Harness()
        let login = try await harness.approved()
        _ = try await harness.poll(login)
        harness.disk.failNextUnit(.afterCommit)
        await #expect(throws: StoreError.self) {
            _ = try await harness.service.acknowledge(login.publicID, login.rightful)
        }
        #expect(try harness.state(of: login).name == .closed)
        #expect(harness.service.cache.card(login.publicID)?.operation.state.name == .redeemed)
        #expect(try await harness.poll(login).isDelivered, "what is closed is handed out no more")
        #expect(harness.service.cache.card(login.publicID)?.operation.state.name == .closed)
    }
}
