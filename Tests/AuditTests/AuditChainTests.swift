import Crypto
import Kernel
import Testing

@testable import Audit

struct AuditChainTests {
    private final class Context {}

    private let store = MemoryAuditStore()
    private let chain: AuditChain

    init() { chain = AuditChain(node: "local", key: Self.key(1), store: store, now: { Instant(seconds: 0) }) }

    @Test func `an empty chain is sound`() async throws {
        #expect(try await chain.verify() == .sound(rows: 0))
    }

    @Test func `rows are numbered from one and each names the hash before it`() async throws {
        try fill(3)
        #expect(store.all.map(\.number) == [1, 2, 3])
        #expect(store.all.map(\.previousHash) == [.zero, store.all[0].hash, store.all[1].hash])
        #expect(Set(store.all.map(\.hash)).count == 3)
        #expect(try await chain.verify() == .sound(rows: 3))
    }

    @Test func `attack: a row's hash fits only its key, chain and content`() throws {
        try fill(2)
        let (own, row) = (AuditRowKey(Self.key(1)), store.all[1])
        #expect(own.hasMade(row))
        #expect(!AuditRowKey(Self.key(2)).hasMade(row))
        #expect(!own.hasMade(row.with(node: "other")))
        #expect(!own.hasMade(row.with(entry: .sample(9))))
    }

    @Test func `a chain longer than one page of reading is walked to its end`() async throws {
        try fill(2001)
        #expect(try await chain.verify() == .sound(rows: 2001))
        store.tamper { $0[2000] = $0[2000].with(entry: .sample(9)) }
        #expect(try await chain.verify() == .broken(at: 2001))
    }

