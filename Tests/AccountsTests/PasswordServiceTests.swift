import Kernel
import MemoryStore
import Testing

@testable import Accounts

struct PasswordServiceTests {
    private static let password = Secret("correct horse battery")
    private static let cheap = ScryptParameters(rounds: 16, blockSize: 1, parallelism: 1)

    private let store = MemoryAccountStore()
    private let auditLog = RecordingAuditLog()
    private let lockouts = MemoryLockouts()
    private let clock = StoppedClock()
    private let work = ImmediateUnitOfWork()
    private let service: PasswordService

    init() { service = Self.service(store, auditLog, lockouts, clock, Self.cheap) }

    @Test func `the right password is accepted, and the tries are forgotten once that is durable`() async throws {
        let account = try await insert("ada@example.com", Self.password)
        for _ in 1...4 { #expect(try await verify("ada@example.com", "wrong password!") == .wrong) }
        guard case .right(let verified) = try await verify("ada@example.com", Self.password.expose()) else {
            Issue.record("it is right")
            return
        }
        #expect(verified.account == account && verified.renewed == nil)
        #expect(lockouts.all.map(\.tries) == [5], "a try counts until the success is durable")
        #expect(try await confirm(verified))
        #expect(lockouts.all.isEmpty)
    }

    // T-066
    @Test func `attack: a wrong password, an account without one and an unknown address are answered alike`()
        async throws
    {
        try await insert("ada@example.com", Self.password)
        try await insert("bob@example.com", nil)
        for email in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
            for _ in 1...5 { #expect(try await verify(email, "wrong password!") == .wrong, "\(email)") }
            #expect(try await verify(email, Self.password.expose()) == .lockedOut(.seconds(30)), "\(email)")
        }
    }

    // T-063
    @Test func `attack: of forty concurrent wrong passwords five are checked`() async throws {
        try await insert("ada@example.com", Self.password)
        let outcomes = try await withThrowingTaskGroup(of: PasswordOutcome.self) { group in
            for number in 1...40 {
                group.addTask { try await self.verify("ada@example.com", "wrong password \(number)") }
            }
            return try await group.reduce(into: [PasswordOutcome]()) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == .wrong } == 5)
        #expect(outcomes.count { $0 == .lockedOut(.seconds(30)) } == 35)
    }

    // T-108
    @Test func `attack: a password replaced or disabled between check and confirmation is refused`()
        async throws
    {
        let account = try await insert("ada@example.com", Self.password)
        let old = try await service.verify(Self.password, of: account, on: nil, toSet: Secret("another password"))
        guard case .right(let verified) = old else {
            Issue.record("it is right")
            return
        }
        let isReplaced = try await work.run { [service] in try service.replace(verified, in: $0) }
        #expect(isReplaced)
        #expect(try await !confirm(verified))
        #expect(try await verify("ada@example.com", Self.password.expose()) == .wrong)
        guard case .right(let new) = try await verify("ada@example.com", "another password") else {
            Issue.record("the new one is right")
            return
        }
        _ = try await work.run { [store] in try store.setState(.disabled, of: account, in: $0) }
        #expect(try await !confirm(new))
        #expect(auditLog.all.events(AccountAuditEvent.self) == [.passwordChanged])
    }

    @Test func `a hash of old parameters is replaced at the sign-in, and only then`() async throws {
        let account = try await insert("ada@example.com", Self.password)
        let old = try #require(try await store.find(account)?.passwordHash)
        let stronger = ScryptParameters(rounds: 32, blockSize: 1, parallelism: 1)
        let today = Self.service(store, auditLog, lockouts, clock, stronger)
        let email = try #require(EmailAddress("ada@example.com"))
        #expect(try await today.verify(Secret("wrong password!"), of: email) { _, _ in nil } == .wrong)
        #expect(try await store.find(account)?.passwordHash == old)
        guard case .right(let verified) = try await today.verify(Self.password, of: email, linked: { _, _ in nil })
        else {
            Issue.record("it is right")
            return
        }
        #expect(try await work.run { try today.confirm(verified, in: $0) })
        let new = try #require(try await store.find(account)?.passwordHash)
        #expect(new.expose().hasPrefix("scrypt$32$1$1$"))
        guard case .right(let again) = try await today.verify(Self.password, of: email, linked: { _, _ in nil }) else {
            Issue.record("the new hash is the same password's")
            return
        }
        #expect(again.renewed == nil)
    }

