import GRDB
import Kernel
import SignIn
import Synchronization
import Testing

@testable import Assembly
@testable import Storage

/// A remedy is one and the same work for the store, however many sessions somebody has opened and ended.
struct ManySessionsTests {
    private static let many = 400

    // T-256
    @Test(arguments: [
        Remedy.notMe, .deviceRevoked, .passwordChanged, .addressProved, .addressProvedInApp, .passwordSet, .addressSet,
    ])
    func `attack: a remedy's number of statements does not grow with the device's ended sessions`(
        _ remedy: Remedy
    ) async throws {
        let told = Seen()
        for sessions in [1, Self.many] {
            try await Harness.run(storage: .sqlite) { harness in
                let fixture = try await RemedyFixture(harness)
                try await Self.open(sessions, of: fixture, isOver: true)
                let statements = try await Self.statements(of: harness) { try await fixture.apply(remedy) }
                told.note("\(statements.count)")
                let places = statements.map { $0.count { $0 == "?" } }.max() ?? 0
                #expect(places < 100, "no variable for each")
            }
        }
        let counts = told.all.compactMap { Int($0) }
        try #require(counts.count == 2)
        #expect(counts[1] - counts[0] < 100, "\(counts)")
    }

    // T-256
    @Test(arguments: [Remedy.notMe, .deviceRevoked])
    func `sessions of a phone that are open all end, in one statement`(_ remedy: Remedy) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            try await Self.open(Self.many, of: fixture, isOver: false)
            let statements = try await Self.statements(of: harness) { try await fixture.apply(remedy) }
            let updates = statements.filter { $0.hasPrefix("UPDATE sessions SET revoked_at") }
            #expect(updates.count < 10, "\(updates.count)")
            let left = try await harness.database.pool.read { reader in
                try Int.fetchOne(
                    reader,
                    sql: "SELECT COUNT(*) FROM sessions WHERE device = ? AND revoked_at IS NULL",
                    arguments: [fixture.other.device.description]
                )
            }
            #expect(left == 0)
        }
    }

    // T-256
    @Test(arguments: [Remedy.clientSignedOut, .clientDisabled])
    func `attack: ending a client's web sessions uses the index of sessions by client and no table scan`(
        _ remedy: Remedy
    ) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            let statements = try await Self.statements(of: harness) { try await fixture.apply(remedy) }
            let sql = try #require(
                statements.first { $0.hasPrefix("DELETE FROM web_sessions") && $0.contains("client") }
            )
            let plan = try await harness.database.pool.writeWithoutTransaction { writer in
                try Row.fetchAll(writer, sql: "EXPLAIN QUERY PLAN \(sql)", arguments: ["bbms"])
                    .map { $0["detail"] as String }
            }
            #expect(plan.contains { $0.contains("sessions_of_clients") }, "\(plan)")
            #expect(!plan.contains { $0.hasPrefix("SCAN") }, "\(plan)")
        }
    }

    /// Sessions on the phone of the other person.
    private static func open(_ count: Int, of fixture: RemedyFixture, isOver: Bool) async throws {
        let at = fixture.harness.composition.environment.now().milliseconds
        let endedAt = isOver ? at.databaseValue : DatabaseValue.null
        let reason = isOver ? "signed_out".databaseValue : DatabaseValue.null
        try await fixture.harness.database.pool.write { writer in
            for number in 1...count {
                try writer.execute(
                    sql: """
                        INSERT INTO sessions (
                            id, account, client, device, methods, binding, authenticated_at, created_at, revoked_at,
                            revoked_because
                        ) VALUES (printf('00000000-0000-4000-8000-%012x', ?), ?, 'mwsim', ?, 'pwd', 'none', ?, ?, ?, ?)
                        """,
                    arguments: [
                        number, fixture.account.description, fixture.other.device.description, at, at, endedAt, reason,
                    ]
                )
            }
        }
    }

    /// What the writer is told meanwhile.
    private static func statements(of harness: Harness, during work: () async throws -> Void) async throws -> [String] {
        let seen = Seen()
        try await harness.database.pool.writeWithoutTransaction { writer in
            writer.trace(options: .statement) { seen.note("\($0)") }
        }
        try await work()
        try await harness.database.pool.writeWithoutTransaction { $0.trace() }
        return seen.all
    }

    private final class Seen: Sendable {
        private let texts = Mutex<[String]>([])

        var all: [String] { texts.withLock { $0 } }

        func note(_ text: String) { texts.withLock { $0.append(text) } }
    }
}
