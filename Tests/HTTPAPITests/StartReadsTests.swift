import Accounts
import Devices
import Kernel
import Operations
import Storage
import Synchronization
import Testing

@testable import Vestibule

/// A start reads as many rows for an address that nobody has as for one that has an account.
struct StartReadsTests {
    @Test(arguments: ["none", "own", "foreign"])
    func `attack: no address is told by the reads that it costs`(_ cookie: String) async throws {
        try await Bench.run { bench in
            _ = try await bench.composition.accounts.disable("bob@example.com")
            let own = Digest256(sha256: "a cookie of Ada's")
            try await link(own, "ada@example.com", bench)
            let cookies: [Digest256] =
                switch cookie {
                case "own": [own]
                case "foreign": [Digest256(sha256: "a stranger's cookie")]
                default: []
                }
            var reads: [String: Int] = [:]
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com", "no address at all@"] {
                let counting = CountingLinkStore()
                let subject = try await subject(email, cookies, counting, bench)
                #expect((subject != nil) == (email == "ada@example.com"), "\(email)")
                reads[email] = counting.reads.withLock { $0 }
            }
            #expect(Set(reads.values) == [cookies.isEmpty ? 0 : 1], "\(reads)")
        }
    }

    private func subject(
        _ email: String,
        _ cookies: [Digest256],
        _ links: CountingLinkStore,
        _ bench: Bench
    ) async throws -> LoginSubject? {
        let unitOfWork = bench.composition.unitOfWork
        let subjects = LoginSubjectsAdapter(
            accounts: SQLiteAccountStore(bench.composition.database),
            devices: DeviceLinks(facts: bench.composition.facts, unitOfWork: unitOfWork, store: links)
        )
        let policy = try bench.settings.clientDirectory.client(named: nil, surface: "bbms")
        let query = SubjectQuery(
            email: email,
            provider: ProviderName("mock"),
            policy: policy,
            deviceCookies: cookies
        )
        return try await unitOfWork.run { try subjects.subject(for: query, in: $0) }
    }

    private func link(_ cookie: Digest256, _ email: String, _ bench: Bench) async throws {
        let now = bench.composition.facts.now()
        let link = DeviceLink(
            device: DeviceID(UUIDBits(high: 0xD, low: 1)),
            account: try await bench.composition.accounts.show(email).account.id,
            client: "bbms",
            cookie: cookie,
            createdAt: now,
            lastSeenAt: now,
            expiresAt: now + .seconds(1000),
            revokedAt: nil
        )
        try await bench.composition.unitOfWork.run { try SQLiteDeviceLinkStore().insert(link, in: $0) }
    }
}

/// The real store, and how often it is read.
private final class CountingLinkStore: DeviceLinkStore {
    let reads = Mutex(0)
    private let store = SQLiteDeviceLinkStore()

    func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try store.insert(link, in: transaction)
    }

    func find(
        cookies: [Digest256],
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        reads.withLock { $0 += 1 }
        return try store.find(cookies: cookies, account: account, client: client, in: transaction)
    }

    func find(_ device: DeviceID, account: AccountID, in transaction: borrowing Transaction) throws -> DeviceLink? {
        reads.withLock { $0 += 1 }
        return try store.find(device, account: account, in: transaction)
    }

    func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try store.prolong(link, in: transaction)
    }

    func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        try store.purge(endedBefore: instant, limit: limit, in: transaction)
    }
}
