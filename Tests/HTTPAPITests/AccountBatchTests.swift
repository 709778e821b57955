import Accounts
import Kernel
import MemoryStore
import Synchronization
import Testing

@testable import Admin
@testable import Assembly

/// A batch of an import is answered before its caller times out, and the answer says how far it came.
struct AccountBatchTests {
    @Test func `a batch that takes long is answered in part`() async throws {
        try await Harness.run { harness in
            // Each account takes the provider six seconds; work begun within fifteen is finished.
            let administration = makeAdministration(harness, accountTakes: .seconds(6))
            let batch = lines(2...9, enroll: "slow")
            let first = try await done(administration, batch)
            #expect(first == .init(done: 3, added: 3))
            #expect(try await done(administration, Array(batch.dropFirst(3))) == .init(done: 3, added: 3))
            #expect(try await harness.composition.accounts.show("p4@example.com").account.displayName == "P4")
        }
    }

    @Test func `one line is always dealt with, however long it takes`() async throws {
        try await Harness.run { harness in
            let administration = makeAdministration(harness, accountTakes: .seconds(240))
            let view = try await done(administration, lines(2...4, enroll: "slow"))
            #expect(view == .init(done: 1, added: 1))
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a second time refuses each line by its number and adds nothing`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let administration = harness.composition.administration
            #expect(try await done(administration, lines(2...4)) == .init(done: 3, added: 3))
            let again = try await done(administration, lines(2...5))
            #expect(again.done == 4 && again.added == 1)
            #expect(again.faults.map { $0.prefix(7) } == ["Line 2:", "Line 3:", "Line 4:"])
        }
    }

    @Test func `each invalid line of an import batch is reported by its number`() async throws {
        try await Harness.run { harness in
            var batch = lines(2...5)
            batch[0].account.email = "nowhere"
            batch[1].account.attributes = ["role=king"]
            batch[2].account.enroll = "nobody"
            let view = try await done(harness.composition.administration, batch)
            #expect(view.done == 4 && view.added == 1)
            #expect(view.faults.map { $0.prefix(7) } == ["Line 2:", "Line 3:", "Line 4:"])
        }
    }

    @Test func `a store that fails ends an import batch before the failed line`() async throws {
        try await Harness.run { harness in
            let administration = makeAdministration(harness, failingAfter: 2)
            let view = try await done(administration, lines(2...5))
            #expect(view == .init(done: 2, added: 2))
            let error = await #expect(throws: AdminError.self) { try await done(administration, lines(4...5)) }
            #expect(error?.code == "store_unavailable")
        }
    }

    private func done(
        _ services: AdminServices,
        _ lines: [ImportAccounts.Line]
    ) async throws -> ImportAccounts.Outcome { try await services.execute(ImportAccounts(lines: lines)) }

    private func lines(_ numbers: ClosedRange<Int>, enroll: String? = nil) -> [ImportAccounts.Line] {
        numbers.map { number in
            let email = "p\(number)@example.com"
            return .init(number: number, account: .init(email: email, name: "P\(number)", enroll: enroll))
        }
    }

    private func makeAdministration(
        _ harness: Harness,
        accountTakes duration: Duration = .zero,
        failingAfter count: Int = .max
    ) -> AdminServices {
        let composition = harness.composition
        let environment = composition.environment
        var services = composition.administration
        services.accounts = AccountService(
            environment: environment,
            unitOfWork: TiringUnitOfWork(whole: composition.unitOfWork, strength: count),
            store: composition.stores.people.accounts,
            auditLog: composition.audit.chain,
            directory: SlowDirectory(time: harness.time, duration: duration),
            passwords: composition.passwords,
            access: composition.ending
        )
        return services
    }
}

/// A provider that takes its time, which passes on the test's clock.
private struct SlowDirectory: ProviderDirectory {
    let time: VirtualTime
    let duration: Duration

    var providers: [String] { ["slow"] }

    func create(
        reference: String,
        displayName: String,
        email: String?,
        at provider: String
    ) async throws(AccountError) { time.advance(by: duration) }
}

/// Works that many times, then fails.
private final class TiringUnitOfWork: UnitOfWork {
    private let whole: any UnitOfWork
    private let strength: Mutex<Int>

    init(whole: any UnitOfWork, strength: Int) {
        self.whole = whole
        self.strength = Mutex(strength)
    }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let works = strength.withLock { strength in
            strength -= 1
            return strength >= 0
        }
        guard works else { throw StoreError.unavailable(cause: "the disk is full") }
        return try await whole.run(body)
    }
}
