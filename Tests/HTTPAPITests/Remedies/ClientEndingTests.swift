import Accounts
import GRDB
import Kernel
import MemoryStore
import Sessions
import SignIn
import Synchronization
import Testing

@testable import Admin
@testable import Assembly
@testable import HTTPAPI
@testable import Storage

/// The sessions of a client are ended in many units of work, and all of them whatever happens in between.
struct ClientEndingTests {
    private static let client = "bbms"
    private static let open = "SELECT COUNT(*) FROM sessions WHERE client = 'bbms' AND revoked_at IS NULL"
    private static let told = "SELECT COUNT(*) FROM audit WHERE fact = 'session.revoked'"
    private static let waiting = "SELECT COUNT(*) FROM client_endings"

    // T-173
    @Test func `a sign-out of a client ends 500 sessions a unit, and a crash leaves none of the rest`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            try await Self.addSessions(1200, harness)
            let units = FewUnits(harness.composition.unitOfWork, left: 3)
            let ending = Self.ending(harness, units)
            let noted = try await units.run { try ending.end(.clientSignedOut, ofClient: Self.client, in: $0) }
            #expect(noted == 1200)
            #expect(try await Self.count(Self.open, harness) == 1200, "the unit of the order ends none itself")
            await #expect(throws: FewUnits.StoppedError.self) {
                try await ending.settle(.clientSignedOut, ofClient: Self.client)
            }
            #expect(try await Self.count(Self.open, harness) == 200, "two units have ended 500 each")

            harness.time.advance(by: .seconds(1))
            let later = try RemedyFixture.session(of: try await harness.signIn())
            try await harness.composition.ending.resume()
            #expect(try await Self.count(Self.open, harness) == 1)
            #expect(try await Self.count(Self.told, harness) == 1200)
            #expect(try await harness.composition.sessions.find(later)?.revocation == nil, "it was opened since")
            #expect(try await Self.count(Self.waiting, harness) == 0)
        }
    }

    // T-173
    @Test func `a sign-out that was cut off is finished by the same command`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            try await Self.addSessions(600, harness)
            let units = FewUnits(harness.composition.unitOfWork, left: 2)
            let ending = Self.ending(harness, units)
            _ = try await units.run { try ending.end(.clientSignedOut, ofClient: Self.client, in: $0) }
            try? await ending.settle(.clientSignedOut, ofClient: Self.client)
            let administration = harness.composition.administration
            #expect(try await administration.execute(EndClientSessions(id: Self.client)) == 100)
            #expect(try await administration.execute(EndClientSessions(id: Self.client)) == 0)
            #expect(try await Self.count(Self.open, harness) == 0)
            #expect(try await Self.count(Self.waiting, harness) == 0)
        }
    }

    // T-173
    @Test func `sessions that a second sign-out notes meanwhile end too, also those that the first has passed`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            try await Self.addSessions(600, harness)
            let all = harness.composition.unitOfWork
            // The unit of the order, 500 sessions, and then the second order before the rest.
            let units = HookedUnits(all, before: 3) {
                try await Self.addSessions(1, harness, as: SessionID(UUIDBits(high: 0x7000, low: 1)))
                _ = try await all.run {
                    try Self.ending(harness, all).end(.clientSignedOut, ofClient: Self.client, in: $0)
                }
            }
            let ending = Self.ending(harness, units)
            _ = try await units.run { try ending.end(.clientSignedOut, ofClient: Self.client, in: $0) }
            try await ending.settle(.clientSignedOut, ofClient: Self.client)
            #expect(try await Self.count(Self.open, harness) == 0)
            #expect(try await Self.count(Self.waiting, harness) == 0)
        }
    }

    private static func ending(_ harness: Harness, _ units: any UnitOfWork) -> EndingService {
        let composition = harness.composition
        return EndingService(
            descent: composition.ending.descent,
            environment: composition.environment,
            devices: composition.devices.owned,
            passkeys: composition.passkeys.owned,
            codes: composition.stores.people.emailCodes,
            operations: composition.service,
            unitOfWork: units
        )
    }

    private static func addSessions(_ count: Int, _ harness: Harness, as id: SessionID? = nil) async throws {
        let account = try await harness.composition.accounts.show("ada@example.com").account.id.description
        let now = harness.composition.environment.now().milliseconds
        let ids: [SessionID] = (0..<count).map { _ in id ?? harness.composition.environment.newID() }
        try await harness.database.pool.write { writer in
            for id in ids {
                try writer.execute(
                    sql: """
                        INSERT INTO sessions (id, account, client, methods, authenticated_at, created_at, binding)
                        VALUES (?, ?, 'bbms', 'face', ?, ?, 'none')
                        """,
                    arguments: [id.description, account, now, now]
                )
            }
        }
    }

    private static func count(_ sql: String, _ harness: Harness) async throws -> Int {
        try await harness.database.pool.read { try Int.fetchOne($0, sql: sql) } ?? -1
    }
}

/// Does something once, before the unit of that number.
private final class HookedUnits: UnitOfWork {
    private let inner: any UnitOfWork
    private let number: Int
    private let hook: @Sendable () async throws -> Void
    private let count = Mutex(0)

    init(_ inner: any UnitOfWork, before number: Int, _ hook: @escaping @Sendable () async throws -> Void) {
        self.inner = inner
        self.number = number
        self.hook = hook
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T { try await inner.read(body) }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let isNext = count.withLock { count in
            count += 1
            return count == number
        }
        if isNext { try await hook() }
        return try await inner.run(body)
    }
}

/// Runs so many units, and then none, as a process does that is killed.
private final class FewUnits: UnitOfWork {
    struct StoppedError: Error {}

    private let inner: any UnitOfWork
    private let left: Mutex<Int>

    init(_ inner: any UnitOfWork, left: Int) {
        self.inner = inner
        self.left = Mutex(left)
    }

    func read<T: Sendable>(
        _ body: @escaping @Sendable (borrowing Transaction) throws -> T
    ) async throws -> T { try await inner.read(body) }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let isLeft = left.withLock { left in
            left -= 1
            return left >= 0
        }
        guard isLeft else { throw StoppedError() }
        return try await inner.run(body)
    }
}
