import Kernel
import Mail
import OAuth
import Operations
import StoreContract
import Testing

@testable import Storage

/// Two claimers that have read the same due rows, as two daemons on one database can have.
struct ClaimRaceTests {
    private static let now = OperationSample.start
    private static let lease = DeliveryLease(token: UUIDBits(high: 1, low: 1), until: now + .seconds(60))
    private static let rivals = DeliveryLease(token: UUIDBits(high: 1, low: 2), until: now + .seconds(90))

    @Test(arguments: StorageEngine.allCases)
    func `attack: of two claimers that read the same mail, one claims it`(_ engine: StorageEngine) async throws {
        try await engine.run { fixture in
            let store = SQLMailQueueStore(fixture.database)
            let (late, rival) = try await fixture.unitOfWork.run { transaction in
                try store.insert(Self.mail, in: transaction)
                return try Self.race(transaction.connection()) {
                    try store.claim($0, limit: 9, at: Self.now, in: $1).map(\.id)
                }
            }
            #expect(rival == [Self.mail.id] && late.isEmpty)
            let leases = try await fixture.database.read { reader in
                try reader.all("SELECT lease FROM mail_queue") { try $0.text("lease") }
            }
            #expect(leases == [Self.rivals.token.description])
        }
    }

    @Test(arguments: StorageEngine.allCases)
    func `attack: of two claimers that read the same notice, one claims it`(_ engine: StorageEngine) async throws {
        try await engine.run { fixture in
            let store = SQLBackchannelStore(fixture.database)
            let capacity = DeliveryCapacity(inAll: 9, perGroup: 9)
            let (late, rival) = try await fixture.unitOfWork.run { transaction in
                try store.insert(Self.request, in: transaction)
                try store.enqueue(Self.request.id, at: Self.now, expiresAt: Self.now + .seconds(300), in: transaction)
                return try Self.race(transaction.connection()) {
                    try store.claim($0, capacity: capacity, at: Self.now, in: $1).map(\.request.id)
                }
            }
            #expect(rival == [Self.request.id] && late.isEmpty)
        }
    }

    /// Runs a claim, and another one between its read and its write.
    private static func race<ID>(
        _ connection: SQLConnection,
        _ claim: @escaping (DeliveryLease, borrowing Transaction) throws -> [ID]
    ) throws -> (late: [ID], rival: [ID]) {
        var rival: [ID] = []
        let engine = InterruptedEngine(connection) {
            rival = try claim(Self.rivals, Transaction(context: connection))
        }
        let late = try claim(Self.lease, Transaction(context: SQLConnection(engine)))
        return (late, rival)
    }

    private static var mail: QueuedMail {
        QueuedMail(
            id: MailID(UUIDBits(high: 0x3A, low: 1)),
            kind: .signInCode,
            contents: QueuedMail.Contents(encryptionKey: "key", recipient: [1], message: [2]),
            createdAt: now,
            expiresAt: now + .seconds(600),
            tries: QueuedMail.Tries(dueAt: now)
        )
    }

    private static var request: BackchannelRecord {
        BackchannelRecord(
            id: Digest256(sha256: "request"),
            operation: OperationSample.operation(1).id,
            access: RequestedAccess(clientID: "bank", scopes: ScopeSet(["openid"]), resources: []),
            delivery: .ping,
            interval: .seconds(5),
            callback: BackchannelRecord.Callback(
                endpoint: "https://bank.example/notices",
                encryptionKey: "key",
                encrypted: [1]
            ),
            createdAt: now,
            keptUntil: now + .seconds(600)
        )
    }
}

/// An engine in which something else happens before the first change.
private final class InterruptedEngine: SQLEngine {
    private let whole: SQLConnection
    private var interruption: (() throws -> Void)?

    init(_ whole: SQLConnection, before interruption: @escaping () throws -> Void) {
        self.whole = whole
        self.interruption = interruption
    }

    func elements(of placeholder: String) -> String { whole.elements(of: placeholder) }

    func change(_ sql: String, _ values: [ColumnValue]) throws -> Int {
        if let interruption {
            self.interruption = nil
            try interruption()
        }
        return try whole.change(sql, values)
    }

    func visit(_ sql: String, _ values: [ColumnValue], eachRow row: (inout ColumnReader) throws -> Bool) throws {
        var goesOn = true
        _ = try whole.all(sql, values) { if goesOn { goesOn = try row(&$0) } }
    }
}
