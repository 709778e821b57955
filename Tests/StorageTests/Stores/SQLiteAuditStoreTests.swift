import Audit
import Crypto
import Kernel
import Testing

@testable import Storage

/// The chain over the file that somebody with the disk can write.
struct SQLiteAuditStoreTests {
    private struct RefusedError: Error {}

    private let file: TestDatabase
    private let database: SQLiteDatabase
    private let unitOfWork: SQLiteUnitOfWork
    private let chain: AuditChain

    init() throws {
        file = try TestDatabase()
        database = try file.open()
        unitOfWork = SQLiteUnitOfWork(database)
        chain = Self.chain(database)
    }

    @Test func `rows of one unit and of units that wait together make one chain`() async throws {
        try await unitOfWork.run { [chain] transaction in
            for number in 1...3 { try chain.append(Self.entry(number), in: transaction) }
        }
        let results = try await unitOfWork.together(20) { [chain] number, transaction in
            try chain.append(Self.entry(number), in: transaction)
            if number.isMultiple(of: 4) { throw RefusedError() }
        }
        #expect(results.count(where: \.isSuccess) == 15)
        #expect(try await chain.verify() == .sound(rows: 18), "an undone unit leaves no gap")
    }

    @Test func `the chain continues after the file was closed and opened`() async throws {
        try await fill(3)
        try database.close()
        let reopened = try file.open()
        let chain = Self.chain(reopened)
        try await SQLiteUnitOfWork(reopened).run { try chain.append(Self.entry(4), in: $0) }
        #expect(try await chain.verify() == .sound(rows: 4))
    }

    @Test func `every field comes back as it was written, also an empty one`() async throws {
        let entries = [
            AuditEntry(at: Sample.now, event: "a", subject: "s", account: Sample.accountID(1), detail: "ü\n\"'"),
            AuditEntry(at: Sample.now, event: "b", subject: "", account: nil, detail: nil),
            AuditEntry(at: Sample.now, event: "c", subject: "", account: nil, detail: ""),
        ]
        try await unitOfWork.run { [chain] in for entry in entries { try chain.append(entry, in: $0) } }
        let rows = try await SQLAuditStore(database).rows(of: "local", from: 1, limit: 10)
        #expect(rows.map(\.entry) == entries)
        #expect(try await chain.verify() == .sound(rows: 3))
    }

    @Test(
        arguments: [
            ("UPDATE audit SET detail = 'nobody' WHERE number = 3", 3),
            ("UPDATE audit SET detail = NULL WHERE number = 3", 3),
            ("UPDATE audit SET account = NULL WHERE number = 2", 2),
            ("UPDATE audit SET at = at + 1 WHERE number = 4", 4),
            ("UPDATE audit SET hash = zeroblob(32) WHERE number = 2", 2),
            ("UPDATE audit SET prev_hash = zeroblob(32) WHERE number = 5", 5),
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
        ] as [(String, Int64)]
    )
    func `attack: verification names the first audit row that was changed, deleted, moved or inserted`(
        _ sql: String,
        _ place: Int64
    ) async throws {
        try await fill(5)
        try file.tamper(sql)
        #expect(try await chain.verify() == .broken(at: place))
    }

    @Test func `attack: verification with another key reports the wrong key`() async throws {
        try await fill(2)
        #expect(try await Self.chain(database, key: 2).verify() == .other(.wrongKey))
    }

    @Test func `the hash at a row is the row's own, or once it is purged what the next one says of it`() async throws {
        try await fill(3)
        let store = SQLAuditStore(database)
        let hashes = try await store.rows(of: "local", from: 1, limit: 3).map(\.hash)
        func hash(at number: Int64) async throws -> Digest256? {
            try await unitOfWork.run { try store.hash(of: "local", at: number, in: $0) }
        }
        for number in 1...3 { #expect(try await hash(at: Int64(number)) == hashes[number - 1]) }
        _ = try await unitOfWork.run { try store.delete(of: "local", through: 1, limit: 9, in: $0) }
        #expect(try await hash(at: 1) == hashes[0])
        _ = try await unitOfWork.run { try store.delete(of: "local", through: 2, limit: 9, in: $0) }
        #expect(try await hash(at: 1) == nil)
        #expect(try await hash(at: 2) == hashes[1])
        #expect(try await hash(at: 4) == nil)
    }

    private static func chain(_ database: SQLiteDatabase, key: UInt8 = 1) -> AuditChain {
        AuditChain(
            node: "local",
            key: SymmetricKey(data: Array(repeating: key, count: 32)),
            store: SQLAuditStore(database),
            now: { Sample.now }
        )
    }

    private static func entry(_ number: Int) -> AuditEntry {
        AuditEntry(
            at: Sample.now + .milliseconds(number),
            event: "operation.redeemed",
            subject: "row \(number)",
            account: Sample.accountID(1),
            detail: "session \(number)"
        )
    }

    private func fill(_ count: Int) async throws {
        try await unitOfWork.run { [chain] transaction in
            for number in 1...count { try chain.append(Self.entry(number), in: transaction) }
        }
    }
}

/// Signs nothing: for chains that are held against no checkpoint.
private struct NoSigning: CheckpointSigning {
    func sign(_ checkpoint: AuditCheckpoint) throws -> String { "" }
    func read(_ line: String) -> AuditCheckpoint? { nil }
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