    @Test func `a record without a time is of now, and one without a subject of the node`() throws {
        enum Event: String, AuditEvent { case done = "test.done" }
        let (account, at) = (AccountID(UUIDBits(high: 1, low: 2)), Instant(seconds: 9))
        for record in [
            AuditRecord(Event.done, of: nil, account: nil, at: at), AuditRecord(Event.done, of: account, detail: "a"),
        ] {
            try chain.append(record, in: Transaction(context: Context()))
        }
        #expect(
            store.all.map(\.entry) == [
                AuditEntry(at: at, event: "test.done", subject: "local", account: nil, detail: nil),
                AuditEntry(
                    at: Instant(seconds: 0),
                    event: "test.done",
                    subject: "\(account)",
                    account: account,
                    detail: "a"
                ),
            ]
        )
    }

    @Test func `each node has a chain of its own`() async throws {
        let other = AuditChain(node: "other", key: Self.key(1), store: store, now: { Instant(seconds: 0) })
        try fill(2)
        try other.append(.sample(1), in: Transaction(context: Context()))
        try fill(1)
        #expect(try await chain.verify() == .sound(rows: 3))
        #expect(try await other.verify() == .sound(rows: 1))
    }

    /// A change of one of the row's fields.
    enum Change: String, CaseIterable, Sendable {
        case at, event, subject, account, noAccount, detail, noDetail, previousHash, hash

        func apply(to row: AuditRow) -> AuditRow {
            let old = row.entry
            switch self {
            case .at: return row.with(entry: entry(old, at: old.at + .milliseconds(1)))
            case .event: return row.with(entry: entry(old, event: "operation.failed"))
            case .subject: return row.with(entry: entry(old, subject: "row 9"))
            case .account: return row.with(entry: entry(old, account: AccountID(UUIDBits(high: 0xB, low: 1))))
            case .noAccount: return row.with(entry: entry(old, account: .some(nil)))
            case .detail: return row.with(entry: entry(old, detail: "approve"))
            case .noDetail: return row.with(entry: entry(old, detail: .some(nil)))
            case .previousHash: return row.with(previousHash: .zero)
            case .hash: return row.with(hash: .zero)
            }
        }

        private func entry(
            _ old: AuditEntry,
            at: Instant? = nil,
            event: String? = nil,
            subject: String? = nil,
            account: AccountID?? = nil,
            detail: String?? = nil
        ) -> AuditEntry {
            AuditEntry(
                at: at ?? old.at,
                event: event ?? old.event,
                subject: subject ?? old.subject,
                account: account ?? old.account,
                detail: detail ?? old.detail
            )
        }
    }

    // T-211
    @Test(arguments: Change.allCases)
    func `attack: a changed field of a row is detected at that row`(_ change: Change) async throws {
        try fill(3)
        store.tamper { $0[1] = change.apply(to: $0[1]) }
        #expect(try await chain.verify() == .broken(at: 2))
    }

    // T-211
    @Test func `attack: an empty detail in place of a missing one is detected`() async throws {
        try append(.sample(1, detail: nil))
        let row = try #require(store.all.first)
        let entry = row.entry
        store.tamper {
            $0[0] = row.with(
                entry: AuditEntry(
                    at: entry.at,
                    event: entry.event,
                    subject: entry.subject,
                    account: entry.account,
                    detail: ""
                )
            )
        }
        #expect(try await chain.verify() == .broken(at: 1))
    }

    // T-211
    @Test func `attack: text moved over the border of two fields is detected`() async throws {
        try append(.sample(1))
        let row = try #require(store.all.first)
        let entry = row.entry
        store.tamper {
            $0[0] = row.with(
                entry: AuditEntry(
                    at: entry.at,
                    event: entry.event + entry.subject.prefix(1),
                    subject: String(entry.subject.dropFirst()),
                    account: entry.account,
                    detail: entry.detail
                )
            )
        }
        #expect(try await chain.verify() == .broken(at: 1))
    }

    // T-213
    @Test func `attack: a removed row is detected at its position`() async throws {
        try fill(4)
        store.tamper { $0.remove(at: 1) }
        #expect(try await chain.verify() == .broken(at: 2))
    }

    // T-213
    @Test func `attack: a removed row with the rest renumbered is detected at its position`() async throws {
        try fill(4)
        store.tamper { rows in
            rows.remove(at: 1)
            rows = rows.enumerated().map { $1.with(number: Int64($0 + 1)) }
        }
        #expect(try await chain.verify() == .broken(at: 2))
    }

    // T-213
    @Test func `attack: two swapped rows are detected at the first of them`() async throws {
        try fill(4)
        store.tamper { rows in
            (rows[1], rows[2]) = (rows[2].with(number: 2), rows[1].with(number: 3))
        }
        #expect(try await chain.verify() == .broken(at: 2))
    }

    // T-213
    @Test(arguments: [0, -7] as [Int64])
    func `attack: a row inserted before the first is detected`(_ number: Int64) async throws {
        try fill(2)
        store.tamper { $0.append($0[0].with(number: number)) }
        #expect(try await chain.verify() == .broken(at: 1))
    }

    // T-213
    @Test func `attack: a row appended after the last is detected`() async throws {
        try fill(2)
        store.tamper { $0.append($0[1].with(number: 3, previousHash: $0[1].hash)) }
        #expect(try await chain.verify() == .broken(at: 3))
    }

    @Test func `attack: a row of another node's chain is detected`() async throws {
        let other = AuditChain(node: "other", key: Self.key(1), store: store, now: { Instant(seconds: 0) })
        try other.append(.sample(1), in: Transaction(context: Context()))
        store.tamper { $0 = $0.map { $0.with(node: "local") } }
        #expect(try await chain.verify() == .broken(at: 1))
    }

    // T-211
    @Test func `attack: a chain rewritten without the key is detected as one of a different key`() async throws {
        let forger = AuditChain(node: "local", key: Self.key(2), store: store, now: { Instant(seconds: 0) })
        for number in 1...3 { try forger.append(.sample(number), in: Transaction(context: Context())) }
        #expect(try await forger.verify() == .sound(rows: 3))
        #expect(try await chain.verify() == .other(.wrongKey))
    }

    private static func key(_ byte: UInt8) -> SymmetricKey { SymmetricKey(data: Array(repeating: byte, count: 32)) }

    private func fill(_ count: Int) throws {
        for number in 1...count { try append(.sample(number)) }
    }

    private func append(_ entry: AuditEntry) throws {
        try chain.append(entry, in: Transaction(context: Context()))
    }
}
