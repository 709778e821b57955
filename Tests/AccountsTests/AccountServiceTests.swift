import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Accounts

struct AccountServiceTests {
    private let store = MemoryAccountStore()
    private let auditLog = RecordingAuditLog()
    private let directory = ScriptedProviderDirectory()
    private let ended = Ended()
    private let service: AccountService

    init() {
        let environment = StoppedClock().environment
        service = AccountService(
            environment: environment,
            unitOfWork: ImmediateUnitOfWork(),
            store: store,
            auditLog: auditLog,
            directory: directory,
            passwords: PasswordService(
                unitOfWork: ImmediateUnitOfWork(),
                store: store,
                auditLog: auditLog,
                lockouts: Lockouts(environment: environment, store: MemoryLockouts()),
                hasher: PasswordHasher(environment: environment),
                placeholder: StandIns.of
            ),
            access: WatchingAccess(store: store, ended: ended)
        )
    }

    @Test func `an account is added active, with its address normalised and verified, and on record`() async throws {
        let record = try await service.add(
            NewAccount(
                email: " Ada@Example.com",
                name: "Ada",
                attributes: try AccountAttributes(parsing: ["role=admin"])
            )
        )
        #expect(store.all == [record])
        #expect(record.account.displayName == "Ada" && record.account.state == .active)
        #expect(record.account.createdAt == StoppedClock.instant)
        #expect(record.account.attributes.role == "admin")
        #expect(record.emails.map(\.address.text) == ["ada@example.com"] && record.emails[0].isVerified)
        #expect(record.enrolments.isEmpty && record.passwordHash == nil)
        #expect(auditLog.all == [AuditRecord(AccountAuditEvent.added, of: record.account.id)])
        #expect(directory.creations.isEmpty)
    }

    @Test func `an account that was shut is opened again, once`() async throws {
        let id = try await service.add(NewAccount(email: "ada@example.com", name: "Ada")).account.id
        _ = try await service.disable("ada@example.com")
        #expect(try await service.enable("ada@example.com").account.state == .active)
        #expect(try await service.enable("ada@example.com").account.state == .active)
        #expect(auditLog.all.events(AccountAuditEvent.self) == [.added, .disabled, .enabled])
        #expect(try await service.active(id) != nil)
    }

    @Test func `a person may have no e-mail`() async throws {
        #expect(try await service.add(NewAccount(email: nil, name: "Ada")).emails.isEmpty)
    }

    @Test(arguments: ["", "one\ntwo", "one\r\ntwo", String(repeating: "n", count: 201)])
    func `a name of no or many lines, or of more than 200 characters, is refused`(_ name: String) async {
        await refuses(.badName, NewAccount(email: "ada@example.com", name: name))
    }

    @Test func `an invalid address is refused`() async {
        await refuses(.badEmail("ada@"), NewAccount(email: "ada@", name: "Ada"))
    }

    @Test func `a person can have accounts at several providers, each under a name of its own`() async throws {
        let record = try await service.add(NewAccount(email: "ada@example.com", name: "Ada", enroll: "mock,other"))
        #expect(record.enrolments.map(\.provider) == ["mock", "other"])
        #expect(Set(record.enrolments.map(\.reference)).count == 2)
        #expect(directory.creations.map(\.provider) == ["mock", "other"])
        #expect(auditLog.all.first?.detail == "enrolled with mock, other")
    }

    @Test(arguments: [("mock,nobody", "nobody"), ("mock,mock", "mock"), ("mock,", ""), (",mock", "")])
    func `of several providers none is asked when one is missing or named twice`(
        _ names: String,
        _ wrong: String
    ) async {
        await refuses(.unknownProvider(wrong), NewAccount(email: "ada@example.com", name: "Ada", enroll: names))
        #expect(directory.creations.isEmpty)
    }

    @Test func `one account at the provider is not an account at two`() async {
        await refuses(
            .providerAccountOfNobody,
            NewAccount(email: "ada@example.com", name: "Ada", enroll: "mock,other", providerAccount: "x")
        )
    }

