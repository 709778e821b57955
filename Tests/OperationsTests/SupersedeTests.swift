import Kernel
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import Operations

/// A newer login ends an older one only for an initiator that proves the older one.
struct SupersedeTests {
    private let harness = Harness()

    private func begin(
        naming old: Login? = nil,
        as caller: Caller? = nil,
        email: String = Harness.person.email,
        device: Digest256? = nil,
        client: String = "app"
    ) async throws -> Login {
        let superseding = old.map { Superseding($0.publicID, provenBy: caller ?? $0.rightful) }
        let order = BeginOperation(
            email: email,
            policy: OperationSample.policy(clientID: client),
            codeChallenge: Digest256(sha256: "verifier"),
            deviceProof: DeviceProof(cookies: device.map { [$0] } ?? []),
            superseding: superseding
        )
        return Login(begun: try await harness.service.begin(order), codeVerifier: "verifier")
    }

    private func isSuperseded(_ login: Login) throws -> Bool {
        guard case .failed(.superseded, _) = try harness.state(of: login) else { return false }
        return true
    }

    @Test func `a start that presents the previous login's verifier supersedes that login`() async throws {
        let old = try await begin()
        let new = try await begin(naming: old)
        #expect(try isSuperseded(old))
        #expect(try harness.state(of: new) == .created)
        #expect(try await harness.poll(old).failure == .superseded)
        #expect(harness.environment(of: old) == [.failed])
    }

    @Test func `a scan in progress is superseded, and its approval comes too late`() async throws {
        let old = try await begin()
        let reference = try await harness.open(old)
        _ = try await begin(naming: old)
        #expect(try isSuperseded(old))
        harness.provider.answer(reference, .approved)
        await harness.pass(.seconds(10))
        #expect(try isSuperseded(old))
        #expect(harness.sessionCount == 0)
    }

    // T-023
    @Test func `attack: a start that names a login without its proof does not end that login`() async throws {
        let victims = try await begin()
        for caller in [Login.bare(), Caller(challenge: Digest256(sha256: "a guess")), Caller(bindingCookie: .zero)] {
            let attackers = try await begin(naming: victims, as: caller)
            #expect(try harness.state(of: attackers) == .created, "which begins like any other")
        }
        _ = try await begin()
        #expect(try harness.state(of: victims) == .created)
        #expect(harness.service.refusals.totals[.supersedeUnproven] == 3)
    }

    @Test func `a decoy is superseded as a login is, whatever the new one is for`() async throws {
        for (first, second) in [
            (Harness.person.email, "nobody@example.com"), ("nobody@example.com", Harness.person.email),
            ("nobody@example.com", "somebody@example.com"), (Harness.person.email, Harness.person.email),
        ] {
            let old = try await begin(email: first)
            _ = try await begin(naming: old, email: second)
            #expect(try isSuperseded(old), "\(first), then \(second)")
        }
    }

    @Test func `an approval is not superseded: it is there to be collected`() async throws {
        let old = try await harness.approved()
        _ = try await begin(naming: old)
        #expect(try harness.state(of: old).name == .approved)
        #expect(try await harness.poll(old).grant != nil)
    }

    @Test func `a linked device's newer login ends its older ones of that account and client, and no other`()
        async throws
    {
        let own = [try await begin(device: Harness.deviceCookie), try await begin(device: Harness.deviceCookie)]
        let outsiders = try await begin()
        let otherClient = try await begin(device: Harness.deviceCookie, client: "other")
        #expect(try isSuperseded(own[0]))
        #expect(try !isSuperseded(own[1]))
        let newest = try await begin(device: Harness.deviceCookie)
        #expect(try isSuperseded(own[1]))
        for login in [outsiders, otherClient, newest] { #expect(try harness.state(of: login) == .created) }
        #expect(harness.service.cache.deviceIndexCount == 2)
    }

    @Test func `however many a linked device starts at once, one goes on`() async throws {
        let logins = try await withThrowingTaskGroup(of: Login.self) { group in
            for _ in 0..<20 { group.addTask { try await begin(device: Harness.deviceCookie) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let live = try logins.filter { try harness.state(of: $0) == .created }
        #expect(live.count == 1)
        #expect(harness.service.cache.deviceIndexCount == 1)
    }

    // T-023
    @Test func `attack: a device's login and its session's approval and enrolment do not supersede each other`()
        async throws
    {
        let starter = Starter(
            account: OperationSample.account,
            session: OperationSample.session,
            device: OperationSample.device
        )
        let policy = OperationSample.policy()
        let approval = try await harness.service.beginApproval(of: OperationSample.order, for: starter, policy: policy)
        let enrolment = try await harness.service.beginEnrolment(starter, policy: policy, mayReplace: true)
        let first = try await begin(device: Harness.deviceCookie)
        let newest = try await begin(device: Harness.deviceCookie)
        for begun in [approval, enrolment] {
            #expect(harness.service.cache.card(begun.operation.credentials.publicID)?.operation.state == .created)
        }
        #expect(try isSuperseded(first))
        #expect(try harness.state(of: newest) == .created)
        #expect(harness.service.cache.deviceIndexCount == 1)
    }

    @Test func `what has ended leaves the index of devices`() async throws {
        let login = try await begin(device: Harness.deviceCookie)
        #expect(harness.service.cache.deviceIndexCount == 1)
        harness.provider.answer(try await harness.open(login), .rejected(.notMatched))
        await harness.pass(.seconds(6))
        #expect(harness.service.cache.deviceIndexCount == 0)
    }

    @Test func `a failed write of superseding leaves the previous login live and the new one begun`() async throws {
        let units = Mutex(0)
        let disk = MemoryDisk(people: [Harness.person]) { step in
            guard case .unit = step else { return nil }
            // The old one's insert, the new one's, and then the write that supersedes.
            return units.withLock { count in
                count += 1
                return count == 3 ? .beforeCommit : nil
            }
        }
        let harness = Harness(disk: disk)
        let old = try await harness.begin()
        let order = BeginOperation(
            email: Harness.person.email,
            policy: OperationSample.policy(),
            codeChallenge: nil,
            deviceProof: DeviceProof(cookies: []),
            superseding: Superseding(old.publicID, provenBy: old.rightful)
        )
        let new = try await harness.service.begin(order)
        #expect(units.withLock { $0 } == 3)
        #expect(try harness.state(of: old) == .created)
        #expect(harness.service.cache.card(new.operation.credentials.publicID)?.operation.state == .created)
    }
}
