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
            var reads: [String: Reads] = [:]
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com", "no address at all@"] {
                let links = CountingLinkStore()
                let accounts = CountingAccountStore(SQLiteAccountStore(bench.composition.database))
                let subject = try await subject(email, cookies, accounts, links, bench)
                #expect((subject != nil) == (email == "ada@example.com"), "\(email)")
                reads[email] = Reads(accounts: accounts.reads.withLock { $0 }, links: links.reads.withLock { $0 })
            }
            #expect(Set(reads.values) == [Reads(accounts: 1, links: cookies.isEmpty ? 0 : 1)], "\(reads)")
        }
    }

    private struct Reads: Hashable {
        let accounts: Int
        let links: Int
    }

    private func subject(
        _ email: String,
        _ cookies: [Digest256],
        _ accounts: CountingAccountStore,
        _ links: CountingLinkStore,
        _ bench: Bench
    ) async throws -> LoginSubject? {
        let unitOfWork = bench.composition.unitOfWork
        let subjects = LoginSubjectsAdapter(
            accounts: accounts,
            devices: DeviceLinks(facts: bench.composition.facts, unitOfWork: unitOfWork, store: links),
            registered: RegisteredDevices(
                facts: bench.composition.facts,
                store: bench.composition.registeredDevices
            )
        )
        let policy = try bench.settings.clientDirectory.client(named: nil, surface: "bbms")
        let query = SubjectQuery(
            email: email,
            provider: ProviderName("mock"),
            policy: policy,
            deviceCookies: cookies
        )
        return try await unitOfWork.run { try subjects.subject(for: query, in: $0).subject }
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

/// The real store of accounts, and how often it is read.
private final class CountingAccountStore: AccountStore {
    let reads = Mutex(0)
    private let store: SQLiteAccountStore

    init(_ store: SQLiteAccountStore) { self.store = store }

    func insert(_ record: AccountRecord, in transaction: borrowing Transaction) throws {
        try store.insert(record, in: transaction)
    }

    func find(_ id: AccountID) async throws -> AccountRecord? {
        reads.withLock { $0 += 1 }
        return try await store.find(id)
    }

    func find(email: EmailAddress) async throws -> AccountRecord? {
        reads.withLock { $0 += 1 }
        return try await store.find(email: email)
    }

    func list(limit: Int) async throws -> [AccountRecord] {
        reads.withLock { $0 += 1 }
        return try await store.list(limit: limit)
    }

    func profile(_ id: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        reads.withLock { $0 += 1 }
        return try store.profile(id, in: transaction)
    }

    func candidate(
        email: EmailAddress,
        provider: String,
        in transaction: borrowing Transaction
    ) throws -> LoginCandidate? {
        reads.withLock { $0 += 1 }
        return try store.candidate(email: email, provider: provider, in: transaction)
    }

    func setState(_ state: Account.State, of id: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try store.setState(state, of: id, in: transaction)
    }
}

/// The real store of device links, and how often it is read.
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

    func revoke(
        _ device: DeviceID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try store.revoke(device, of: account, at: now, in: transaction)
    }

    func purge(endedBefore instant: Instant, limit: Int, in transaction: borrowing Transaction) throws -> Int {
        try store.purge(endedBefore: instant, limit: limit, in: transaction)
    }
}
