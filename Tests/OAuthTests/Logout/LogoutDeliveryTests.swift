import Kernel
import Logging
import MemoryStore
import StoreContract
import Synchronization
import Testing

@testable import OAuth

/// Tests the queue and the delivery of logout notices (OpenID Connect Back-Channel Logout 1.0 §2.5).
struct LogoutDeliveryTests {
    private let time = VirtualTime()
    private let disk = MemoryDisk()
    private let storage: MemoryStorage
    private let endpoint = ScriptedLogoutEndpoint()
    private let directory: OAuthClientDirectory
    private let notices: LogoutNotices
    private let worker: DeliveryWorker<LogoutDelivery>

    init() {
        storage = disk.open()
        var bank = ClientHarness.client("bank", .none)
        bank.tokens.logout = LogoutEndpoint(uri: "https://bank.example.com/logout")
        var shop = bank
        shop.id = "shop"
        shop.tokens.logout?.uri = "https://shop.example.com/logout"
        directory = OAuthClientDirectory(configured: [bank, shop, ClientHarness.client("mute", .none)])
        notices = LogoutNotices(
            directory: directory,
            store: storage.logoutNotices,
            environment: time.environment()
        )
        worker = Self.worker(notices, storage, endpoint, time)
    }

    private static func worker(
        _ notices: LogoutNotices,
        _ storage: MemoryStorage,
        _ endpoint: ScriptedLogoutEndpoint,
        _ time: VirtualTime
    ) -> DeliveryWorker<LogoutDelivery> {
        let delivery = LogoutDelivery(
            notices,
            unitOfWork: storage.unitOfWork,
            auditLog: storage.auditLog,
            sender: endpoint,
            clock: time,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { notice, algorithm in Secret("\(notice.session) \(algorithm?.rawValue ?? "-")") }
        return DeliveryWorker(delivery, policy: .logouts, environment: time.environment())
    }

    @Test(arguments: LogoutNoticeStoreContract.allCases)
    func `the memory store keeps the contract`(_ promise: LogoutNoticeStoreContract) async throws {
        try await promise.check(over: storage.logoutNotices, storage.unitOfWork)
    }

    @Test(arguments: NoticePagingContract.allCases)
    func `the memory store pages notices by the contract`(_ promise: NoticePagingContract) async throws {
        try await promise.check(over: storage.logoutNotices, storage.unitOfWork)
    }

    private static let account = AccountID(UUIDBits(high: 0xA, low: 1))

    private static func session(_ number: UInt64) -> SessionID { SessionID(UUIDBits(high: 0x5, low: number)) }

    private func end(_ numbers: [UInt64], of client: String = "bank") async throws {
        let notices = notices
        try await storage.unitOfWork.run { transaction in
            try notices.queue(
                numbers.map { (session: Self.session($0), client: client) },
                of: Self.account,
                in: transaction
            )
        }
    }

    /// Delivers what is due, again and again, for that long.
    private func settle(within limit: Duration) async {
        let end = time.now + limit
        while time.now < end {
            while await worker.deliverDue() > 0 {}
            time.advance(by: .seconds(1))
        }
    }

    private func state() async throws -> NoticeQueueState {
        try await storage.unitOfWork.run { [store = storage.logoutNotices] in try store.state(upTo: 99, in: $0) }
    }

    private var audited: [AuditRecord] { disk.tables.auditLog }

    @Test func `a client with an endpoint is told of each session that ends, once, and others are not`() async throws {
        try await end([1, 2])
        try await end([3], of: "mute")
        try await end([4], of: "gone")
        await settle(within: .seconds(60))
        #expect(Set(endpoint.sent.map(\.endpoint)) == ["https://bank.example.com/logout"])
        #expect(Set(endpoint.sent.map(\.token)) == ["\(Self.session(1)) -", "\(Self.session(2)) -"])
        #expect(endpoint.sent.count == 2)
        #expect(try await state().waiting == 0)
        #expect(worker.queue.counts[.delivered] == 2)
    }

    @Test func `a notice is queued with the end of the session, or not at all`() async throws {
        let notices = notices
        await #expect(throws: CancellationError.self) {
            try await storage.unitOfWork.run { transaction in
                try notices.queue([(session: Self.session(1), client: "bank")], of: Self.account, in: transaction)
                throw CancellationError()
            }
        }
        await settle(within: .seconds(60))
        #expect(endpoint.sent.isEmpty)
    }

