import Crypto
import Kernel
import Testing

@testable import Audit

/// Searching the audit without an index.
struct AuditSearchTests {
    private final class Context {}

    private static let start = Instant(seconds: 1_800_000_000)

    private let store = MemoryAuditStore()
    private let chain: AuditChain

    init() {
        chain = AuditChain(
            node: "local",
            key: SymmetricKey(size: .bits256),
            store: store,
            now: { Instant(seconds: 0) }
        )
    }

    private func fill(_ count: Int64, everySeconds step: Int64 = 60) throws {
        for number in 1...count {
            let entry = AuditEntry(
                at: Self.start + .seconds(number * step),
                event: "test.done",
                subject: "s\(number % 7)",
                account: nil,
                detail: nil
            )
            try chain.append(entry, in: Transaction(context: Context()))
        }
    }

    @Test func `rows of a time are found among many, the last first`() async throws {
        try fill(1000)
        for number in [1, 7, 500, 994, 1000] as [Int64] {
            let at = Self.start + .seconds(number * 60)
            let filter = AuditFilter(since: at, until: at)
            #expect(try await chain.search(filter, limit: 9).map(\.number) == [number])
        }
        var filter = AuditFilter(subject: "s3")
        filter.since = Self.start + .seconds(60 * 100)
        filter.until = Self.start + .seconds(60 * 120)
        #expect(try await chain.search(filter, limit: 9).map(\.number) == [115, 108, 101])
        #expect(try await chain.search(filter, limit: 2).map(\.number) == [115, 108])
    }

    @Test func `nothing is found in an empty audit, before the first row or after the last`() async throws {
        #expect(try await chain.search(AuditFilter(), limit: 9).isEmpty)
        try fill(10)
        #expect(try await chain.search(AuditFilter(until: Self.start), limit: 9).isEmpty)
        #expect(try await chain.search(AuditFilter(since: Self.start + .seconds(9999)), limit: 9).isEmpty)
    }
}
