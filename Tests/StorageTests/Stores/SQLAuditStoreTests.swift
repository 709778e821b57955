import Audit
import Crypto
import Kernel
import Testing

@testable import Storage

/// The chain over a database that somebody beside the daemon can write, on every engine.
struct SQLAuditStoreTests {
    private struct RefusedError: Error {}

    @Test(arguments: StorageEngine.allCases)
    func `rows of one unit and of units that wait together make one chain`(_ engine: StorageEngine) async throws {
        try await engine.run(connections: 1) { stores in
            let chain = stores.chain()
            try await stores.unitOfWork.run { transaction in
                for number in 1...3 { try chain.append(Self.entry(number), in: transaction) }
            }
            let results = await stores.together(20) { number, transaction in
                try chain.append(Self.entry(number), in: transaction)
                if number.isMultiple(of: 4) { throw RefusedError() }
            }
            #expect(results.count(where: \.isSuccess) == 15)
            #expect(try await chain.verify() == .sound(rows: 18), "an undone unit leaves no gap")
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `the chain continues after the database was opened anew`(_ engine: StorageEngine) async throws {
        try await engine.run(connections: 1) { stores in
            let chain = stores.chain()
            try await stores.fill(3)
            let walked = try await StoreFixture.chain(try stores.reopen()).verify()
            #expect(walked == .sound(rows: 3))
            try await stores.unitOfWork.run { try chain.append(Self.entry(4), in: $0) }
            #expect(try await chain.verify() == .sound(rows: 4))
        }
    }

    @Test func `a chain is read once, and goes on after what others append to it`() async throws {
        try await StorageEngine.postgres.run(connections: 1) { stores in
            let chain = stores.chain()
            for number in 1...3 { try await stores.unitOfWork.run { try chain.append(Self.entry(number), in: $0) } }
            let appended = try await stores.database.read { try $0.count("SELECT COUNT(*) AS count FROM audit") }
            #expect(appended == 3)
            let other = try stores.reopen()
            let others = PostgresUnitOfWork(try #require(other as? PostgresDatabase))
            let append = { (number: Int) in
                try await others.run { try StoreFixture.chain(other).append(Self.entry(number), in: $0) }
            }
            try await append(4)
            let newest = try await stores.unitOfWork.run {
                try SQLAuditStore(stores.database).head(of: "local", in: $0)?.number
            }
            #expect(newest == 4, "who only reads gets the last row itself")
            try await append(5)
            let runs = Collected<Int>()
            try await stores.unitOfWork.run { transaction in
                runs.add(0)
                for number in 6...7 { try chain.append(Self.entry(number), in: transaction) }
            }
            #expect(runs.count == 2, "its own connection took the fourth row for the last")
            #expect(try await chain.verify() == .sound(rows: 7))
            await #expect(throws: RefusedError.self) {
                try await stores.unitOfWork.run { transaction in
                    try chain.append(Self.entry(8), in: transaction)
                    throw RefusedError()
                }
            }
            try await stores.unitOfWork.run { try chain.append(Self.entry(9), in: $0) }
            #expect(try await chain.verify() == .sound(rows: 8))
        }
    }

    @Test func `units of two daemons that append to one chain all end as its rows`() async throws {
        try await StorageEngine.postgres.run(connections: 1) { stores in
            let other = try stores.reopen()
            let units = [stores.unitOfWork, PostgresUnitOfWork(try #require(other as? PostgresDatabase))]
            let chains = [stores.chain(), StoreFixture.chain(other)]
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...100 {
                    let (unit, chain) = (units[number % 2], chains[number % 2])
                    group.addTask { try await unit.run { try chain.append(Self.entry(number), in: $0) } }
                }
                try await group.waitForAll()
            }
            #expect(try await stores.chain().verify() == .sound(rows: 100))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `every field comes back as it was written, also an empty one`(_ engine: StorageEngine) async throws {
        try await engine.run(connections: 1) { stores in
            let chain = stores.chain()
            let entries = [
                AuditEntry(at: Sample.now, event: "a", subject: "s", account: Sample.accountID(1), detail: "ü\n\"'"),
                AuditEntry(at: Sample.now, event: "b", subject: "", account: nil, detail: nil),
                AuditEntry(at: Sample.now, event: "c", subject: "", account: nil, detail: ""),
            ]
            try await stores.unitOfWork.run { for entry in entries { try chain.append(entry, in: $0) } }
            let rows = try await SQLAuditStore(stores.database).rows(of: "local", from: 1, limit: 10)
            #expect(rows.map(\.entry) == entries)
            #expect(try await chain.verify() == .sound(rows: 3))
        }
    }

    @Test(
        arguments: [
            ("UPDATE audit SET detail = 'nobody' WHERE number = 3", 3),
            ("UPDATE audit SET detail = NULL WHERE number = 3", 3),
            ("UPDATE audit SET account = NULL WHERE number = 2", 2),
            ("UPDATE audit SET at = at + 1 WHERE number = 4", 4),
            ("UPDATE audit SET hash = zeros WHERE number = 2", 2),
            ("UPDATE audit SET prev_hash = zeros WHERE number = 5", 5),
            ("DELETE FROM audit WHERE number = 3", 3), ("DELETE FROM audit WHERE number = 1", 1),
            ("UPDATE audit SET number = number + 100 WHERE number = 3", 3),
            (
                """
                UPDATE audit SET number = -1 WHERE number = 2;
                UPDATE audit SET number = 2 WHERE number = 3;
                UPDATE audit SET number = 3 WHERE number = -1
                """, 2
            ),
            (
                "INSERT INTO audit SELECT node, 0, at, fact, subject, account, detail, prev_hash, hash FROM audit "
                    + "WHERE number = 1", 1
            ),
            (
                "INSERT INTO audit SELECT node, 6, at, fact, subject, account, detail, hash, hash FROM audit "
                    + "WHERE number = 5", 6
            ),
        ] as [(String, Int64)],
        StorageEngine.allCases
    )
    func `attack: verification names the first audit row that was changed, deleted, moved or inserted`(
        _ change: (sql: String, place: Int64),
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(connections: 1) { stores in
            try await stores.fill(5)
            try await stores.tamper(change.sql.replacing("zeros", with: engine.zeros))
            let found = try await stores.chain().verify()
            #expect(found == .broken(at: change.place))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `attack: verification with another key reports the wrong key`(_ engine: StorageEngine) async throws {
        try await engine.run(connections: 1) { stores in
            try await stores.fill(2)
            let found = try await stores.chain(key: 2).verify()
            #expect(found == .other(.wrongKey))
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `the hash at a row is the row's own, or once it is purged what the next one says of it`(
        _ engine: StorageEngine
    ) async throws {
        try await engine.run(connections: 1) { stores in
            try await stores.fill(3)
            let store = SQLAuditStore(stores.database)
            let hashes = try await store.rows(of: "local", from: 1, limit: 3).map(\.hash)
            func hash(at number: Int64) async throws -> Digest256? {
                try await stores.unitOfWork.run { try store.hash(of: "local", at: number, in: $0) }
            }
            for number in 1...3 { #expect(try await hash(at: Int64(number)) == hashes[number - 1]) }
            _ = try await stores.unitOfWork.run { try store.delete(of: "local", through: 1, limit: 9, in: $0) }
            #expect(try await hash(at: 1) == hashes[0])
            _ = try await stores.unitOfWork.run { try store.delete(of: "local", through: 2, limit: 9, in: $0) }
            #expect(try await hash(at: 1) == nil)
            #expect(try await hash(at: 2) == hashes[1])
            #expect(try await hash(at: 4) == nil)
        }
    }

    fileprivate static func entry(_ number: Int) -> AuditEntry {
        AuditEntry(
            at: Sample.now + .milliseconds(number),
            event: "operation.redeemed",
            subject: "row \(number)",
            account: Sample.accountID(1),
            detail: "session \(number)"
        )
    }
}

extension StoreFixture {
    fileprivate func chain(key: UInt8 = 1) -> AuditChain { Self.chain(database, key: key) }

    fileprivate static func chain(_ database: any SQLDatabase, key: UInt8 = 1) -> AuditChain {
        AuditChain(
            node: "local",
            key: SymmetricKey(data: Array(repeating: key, count: 32)),
            store: SQLAuditStore(database),
            now: { Sample.now }
        )
    }

    fileprivate func fill(_ count: Int) async throws {
        let chain = chain()
        try await unitOfWork.run { transaction in
            for number in 1...count { try chain.append(SQLAuditStoreTests.entry(number), in: transaction) }
        }
    }
}

/// Signs nothing: for chains that are held against no checkpoint.
private struct NoSigning: CheckpointSigning {
    func sign(_ checkpoint: AuditCheckpoint) throws -> String { "" }
    func read(_ line: String) -> AuditCheckpoint? { nil }
    func readUnverified(_ line: String) -> AuditCheckpoint? { nil }
}

/// The result of a walk along a chain that was never purged.
private enum Walked: Equatable {
    case sound(rows: Int64)
    case broken(at: Int64)
    case other(AuditReport.Finding)
}

extension AuditChain {
    fileprivate func verify() async throws -> Walked {
        let report = try await AuditVerifier(chain: self, signing: NoSigning()).verify()
        return switch report.finding {
        case .sound: .sound(rows: report.own.last)
        case .broken(let row): .broken(at: row)
        case .startMissing: .broken(at: 1)
        case .wrongKey, .endMissing, .rewritten, .forgedCheckpoint, .replayedCheckpoint, .checkpointsMissing:
            .other(report.finding)
        }
    }
}
