import Kernel
import MemoryStore
import Testing

@testable import Accounts

struct AccountChangeTests {
    private let store = MemoryAccountStore()
    private let auditLog = RecordingAuditLog()
    private let access = RecordingAccess()
    private let service: AccountService

    init() {
        let environment = StoppedClock().environment
        service = AccountService(
            environment: environment,
            unitOfWork: ImmediateUnitOfWork(),
            store: store,
            auditLog: auditLog,
            directory: ScriptedProviderDirectory(),
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
            access: access
        )
    }

    @Test func `only the named attributes change, and the audit has no password`() async throws {
        let added = try await add("ada@example.com", ["role=manager", "badge=7"])
        let change = AccountChange(
            name: "Ada Lovelace",
            email: " Lovelace@example.com",
            attributes: ["accessLevel=elevated", "role=", "note=a=b="],
            password: Secret("correct horse battery")
        )
        let record = try await service.change("ada@example.com", change)
        #expect(record.account.id == added.account.id && record.account.displayName == "Ada Lovelace")
        #expect(record.emails.map(\.address.text) == ["lovelace@example.com"] && record.emails[0].isVerified)
        #expect(record.account.attributes.given == ["badge": "7", "accessLevel": "elevated", "note": "a=b="])
        #expect(record.passwordHash?.expose().hasPrefix("scrypt$") == true)
        #expect(
            auditLog.all.last
                == AuditRecord(
                    AccountAuditEvent.changed,
                    of: added.account.id,
                    detail: "name, email, password, accessLevel=elevated, role=, note=a=b="
                )
        )
    }

    // T-113
    @Test func `another address and another password end what others may have, and another name nothing`() async throws
    {
        let id = try await add("ada@example.com", []).account.id
        _ = try await service.change(id.description, AccountChange(name: "Ada L.", attributes: ["role=admin"]))
        #expect(access.all.isEmpty)
        _ = try await service.change(id.description, AccountChange(email: "ada@example.org"))
        let address = ["addressByOperator of \(id) but none", "addressByOperator of \(id) settled"]
        #expect(access.all == address)
        _ = try await service.change(id.description, AccountChange(password: Secret("correct horse battery")))
        let password = ["passwordByOperator of \(id) but none", "passwordByOperator of \(id) settled"]
        #expect(access.all == address + password)
    }

    @Test func `a command without changes changes nothing, and is not on record`() async throws {
        let added = try await add("ada@example.com", [])
        #expect(try await service.change("ada@example.com", AccountChange()) == added)
        #expect(auditLog.all.events(AccountAuditEvent.self) == [.added])
    }

    @Test func `an invalid value is refused before anything changes`() async throws {
        let added = try await add("ada@example.com", [])
        for (change, fault) in [
            (AccountChange(name: ""), .badName), (AccountChange(email: "ada@"), .badEmail("ada@")),
            (AccountChange(attributes: ["=x"]), .badAttribute("=x")),
            (AccountChange(attributes: ["role"]), .badAttribute("role")),
            (AccountChange(password: Secret("short")), .weakPassword),
            (
                AccountChange(name: "Eve", attributes: ["role=root"]),
                .badAttributeValue(name: "role", value: "root", allowed: ["admin", "manager", "technician", "user"])
            ),
        ] as [(AccountChange, AccountError)] {
            await #expect(throws: fault) { try await service.change("ada@example.com", change) }
        }
        await #expect(throws: AccountError.unknownAccount("eve@example.com")) {
            try await service.change("eve@example.com", AccountChange(name: "Eve"))
        }
        #expect(store.all == [added])
    }

    private func add(_ email: String, _ attributes: [String]) async throws -> AccountRecord {
        try await service.add(
            NewAccount(email: email, name: "Ada", attributes: try AccountAttributes(parsing: attributes))
        )
    }
}
