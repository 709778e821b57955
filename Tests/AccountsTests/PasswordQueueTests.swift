import Kernel
import MemoryStore
import Testing

@testable import Accounts

/// Outsiders fill the queue of passwords, and keep no owner out by it.
struct PasswordQueueTests {
    private static let password = Secret("correct horse battery")
    private static let phone = DeviceID(UUIDBits(high: 0xD, low: 1))

    private let store = MemoryAccountStore()
    private let lockouts = MemoryLockouts()
    private let work = ImmediateUnitOfWork()
    private let hasher: PasswordHasher
    private let service: PasswordService

    init() {
        let clock = StoppedClock()
        let cheap = ScryptParameters(rounds: 16, blockSize: 1, parallelism: 1)
        hasher = PasswordHasher(environment: clock.environment, parameters: cheap, lanes: 1, capacity: 3, reserve: 2)
        service = PasswordService(
            unitOfWork: work,
            store: store,
            auditLog: RecordingAuditLog(),
            lockouts: Lockouts(environment: clock.environment, store: lockouts),
            hasher: hasher,
            placeholder: StandIns.of
        )
    }

    // T-065, T-254
    @Test func `attack: a right password that finds the queue full counts as no try`()
        async throws
    {
        let ada = try await insert()
        try await filling(3) {
            for _ in 1...20 {
                await #expect(throws: PasswordHasherBusyError()) { try await signIn(linked: nil) }
            }
            try await filling(2, isLinked: true) {
                for _ in 1...20 {
                    await #expect(throws: PasswordHasherBusyError()) { try await signIn(linked: Self.phone) }
                    await #expect(throws: PasswordHasherBusyError()) { try await change(ada) }
                }
            }
        }
        #expect(lockouts.all.isEmpty)
        for device in [nil, Self.phone] {
            let outcome = try await signIn(linked: device)
            #expect(outcome.isRight, "\(String(describing: device))")
        }
    }

    // T-065, T-254
    @Test func `attack: a queue filled by unlinked callers leaves a linked device its sign-in and password change`()
        async throws
    {
        let ada = try await insert()
        try await filling(3) {
            let own = try await signIn(linked: Self.phone)
            #expect(own.isRight)
            let changed = try await change(ada)
            #expect(changed.isRight)
            await #expect(throws: PasswordHasherBusyError()) { try await signIn(linked: nil) }
        }
    }

    // T-254
    @Test func `attack: wrong passwords on a linked device count while the queue is full for others`() async throws {
        _ = try await insert()
        try await filling(3) {
            for _ in 1...5 {
                let outcome = try await signIn(Secret("wrong password!"), linked: Self.phone)
                #expect(outcome == .wrong)
            }
            let locked = try await signIn(linked: Self.phone)
            #expect(locked == .lockedOut(Lockout.firstDelay))
        }
        #expect(lockouts.all.map(\.tries) == [5])
    }

    @Test func `a new password that is too weak is refused before the old one is tried`() async throws {
        let ada = try await insert()
        for _ in 1...6 {
            await #expect(throws: AccountError.weakPassword) { try await change(ada, to: Secret("short")) }
        }
        #expect(lockouts.all.isEmpty)
    }

    @Test func `a slot of the password queue is taken once and released once`() async throws {
        for _ in 1...10 {
            try await hasher.withPlace { place in
                try hasher.take(place, isLinked: false)
                try hasher.take(place, isLinked: false)
            }
        }
        // None was kept, and none was given back twice: three fit, and no fourth.
        try await filling(3) {
            await #expect(throws: PasswordHasherBusyError()) { try await hasher.hash(Self.password) }
        }
        _ = try await hasher.hash(Self.password)
    }

    /// Runs `body` while so many places are taken.
    private func filling(_ count: Int, isLinked: Bool = false, _ body: () async throws -> Void) async throws {
        guard count > 0 else { return try await body() }
        try await hasher.withPlace { place in
            try hasher.take(place, isLinked: isLinked)
            try await filling(count - 1, isLinked: isLinked, body)
        }
    }

    private func signIn(_ password: Secret = Self.password, linked device: DeviceID?) async throws -> PasswordOutcome {
        try await service.verify(password, of: try #require(EmailAddress("ada@example.com"))) { _, _ in device }
    }

    private func change(
        _ account: AccountID,
        to new: Secret = Secret("another password")
    ) async throws
        -> PasswordOutcome
    {
        try await service.verify(Self.password, of: account, on: Self.phone, toSet: new)
    }

    private func insert() async throws -> AccountID {
        let hash = try await service.hash(Self.password)
        let record = AccountRecord(
            account: Account(
                id: AccountID(UUIDBits(high: 0xA, low: 0)),
                displayName: "Ada",
                state: .active,
                attributes: .init(),
                createdAt: StoppedClock.instant
            ),
            emails: [VerifiedEmail(address: try #require(EmailAddress("ada@example.com")), isVerified: true)],
            enrolments: [],
            passwordHash: hash
        )
        try await work.run { [store] in try store.insert(record, in: $0) }
        return record.account.id
    }
}

extension PasswordOutcome {
    fileprivate var isRight: Bool {
        switch self {
        case .right: true
        case .wrong, .lockedOut: false
        }
    }
}
