import Kernel
import MemoryStore
import Testing

@testable import Accounts

struct RegistrationTests {
    private let store = MemoryAccountStore()
    private let auditLog = RecordingAuditLog()
    private let work = ImmediateUnitOfWork()
    private let registrations: RegistrationService
    /// Where an address is claimed until it is proved.
    private let claiming: RegistrationService

    init() {
        let environment = StoppedClock().environment
        registrations = Self.service(environment, store, auditLog, claims: false)
        claiming = Self.service(environment, store, auditLog, claims: true)
    }

    private static func service(
        _ environment: Environment,
        _ store: MemoryAccountStore,
        _ auditLog: RecordingAuditLog,
        claims: Bool
    ) -> RegistrationService {
        RegistrationService(
            environment: environment,
            store: store,
            auditLog: auditLog,
            passwords: PasswordService(
                unitOfWork: ImmediateUnitOfWork(),
                store: store,
                auditLog: auditLog,
                lockouts: Lockouts(environment: environment, store: MemoryLockouts()),
                hasher: PasswordHasher(
                    environment: environment,
                    parameters: ScryptParameters(rounds: 16, blockSize: 1, parallelism: 1)
                ),
                placeholder: StandIns.of
            ),
            claims: claims
        )
    }

    @Test func `a new account has nothing but what everybody has, and an address that nobody has proved`() async throws
    {
        let record = try await register(" Ada@Example.com", "Ada", "correct horse battery")
        #expect(record.account.attributes == AccountAttributes())
        #expect(record.emails.map(\.address.text) == ["ada@example.com"] && !record.emails[0].isVerified)
        #expect(record.enrolments.isEmpty && record.passwordHash?.expose().hasPrefix("scrypt$") == true)
        #expect(store.all == [record])
        #expect(auditLog.all == [AuditRecord(AccountAuditEvent.registered, of: record.account.id)])
        #expect(try await register("bob@example.com", "Bob", nil).passwordHash == nil)
    }

    @Test func `an invalid account is refused, each cause with its own error`() async throws {
        for (email, name, password, fault) in [
            ("ada@", "Ada", nil, .badEmail("ada@")), ("ada@example.com", "", nil, .badName),
            ("ada@example.com", "A\u{202E}da", nil, .badName), ("ada@example.com", "Ada", "short", .weakPassword),
        ] as [(String, String, String?, AccountError)] {
            await #expect(throws: fault) { try await register(email, name, password) }
        }
        #expect(store.all.isEmpty && auditLog.all.isEmpty)
    }

    @Test func `attack: registering a taken address in another spelling is refused`() async throws {
        let first = try await register("ada@example.com", "Ada", nil)
        await #expect(throws: AccountError.emailTaken("ada@example.com")) {
            try await register("ADA@example.COM ", "Mallory", nil)
        }
        #expect(store.all == [first])
    }

    // T-067
    @Test func `attack: with claimed addresses, registering a taken address looks like registering a free one`()
        async throws
    {
        let owner = try await register("ada@example.com", "Ada", nil)
        let claims = [
            try await register("ADA@example.com", "Mallory", nil, at: claiming),
            try await register("eve@example.com", "Mallory", nil, at: claiming),
            try await register("eve@example.com", "Eve", nil, at: claiming),
        ]
        #expect(claims.map { $0.claim?.text } == ["ada@example.com", "eve@example.com", "eve@example.com"])
        #expect(claims.allSatisfy { $0.emails.isEmpty && !$0.profile.isEmailVerified })
        #expect(try await store.find(email: owner.emails[0].address) == owner)
    }

    @discardableResult
    private func register(
        _ email: String,
        _ name: String,
        _ password: String?,
        at service: RegistrationService? = nil
    ) async throws -> AccountRecord {
        let registration = Registration(email: email, name: name, password: password.map { Secret($0) })
        let service = service ?? registrations
        let record = try await service.prepare(registration)
        try await work.run { try service.open(record, in: $0) }
        return record
    }
}
