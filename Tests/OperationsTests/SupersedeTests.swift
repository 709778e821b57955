import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Operations

/// A newer login ends an older one only for an initiator that proves the older one.
struct SupersedeTests {
    private let bench = Bench()

    private func begin(
        naming old: Login? = nil,
        as caller: Caller? = nil,
        email: String = Bench.person.email,
        device: Digest256? = nil,
        client: String = "app"
    ) async throws -> Login {
        let superseding = old.map { Superseding($0.publicID, provenBy: caller ?? $0.rightful) }
        let order = BeginOperation(
            email: email,
            policy: OperationSample.policy(clientID: client),
            codeChallenge: Digest256(sha256: "verifier"),
            deviceCookies: device.map { [$0] } ?? [],
            superseding: superseding
        )
        return Login(begun: try await bench.service.begin(order), codeVerifier: "verifier")
    }

    private func isSuperseded(_ login: Login) throws -> Bool {
        guard case .failed(.superseded, _) = try bench.state(of: login) else { return false }
        return true
    }

    @Test func `the old one's verifier ends it`() async throws {
        let old = try await begin()
        let new = try await begin(naming: old)
        #expect(try isSuperseded(old))
        #expect(try bench.state(of: new) == .created)
        #expect(try await bench.poll(old).failure == .superseded)
        #expect(bench.environment(of: old) == [.failed])
    }

    @Test func `a scan in progress is superseded, and its approval comes too late`() async throws {
        let old = try await begin()
        let reference = try await bench.open(old)
        _ = try await begin(naming: old)
        #expect(try isSuperseded(old))
        bench.provider.answer(reference, .approved)
        await bench.pass(.seconds(10))
        #expect(try isSuperseded(old))
        #expect(bench.sessionCount == 0)
    }

    @Test func `attack: the id alone, a wrong verifier or a start of one's own end nobody's login`() async throws {
        let victims = try await begin()
        for caller in [Login.bare(), Caller(challenge: Digest256(sha256: "a guess")), Caller(bindingCookie: .zero)] {
            let attackers = try await begin(naming: victims, as: caller)
            #expect(try bench.state(of: attackers) == .created, "which begins like any other")
        }
        _ = try await begin()
        #expect(try bench.state(of: victims) == .created)
        #expect(bench.service.refusals.totals[.supersedeUnproven] == 3)
    }

    @Test func `a decoy is superseded as a login is, whatever the new one is for`() async throws {
        for (first, second) in [
            (Bench.person.email, "nobody@example.com"), ("nobody@example.com", Bench.person.email),
            ("nobody@example.com", "somebody@example.com"), (Bench.person.email, Bench.person.email),
        ] {
            let old = try await begin(email: first)
            _ = try await begin(naming: old, email: second)
            #expect(try isSuperseded(old), "\(first), then \(second)")
        }
    }

    @Test func `an approval is not superseded: it is there to be collected`() async throws {
        let old = try await bench.approved()
        _ = try await begin(naming: old)
        #expect(try bench.state(of: old).name == .approved)
        #expect(try await bench.poll(old).grant != nil)
    }

    @Test func `a linked device's newer login ends its older ones of that account and client, and no other`()
        async throws
    {
        let own = [try await begin(device: Bench.deviceCookie), try await begin(device: Bench.deviceCookie)]
        let strangers = try await begin()
        let otherClient = try await begin(device: Bench.deviceCookie, client: "other")
        #expect(try isSuperseded(own[0]))
        #expect(try !isSuperseded(own[1]))
        let newest = try await begin(device: Bench.deviceCookie)
        #expect(try isSuperseded(own[1]))
        for login in [strangers, otherClient, newest] { #expect(try bench.state(of: login) == .created) }
        #expect(bench.service.cache.deviceIndexCount == 2)
    }

    @Test func `however many a linked device starts at once, one goes on`() async throws {
        let logins = try await withThrowingTaskGroup(of: Login.self) { group in
            for _ in 0..<20 { group.addTask { try await begin(device: Bench.deviceCookie) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let live = try logins.filter { try bench.state(of: $0) == .created }
        #expect(live.count == 1)
        #expect(bench.service.cache.deviceIndexCount == 1)
    }

    @Test func `attack: a login of the device ends nothing that a session on it asked for, nor is it ended by that`()
        async throws
    {
        let starter = Starter(
            account: OperationSample.account,
            session: OperationSample.session,
            device: OperationSample.device
        )
        let policy = OperationSample.policy()
        let approval = try await bench.service.beginApproval(of: OperationSample.order, for: starter, policy: policy)
        let enrolment = try await bench.service.beginEnrolment(starter, policy: policy, mayReplace: true)
        let first = try await begin(device: Bench.deviceCookie)
        let newest = try await begin(device: Bench.deviceCookie)
        for begun in [approval, enrolment] {
            #expect(bench.service.cache.card(begun.operation.publicID)?.operation.state == .created)
        }
        #expect(try isSuperseded(first))
        #expect(try bench.state(of: newest) == .created)
        #expect(bench.service.cache.deviceIndexCount == 1)
    }

    @Test func `what has ended leaves the index of devices`() async throws {
        let login = try await begin(device: Bench.deviceCookie)
        #expect(bench.service.cache.deviceIndexCount == 1)
        bench.provider.answer(try await bench.open(login), .rejected(.notMatched))
        await bench.pass(.seconds(6))
        #expect(bench.service.cache.deviceIndexCount == 0)
    }

    @Test func `a store that fails leaves the old one alone, and the new one goes on`() async throws {
        let units = Mutex(0)
        let disk = MemoryDisk(people: [Bench.person]) { step in
            guard case .unit = step else { return nil }
            // The old one's insert, the new one's, and then the write that supersedes.
            return units.withLock { count in
                count += 1
                return count == 3 ? .beforeCommit : nil
            }
        }
        let bench = Bench(disk: disk)
        let old = try await bench.begin()
        let order = BeginOperation(
            email: Bench.person.email,
            policy: OperationSample.policy(),
            codeChallenge: nil,
            deviceCookies: [],
            superseding: Superseding(old.publicID, provenBy: old.rightful)
        )
        let new = try await bench.service.begin(order)
        #expect(units.withLock { $0 } == 3)
        #expect(try bench.state(of: old) == .created)
        #expect(bench.service.cache.card(new.operation.publicID)?.operation.state == .created)
    }
}
