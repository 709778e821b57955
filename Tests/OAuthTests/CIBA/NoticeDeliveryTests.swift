import Kernel
import Logging
import MemoryStore
import Testing

@testable import OAuth

/// Tests the delivery of pings and pushes (CIBA Core §10.2, §10.3).
struct NoticeDeliveryTests {
    private static let token = "0123456789abcdefghijkl"

    private let harness = BackchannelHarness()
    private let store = MemoryBackchannelStore()
    private let endpoint = ScriptedEndpoint()
    private let results = ScriptedResults()
    private let service: BackchannelService
    private let worker: DeliveryWorker<NoticeDelivery>

    init() {
        service = BackchannelService(
            environment: harness.environment,
            store: store,
            marks: MemoryUsedMarkStore(),
            encryptor: MirrorEncryptor(),
            policy: BackchannelPolicy()
        )
        worker = DeliveryWorker(
            NoticeDelivery(
                service,
                unitOfWork: store,
                sender: endpoint,
                results: results,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ),
            policy: .notices,
            environment: harness.environment
        )
    }

    /// A request whose operation has just been decided.
    private func decided(
        _ delivery: OAuthClient.Backchannel.Delivery,
        of client: String = "bank"
    ) async throws -> BackchannelDraft {
        let request = BackchannelRequest(
            access: RequestedAccess(clientID: client, scopes: ScopeSet(["openid"]), resources: []),
            hint: .email("a@example.com"),
            bindingMessage: nil,
            contextClass: nil,
            notificationToken: Secret(Self.token),
            lifetime: .seconds(180)
        )
        let draft = try service.draft(request, of: harness.client(client, delivery: delivery).client)
        try service.open(draft)
        let service = service
        try await store.run { transaction in
            try service.keep(draft, in: transaction)
            try service.noteDecided(draft.record.operation, in: transaction)
        }
        return draft
    }

    /// Advances the clock until the queue is empty.
    private func settle(within limit: Duration = .seconds(600)) async {
        let end = harness.time.now + limit
        while harness.time.now < end {
            _ = await worker.deliverDue()
            harness.time.advance(by: .milliseconds(250))
        }
    }

    // T-185
    @Test func `a ping names the request, once, and shows the client's token`() async throws {
        let draft = try await decided(.ping)
        await settle()
        let notice = try #require(endpoint.sent.first)
        #expect(endpoint.sent.count == 1)
        #expect(notice.endpoint == "https://bank.example.com/cb")
        #expect(notice.token == Secret(Self.token))
        #expect(String(decoding: notice.body, as: UTF8.self) == "{\"auth_req_id\":\"\(draft.authReqID.expose())\"}")
        #expect(results.acknowledged.isEmpty)
        #expect(try #require(store.record(draft.record.id)).callback == nil, "its secrets are erased")
    }

    @Test func `a push carries the result, and is noted as taken`() async throws {
        let draft = try await decided(.push)
        await settle()
        #expect(endpoint.sent.map(\.body) == [Array("tokens".utf8)])
        #expect(results.acknowledged == [draft.record.id])
    }

    // T-186, O-102
    @Test(arguments: [OAuthClient.Backchannel.Delivery.ping, .push])
    func `a failed notice is tried again, at growing intervals, until it expires`(
        delivery: OAuthClient.Backchannel.Delivery
    ) async throws {
        _ = try await decided(delivery)
        endpoint.answer(.failed("HTTP 503"))
        await settle()
        let tries = endpoint.sent.count
        #expect((8...20).contains(tries), "\(tries)")
        #expect(Set(endpoint.sent.map(\.body)).count == 1, "the same each time")
        #expect(results.acknowledged.isEmpty)
        endpoint.answer(.delivered)
        await settle()
        #expect(endpoint.sent.count == tries, "it was given up")
    }

    @Test func `an endpoint that comes back gets its notice`() async throws {
        _ = try await decided(.ping)
        endpoint.answer(.failed("no connection"))
        await settle(within: .seconds(5))
        endpoint.answer(.delivered)
        await settle()
        let tries = endpoint.sent.count
        await settle()
        #expect(tries >= 2 && endpoint.sent.count == tries)
    }

    // T-186, O-102
    @Test func `a notice that an endpoint refused is not sent to it again`() async throws {
        _ = try await decided(.push)
        endpoint.answer(.refused("HTTP 401"))
        await settle()
        #expect(endpoint.sent.count == 1)
        #expect(results.acknowledged.isEmpty)
    }

    @Test func `a push without a result is not sent`() async throws {
        results.say(nil)
        _ = try await decided(.push)
        await settle()
        #expect(endpoint.sent.isEmpty)
    }

    @Test func `a notice outlasts an outage of the store, and a restart`() async throws {
        let draft = try await decided(.ping)
        store.isDown = true
        _ = await worker.deliverDue()
        #expect(endpoint.sent.isEmpty)
        store.isDown = false
        harness.time.advance(by: .seconds(2))
        let restarted = DeliveryWorker(worker.queue, policy: .notices, environment: harness.environment)
        #expect(await restarted.deliverDue() == 1)
        #expect(endpoint.sent.count == 1)
        #expect(try #require(store.record(draft.record.id)).callback == nil)
    }

    // T-186
    /// CIBA Core §10.2: the endpoint is the client's, which may let it hang.
    @Test(.timeLimit(.minutes(5)))
    func `attack: a client whose notification endpoint hangs does not delay other clients' notices`()
        async throws
    {
        for _ in 0..<40 { _ = try await decided(.ping, of: "hangs") }
        for _ in 0..<3 { _ = try await decided(.ping) }
        endpoint.hang("https://hangs.example.com/cb")
        await withDiscardingTaskGroup { [worker, endpoint] group in
            group.addTask { _ = await worker.deliverDue() }
            await wait { endpoint.hangingCount == DeliveryPolicy.notices.concurrencyPerGroup }
            // While those hang, all others go out.
            while endpoint.sent.count(where: { $0.endpoint == "https://bank.example.com/cb" }) < 3 {
                _ = await worker.deliverDue()
                await Task.yield()
            }
            #expect(endpoint.hangingCount == DeliveryPolicy.notices.concurrencyPerGroup)
            endpoint.letGo()
        }
        await settle()
        #expect(endpoint.sent.count == 43)
    }

    @Test func `of two workers one delivers each notice`() async throws {
        for _ in 0..<12 { _ = try await decided(.ping) }
        async let first = worker.deliverDue()
        async let second = worker.deliverDue()
        let counts = await [first, second]
        await settle()
        #expect(counts.reduce(0, +) <= 12)
        #expect(endpoint.sent.count == 12)
        #expect(Set(endpoint.sent.map(\.body)).count == 12)
    }

    @Test func `the delays double up to a cap, with full jitter`() {
        let schedule = DeliveryPolicy.notices.retries
        let longest = (1...8).map { schedule.delay(after: $0, jitter: 1) }
        #expect(longest == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        #expect(schedule.delay(after: 4, jitter: 0.5) == .seconds(4))
        #expect(schedule.delay(after: 9, jitter: 0) == .milliseconds(250), "never at once")
    }
}