    // O-122
    @Test func `a failed notice is tried again at growing intervals for a day, and then given up on record`()
        async throws
    {
        endpoint.answer(.failed("HTTP 503"))
        try await end([1])
        await settle(within: .seconds(60))
        let early = endpoint.sent.count
        #expect(early >= 3)
        for _ in 0..<2000 {
            time.advance(by: .seconds(60))
            _ = await worker.deliverDue()
        }
        #expect((early + 5...DeliveryPolicy.logouts.retries.maxAttempts).contains(endpoint.sent.count))
        #expect(Set(endpoint.sent.map(\.token)).count == 1)
        #expect(try await state().waiting == 0)
        #expect(worker.queue.counts[.expired] == 1)
        let record = try #require(audited.first)
        #expect(record.event == "logout.undelivered" && record.subject == Self.session(1).description)
        #expect(record.account == Self.account)
        #expect(record.detail?.hasPrefix("bank: given up after") == true && record.detail?.contains("HTTP 503") == true)
        endpoint.answer(.delivered)
        await settle(within: .seconds(60))
        #expect(worker.queue.counts[.delivered] == 0, "it was given up")
    }

    @Test func `a notice that the client refused is not sent to it again, and is on record`() async throws {
        endpoint.answer(.refused("HTTP 400"))
        try await end([1])
        await settle(within: .seconds(600))
        #expect(endpoint.sent.count == 1)
        #expect(audited.map(\.detail) == ["bank: HTTP 400"])
        #expect(worker.queue.counts[.refused] == 1)
    }

    @Test func `an endpoint that comes back gets its notice, also after a restart`() async throws {
        endpoint.answer(.failed("no connection"))
        try await end([1])
        await settle(within: .seconds(5))
        endpoint.answer(.delivered)
        time.advance(by: .seconds(60))
        let restarted = Self.worker(notices, storage, endpoint, time)
        #expect(await restarted.deliverDue() == 1)
        #expect(endpoint.sent.count >= 2 && restarted.queue.counts[.delivered] == 1)
        #expect(try await state().waiting == 0)
    }

    @Test func `two daemons send a notice once`() async throws {
        try await end(Array(1...12))
        let other = Self.worker(notices, storage, endpoint, time)
        await withDiscardingTaskGroup { [worker] group in
            for _ in 0..<8 {
                group.addTask { _ = await worker.deliverDue() }
                group.addTask { _ = await other.deliverDue() }
            }
        }
        await settle(within: .seconds(5))
        #expect(endpoint.sent.count == 12 && Set(endpoint.sent.map(\.token)).count == 12)
    }

    @Test func `a changed endpoint counts for what is queued, and one that was taken away ends it`() async throws {
        var added = ClientHarness.client("web", .none)
        added.tokens.logout = LogoutEndpoint(uri: "https://old.example.com/logout")
        added.tokens.identityAlgorithm = .rs256
        directory.put(added, as: directory.nextChange())
        endpoint.answer(.failed("no connection"))
        try await end([1, 2], of: "web")
        await settle(within: .seconds(3))
        added.tokens.logout?.uri = "https://new.example.com/logout"
        directory.put(added, as: directory.nextChange())
        let before = endpoint.sent.count
        await settle(within: .seconds(60))
        #expect(Set(endpoint.sent[before...].map(\.endpoint)) == ["https://new.example.com/logout"])
        #expect(endpoint.sent.allSatisfy { $0.token.hasSuffix(" RS256") })
        added.tokens.logout = nil
        directory.put(added, as: directory.nextChange())
        await settle(within: .seconds(300))
        #expect(try await state().waiting == 0)
        #expect(audited.count == 2)
    }

    @Test func `a client that was removed meanwhile is told at the endpoint that it had`() async throws {
        var added = ClientHarness.client("web", .none)
        added.tokens.logout = LogoutEndpoint(uri: "https://old.example.com/logout")
        directory.put(added, as: directory.nextChange())
        try await end([1], of: "web")
        directory.replace([], readAfter: directory.appliedCount)
        #expect(directory.client("web") == nil)
        await settle(within: .seconds(5))
        #expect(endpoint.sent.map(\.endpoint) == ["https://old.example.com/logout"])
    }