    @Test(arguments: [
        "", "scrypt", "scrypt$16$1$1$AAAA", "scrypt$3$1$1$AAAA$\(String(repeating: "A", count: 43))",
        "scrypt$1073741824$8$1$AAAA$\(String(repeating: "A", count: 43))", "scrypt$16$1$1$AAAA$AAAA", "$$$$$",
    ])
    func `attack: an unreadable or too costly password hash matches no password`(_ hash: String) async throws {
        let account = try await insert("ada@example.com", Self.password)
        try await work.run { [store] in try store.setPasswordHash(Secret(hash), of: account, in: $0) }
        #expect(try await verify("ada@example.com", Self.password.expose()) == .wrong)
    }

    @Test func `a first password is set once, and never over an existing one`() async throws {
        let account = try await insert("bob@example.com", nil)
        let hash = try await service.hash(Self.password)
        let isSet = try await work.run { [service] in try service.set(hash, of: account, in: $0) }
        #expect(isSet)
        let isSetAgain = try await work.run { [service] in try service.set(hash, of: account, in: $0) }
        #expect(!isSetAgain)
        #expect(try await right("bob@example.com") != nil)
    }

    // T-254
    @Test func `attack: passwords beyond the queue's capacity are refused, and its slots become free again`()
        async throws
    {
        let slow = ScryptParameters(rounds: 1 << 14, blockSize: 8, parallelism: 1)
        let hasher = PasswordHasher(environment: clock.environment, parameters: slow, lanes: 2, capacity: 4)
        let results = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...200 {
                group.addTask {
                    do { return try await hasher.verify(Self.password, against: nil) == false } catch { return false }
                }
            }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(results.contains(true))
        // A caller finds a free slot when the queue is empty again.
        #expect(try await !hasher.verify(Self.password, against: nil))
        let full = PasswordHasher(environment: clock.environment, parameters: slow, lanes: 1, capacity: 0)
        await #expect(throws: PasswordHasherBusyError()) { try await full.hash(Self.password) }
    }

    @discardableResult
    private func insert(_ email: String, _ password: Secret?) async throws -> AccountID {
        let hash: Secret? = if let password { try await service.hash(password) } else { nil }
        let record = AccountRecord(
            account: Account(
                id: AccountID(UUIDBits(high: 0xA, low: UInt64(store.all.count))),
                displayName: email,
                state: .active,
                attributes: .init(),
                createdAt: StoppedClock.instant
            ),
            emails: [VerifiedEmail(address: try #require(EmailAddress(email)), isVerified: true)],
            enrolments: [],
            passwordHash: hash
        )
        try await work.run { [store] in try store.insert(record, in: $0) }
        return record.account.id
    }

    private func verify(_ email: String, _ password: String) async throws -> PasswordOutcome {
        try await service.verify(Secret(password), of: try #require(EmailAddress(email))) { _, _ in nil }
    }

    private func right(_ email: String) async throws -> VerifiedPassword? {
        guard case .right(let verified) = try await verify(email, Self.password.expose()) else { return nil }
        return verified
    }

    private func confirm(_ verified: VerifiedPassword) async throws -> Bool {
        try await work.run { [service] in try service.confirm(verified, in: $0) }
    }

    private static func service(
        _ store: MemoryAccountStore,
        _ auditLog: RecordingAuditLog,
        _ lockouts: MemoryLockouts,
        _ clock: StoppedClock,
        _ parameters: ScryptParameters
    ) -> PasswordService {
        PasswordService(
            unitOfWork: ImmediateUnitOfWork(),
            store: store,
            auditLog: auditLog,
            lockouts: Lockouts(environment: clock.environment, store: lockouts),
            hasher: PasswordHasher(environment: clock.environment, parameters: parameters),
            placeholder: StandIns.of
        )
    }
}