    @Test func `an address that is taken is refused before the provider hears of it`() async throws {
        _ = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        await #expect(throws: AccountError.emailTaken("ada@example.com")) {
            try await service.add(NewAccount(email: "ADA@example.com", name: "Eve", enroll: "mock"))
        }
        #expect(store.all.count == 1 && directory.creations.isEmpty)
    }

    @Test func `an enrolment's name at the provider is random and tells nothing of the person`() async throws {
        let record = try await service.add(NewAccount(email: "ada@example.com", name: "Ada", enroll: "mock"))
        let enrolment = try #require(record.enrolments.first)
        #expect(record.enrolments.count == 1 && enrolment.provider == "mock" && enrolment.isActive)
        #expect(UUIDBits(enrolment.reference) != nil)
        #expect(enrolment.reference != record.account.id.description)
        #expect(
            directory.creations == [
                .init(reference: enrolment.reference, displayName: "Ada", email: "ada@example.com", provider: "mock")
            ]
        )
        #expect(auditLog.all.map(\.detail) == ["enrolled with mock"])
    }

    @Test func `an account that exists at the provider is taken as it is`() async throws {
        let record = try await service.add(
            NewAccount(email: nil, name: "Ada", enroll: "mock", providerAccount: "there already")
        )
        #expect(record.enrolments == [Enrolment(provider: "mock", reference: "there already", isActive: true)])
        #expect(directory.creations.isEmpty)
    }

    @Test func `an existing account can be enrolled with one more provider`() async throws {
        let before = try await service.add(NewAccount(email: "ada@example.com", name: "Ada", enroll: "mock"))
        let after = try await service.enroll("ADA@example.com", at: "other", providerAccount: "ada-7")
        #expect(after.account.id == before.account.id)
        #expect(after.enrolments.map(\.provider) == ["mock", "other"])
        #expect(after.enrolments.last == Enrolment(provider: "other", reference: "ada-7", isActive: true))
        #expect(
            auditLog.all.last == AuditRecord(AccountAuditEvent.enrolled, of: before.account.id, detail: "with other")
        )
        #expect(directory.creations.count == 1, "the account that is there already is not made")
    }

    @Test func `and without a name there it gets a random one`() async throws {
        let before = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        let after = try await service.enroll(before.account.id.description, at: "mock", providerAccount: nil)
        let enrolment = try #require(after.enrolments.first)
        #expect(UUIDBits(enrolment.reference) != nil && enrolment.reference != before.account.id.description)
        #expect(directory.creations.map(\.reference) == [enrolment.reference])
        #expect(directory.creations.first?.email == "ada@example.com")
    }

    @Test func `attack: a second face at a provider, or one of another account, is refused`() async throws {
        _ = try await service.add(
            NewAccount(email: "ada@example.com", name: "A", enroll: "mock", providerAccount: "a-1")
        )
        _ = try await service.add(NewAccount(email: "eve@example.com", name: "E"))
        let wrong: [(String, String, String?, AccountError)] = [
            ("ada@example.com", "mock", "a-2", .enrolledAlready("mock")),
            ("ada@example.com", "mock", nil, .enrolledAlready("mock")),
            ("eve@example.com", "mock", "a-1", .providerAccountTaken("a-1")),
            ("eve@example.com", "nobody", nil, .unknownProvider("nobody")),
            ("bob@example.com", "mock", nil, .unknownAccount("bob@example.com")),
            ("eve@example.com", "mock", "", .badProviderAccount),
            ("eve@example.com", "mock", "a\nb", .badProviderAccount),
            ("eve@example.com", "mock", String(repeating: "x", count: 257), .badProviderAccount),
        ]
        let before = store.all
        for (account, provider, name, fault) in wrong {
            await #expect(throws: fault) { try await service.enroll(account, at: provider, providerAccount: name) }
        }
        #expect(store.all == before && directory.creations.isEmpty)
    }

    @Test func `an enrolment that the provider refused is not in force, and is begun again`() async throws {
        _ = try await service.add(NewAccount(email: "eve@example.com", name: "E"))
        directory.fail(with: .providerFailed(provider: "mock", cause: "down"))
        await #expect(throws: AccountError.self) {
            try await service.enroll("eve@example.com", at: "mock", providerAccount: nil)
        }
        #expect(store.all.flatMap(\.enrolments).allSatisfy { !$0.isActive })
        #expect(!auditLog.all.events(AccountAuditEvent.self).contains(.enrolled))
        directory.fail(with: nil)
        let record = try await service.enroll("eve@example.com", at: "mock", providerAccount: nil)
        #expect(record.enrolments.count == 1 && record.enrolments.first?.isActive == true)
        #expect(directory.creations.last?.reference == record.enrolments.first?.reference)
    }

    @Test func `an enrolment that was withdrawn is renewed in its place, under another name`() async throws {
        let before = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        let old = Enrolment(provider: "mock", reference: "disowned", isActive: false)
        try await ImmediateUnitOfWork().run { [store] in try store.put(old, of: before.account.id, in: $0) }
        let renewed = try await service.enroll("ada@example.com", at: "mock", providerAccount: nil)
        let enrolment = try #require(renewed.enrolments.first)
        #expect(renewed.enrolments.count == 1 && enrolment.isActive && enrolment.reference != "disowned")
        #expect(directory.creations.map(\.reference) == [enrolment.reference])
        #expect(
            auditLog.all.last == AuditRecord(AccountAuditEvent.enrolled, of: before.account.id, detail: "with mock")
        )
    }

    @Test func `nothing is made at the provider that the store refuses`() async throws {
        _ = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        store.goDown()
        await #expect(throws: MemoryAccountStore.StoreDownError.self) {
            try await service.enroll("ada@example.com", at: "mock", providerAccount: nil)
        }
        #expect(directory.creations.isEmpty)
    }

    @Test func `a provider that is not configured is refused`() async {
        await refuses(.unknownProvider("mokc"), NewAccount(email: nil, name: "Ada", enroll: "mokc"))
    }

    @Test func `a provider that fails leaves no account behind`() async {
        let fault = AccountError.providerFailed(provider: "mock", cause: "timeout")
        directory.fail(with: fault)
        await refuses(fault, NewAccount(email: "ada@example.com", name: "Ada", enroll: "mock"))
    }

    @Test(arguments: [0, 11, 1025])
    func `a password of fewer than 12 or more than 1024 characters is refused`(_ count: Int) async {
        let password = Secret(String(repeating: "p", count: count))
        await refuses(.weakPassword, NewAccount(email: nil, name: "Ada", password: password))
    }

    @Test(arguments: [12, 1024])
    func `a password is kept as a hash alone`(_ count: Int) async throws {
        let password = String(repeating: "p", count: count)
        let record = try await service.add(NewAccount(email: nil, name: "Ada", password: Secret(password)))
        let hash = try #require(record.passwordHash).expose()
        #expect(hash.hasPrefix("scrypt$") && !hash.contains(password))
    }

    @Test func `an account is shown by its id in either case and by its address in any`() async throws {
        let record = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        let id = record.account.id.description
        for name in [id, id.uppercased(), "ada@example.com", "ADA@Example.com "] {
            #expect(try await service.show(name) == record, "\(name)")
        }
        for name in ["bob@example.com", "Ada", "", "00000000-0000-4000-8000-000000000000"] {
            await #expect(throws: AccountError.unknownAccount(name)) { try await service.show(name) }
        }
    }

    @Test func `the newest accounts are listed first, up to the limit`() async throws {
        for name in ["one", "two", "three"] { _ = try await service.add(NewAccount(email: nil, name: name)) }
        #expect(try await service.list(limit: 2).map(\.account.displayName) == ["three", "two"])
    }

    @Test func `disabling is on record, and ends live operations once the account is disabled`() async throws {
        let record = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        let disabled = try await service.disable("ada@example.com")
        #expect(disabled.account.state == .disabled)
        #expect(disabled.emails == record.emails)
        let id = record.account.id
        #expect(
            ended.all == [
                .init(what: "sessions", account: id, state: .disabled),
                .init(what: "operations", account: id, state: .disabled),
            ],
            "what is live is ended after the account is shut, not before"
        )
        #expect(auditLog.all.last == AuditRecord(AccountAuditEvent.disabled, of: record.account.id))
    }

    @Test func `disabling an account twice is one fact`() async throws {
        _ = try await service.add(NewAccount(email: "ada@example.com", name: "Ada"))
        let first = try await service.disable("ada@example.com")
        #expect(try await service.disable("ada@example.com") == first)
        #expect(auditLog.all.events(AccountAuditEvent.self) == [.added, .disabled])
    }

    @Test func `an account at no provider is a fault, not silently dropped`() async {
        let order = NewAccount(email: "ada@example.com", name: "Ada", providerAccount: "existing")
        await #expect(throws: AccountError.providerAccountOfNobody) { try await service.add(order) }
        #expect(auditLog.all.isEmpty)
    }

    @Test func `disabling an unknown account ends nothing`() async {
        await #expect(throws: AccountError.unknownAccount("ada@example.com")) {
            try await service.disable("ada@example.com")
        }
        #expect(ended.all.isEmpty && auditLog.all.isEmpty)
    }

    @Test func `each error has a stable code and a sentence that says what to do`() {
        let faults: [(AccountError, String, String)] = [
            (.badEmail("x"), "invalid_email", "person@example.com"), (.badName, "invalid_name", "200"),
            (.badAttribute("x"), "invalid_attribute", "NAME=VALUE"),
            (.badAttributeValue(name: "role", value: "x", allowed: ["a", "b"]), "invalid_attribute", "a, b"),
            (.emailTaken("a@example.com"), "email_taken", "accounts show"),
            (.providerAccountTaken("x"), "provider_account_taken", "another account"),
            (.providerAccountOfNobody, "provider_required", "needs its provider"),
            (.providerAccountNeeded("x"), "provider_account_required", "--provider-account"),
            (.unknownAccount("x"), "account_not_found", "accounts list"),
            (.unknownProvider("x"), "provider_not_found", "config"),
            (.providerFailed(provider: "mock", cause: "x"), "provider_failed", "Try again"),
            (.weakPassword, "weak_password", "12 to 1024"), (.badImport(line: 3, reason: "x"), "invalid_import", "3"),
        ]
        for (fault, code, part) in faults {
            #expect(fault.code == code)
            #expect(fault.message.contains(part), "\(fault.message)")
        }
    }

    private func refuses(_ fault: AccountError, _ order: NewAccount) async {
        await #expect(throws: fault) { try await service.add(order) }
        #expect(store.all.isEmpty && auditLog.all.isEmpty)
    }
}

/// The ended accounts, and the state of each by then.
private final class Ended: Sendable {
    struct Entry: Equatable {
        let what: String
        let account: AccountID
        let state: Account.State?
    }

    private let entries = Mutex<[Entry]>([])

    var all: [Entry] { entries.withLock { $0 } }

    func note(_ what: String, _ account: AccountID, _ state: Account.State?) {
        entries.withLock { $0.append(Entry(what: what, account: account, state: state)) }
    }
}

/// Notes in which state an account is when its access is ended.
private struct WatchingAccess: AccountAccess {
    let store: MemoryAccountStore
    let ended: Ended

    func endElsewhere(
        of account: AccountID,
        except kept: KeptAccess?,
        because change: AccessChange,
        in transaction: borrowing Transaction
    ) throws { ended.note("sessions", account, try store.profile(account, in: transaction)?.account.state) }

    func removeAll(
        of account: AccountID,
        except kept: KeptAccess,
        in transaction: borrowing Transaction
    ) throws -> String? { nil }

    func isOpen(_ session: SessionID, of account: AccountID, in transaction: borrowing Transaction) -> Bool { true }

    func settle(_ account: AccountID, because change: AccessChange) async throws {
        ended.note("operations", account, try await store.find(account)?.account.state)
    }
}