    @Test(.timeLimit(.minutes(5)))
    func `attack: a client whose endpoint hangs does not delay other clients' notices`() async throws {
        try await end(Array(1...40))
        try await end([101, 102], of: "shop")
        endpoint.hang("https://bank.example.com/logout")
        await withDiscardingTaskGroup { [worker, endpoint] group in
            group.addTask { _ = await worker.deliverDue() }
            while endpoint.sent.count(where: { $0.endpoint == "https://shop.example.com/logout" }) < 2 {
                await Task.yield()
            }
            #expect(endpoint.hangingCount <= DeliveryPolicy.logouts.concurrencyPerGroup)
            endpoint.letGo()
        }
        await settle(within: .seconds(60))
        #expect(endpoint.sent.count == 42)
    }

    // T-186
    @Test(.timeLimit(.minutes(1)))
    func `attack: dead endpoints of many clients leave half of the places to the others`() async throws {
        let dead = (1...20).map { "dead\($0)" }
        for id in dead {
            var client = ClientHarness.client(id, .none)
            client.tokens.logout = LogoutEndpoint(uri: "https://dead.example.com/\(id)")
            directory.put(client, as: directory.nextChange())
        }
        endpoint.answer(.failed("no connection"))
        for (number, id) in dead.enumerated() { try await end([1000 + UInt64(number)], of: id) }
        while await worker.deliverDue() > 0 {}
        endpoint.answer(.delivered)
        endpoint.hang("https://dead.example.com/")
        for (number, id) in dead.enumerated() { try await end([2000 + UInt64(number)], of: id) }
        try await end([3000, 3001], of: "shop")
        await withDiscardingTaskGroup { [worker, endpoint] group in
            group.addTask { _ = await worker.deliverDue() }
            while endpoint.sent.count(where: { $0.endpoint == "https://shop.example.com/logout" }) < 2 {
                await Task.yield()
            }
            #expect(endpoint.hangingCount <= DeliveryPolicy.logouts.concurrency / 2)
            endpoint.letGo()
        }
    }

    @Test func `a client whose notices expired gets its next ones as a healthy client does`() async throws {
        endpoint.answer(.failed("no connection"))
        try await end([1])
        #expect(await worker.deliverDue() == 1)
        try await end([2, 3])
        #expect(await worker.deliverDue() == 1, "one at a time of a failing client")
        time.advance(by: .seconds(2 * 86_400))
        let sent = endpoint.sent.count
        while await worker.deliverDue() > 0 {}
        #expect(worker.queue.counts[.expired] == 3 && endpoint.sent.count == sent)
        try await end([4, 5])
        #expect(await worker.deliverDue() == DeliveryPolicy.logouts.concurrencyPerGroup)
    }

    @Test func `the queue's length and age are known`() async throws {
        endpoint.answer(.failed("no connection"))
        try await end([1])
        time.advance(by: .seconds(30))
        try await end([2], of: "shop")
        _ = await worker.deliverDue()
        #expect(worker.queue.counts.queue.waiting == 2)
        let oldest = try #require(worker.queue.counts.queue.oldest)
        #expect(time.environment().now() - oldest == .seconds(30))
        let state = try await notices.state(of: "bank", storage.unitOfWork)
        #expect(state.waiting == 1 && state.failure == "no connection")
    }
}

/// Clients' endpoints that answer as a test says.
final class ScriptedLogoutEndpoint: LogoutSending {
    private struct State {
        var outcome = DeliveryOutcome<String>.delivered
        var sent: [(token: String, endpoint: String)] = []
        var hanging: String?
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var sent: [(token: String, endpoint: String)] { state.withLock(\.sent) }
    var hangingCount: Int { state.withLock(\.held.count) }

    func answer(_ outcome: DeliveryOutcome<String>) { state.withLock { $0.outcome = outcome } }

    /// Keeps callers of endpoints that begin so waiting until ``letGo()``.
    func hang(_ endpoint: String) { state.withLock { $0.hanging = endpoint } }

    func letGo() {
        let held = state.withLock { state in
            state.hanging = nil
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(_ token: Secret, to endpoint: String) async -> DeliveryOutcome<String> {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.sent.append((token.expose(), endpoint))
                guard let hanging = state.hanging, endpoint.hasPrefix(hanging) else { return false }
                state.held.append(continuation)
                return true
            }
            if !isHeld { continuation.resume() }
        }
        return state.withLock(\.outcome)
    }
}
