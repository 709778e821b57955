import Kernel
import Logging
import MemoryStore
import StoreContract
import Testing

@testable import OAuth

/// Tests storing and finding backchannel requests.
struct BackchannelServiceTests {
    private let harness = BackchannelHarness()
    private let store = MemoryBackchannelStore()

    @Test(arguments: BackchannelStoreContract.allCases)
    func `the memory store keeps the contract`(_ promise: BackchannelStoreContract) async throws {
        try await promise.check(over: store, purge: MemoryExpiringRows.backchannelRequests.purge, store)
    }

    @Test(arguments: NoticePagingContract.allCases)
    func `the memory store pages notices by the contract`(_ promise: NoticePagingContract) async throws {
        try await promise.check(over: store, store)
    }

    private func service(
        _ cache: BackchannelCache = BackchannelCache(),
        isShared: Bool = false
    ) -> BackchannelService {
        BackchannelService(
            environment: harness.environment,
            cache: cache,
            store: store,
            marks: MemoryUsedMarkStore(),
            encryptor: MirrorEncryptor(),
            policy: BackchannelPolicy(),
            isShared: isShared
        )
    }

    private func request(_ token: String? = nil) -> BackchannelRequest {
        BackchannelRequest(
            access: RequestedAccess(clientID: "bank", scopes: ScopeSet(["openid"]), resources: []),
            hint: .email("a@example.com"),
            bindingMessage: nil,
            contextClass: nil,
            notificationToken: token.map { Secret($0) },
            lifetime: .seconds(180)
        )
    }

    private func begin(
        _ service: BackchannelService,
        of authenticated: AuthenticatedClient,
        token: String? = nil
    ) async throws -> BackchannelDraft {
        let draft = try service.draft(request(token), of: authenticated.client)
        try service.open(draft)
        try await store.run { try service.keep(draft, in: $0) }
        return draft
    }

    private func refusal(
        of id: String,
        by client: AuthenticatedClient,
        at service: BackchannelService
    ) async throws -> OAuthErrorCode? {
        do {
            _ = try await service.find(id, of: client)
            return nil
        } catch let error as OAuthError { return error.code }
    }

    // O-097
    @Test func `the id has 256 bits, and only its digest is kept`() async throws {
        let draft = try await begin(service(), of: harness.client(delivery: .ping), token: "0123456789abcdefghijkl")
        #expect(draft.authReqID.expose().utf8.count == 43)
        let kept = try #require(store.record(Digest256(sha256: draft.authReqID.expose())))
        let text = "\(kept)"
        #expect(!text.contains(draft.authReqID.expose()))
        let encrypted = try #require(kept.callback).encrypted
        #expect(!String(decoding: encrypted, as: UTF8.self).contains("0123456789abcdefghijkl"))
    }

    // O-097
    @Test func `the client that began a request finds it, and nobody else does`() async throws {
        let service = service()
        let client = harness.client()
        let draft = try await begin(service, of: client)
        let found = try await service.find(draft.authReqID.expose(), of: client)
        #expect(found.id == draft.record.id && found.operation == draft.record.operation)
        let id = draft.authReqID.expose()
        #expect(try await refusal(of: id, by: harness.client("shop"), at: service) == .invalidGrant)
        #expect(try await refusal(of: id, by: harness.client(method: .none), at: service) == .unauthorizedClient)
        #expect(try await refusal(of: String(id.dropLast()), by: client, at: service) == .invalidGrant)
        #expect(try await refusal(of: String(repeating: "A", count: 9999), by: client, at: service) == .invalidGrant)
    }

    @Test func `a push client that polls is refused, also after its registration became poll`() async throws {
        let service = service()
        let client = harness.client(delivery: .push)
        let draft = try await begin(service, of: client, token: "0123456789abcdefghijkl")
        #expect(try await refusal(of: draft.authReqID.expose(), by: client, at: service) == .unauthorizedClient)
        // Its registration was changed meanwhile; what was promised to be pushed is.
        #expect(
            try await refusal(of: draft.authReqID.expose(), by: harness.client(delivery: .poll), at: service)
                == .unauthorizedClient
        )
    }

    @Test func `the proof differs between requests and between clients`() {
        let (one, two) = (Digest256(sha256: "1"), Digest256(sha256: "2"))
        let proofs = [
            PendingBackchannel.proof(one, "bank"), PendingBackchannel.proof(two, "bank"),
            PendingBackchannel.proof(one, "shop"),
        ]
        #expect(Set(proofs).count == 3)
    }

    // T-186
    @Test func `requests are found again after a restart, and forgotten when their time is over`() async throws {
        let client = harness.client()
        let draft = try await begin(service(), of: client)
        let restarted = service()
        #expect(try await refusal(of: draft.authReqID.expose(), by: client, at: restarted) == .invalidGrant)
        try await restarted.restore()
        #expect(try await refusal(of: draft.authReqID.expose(), by: client, at: restarted) == nil)
        restarted.cache.sweep(at: draft.record.keptUntil - .milliseconds(1))
        #expect(restarted.cache.count == 1)
        restarted.cache.sweep(at: draft.record.keptUntil)
        #expect(restarted.cache.count == 0)
        harness.time.advance(by: .seconds(86_400))
        let later = service()
        try await later.restore()
        #expect(later.cache.count == 0)
    }

    // T-186
    @Test func `attack: backchannel requests beyond the cache's capacity are refused and leave nothing`() throws {
        let service = service(BackchannelCache(capacity: 64, shardCount: 1))
        let drafts = try (0..<64).map { _ in try service.draft(request(), of: harness.client().client) }
        for draft in drafts { try service.open(draft) }
        let last = try service.draft(request(), of: harness.client().client)
        #expect(throws: OAuthError.self) { try service.open(last) }
        service.drop(drafts[0])
        try service.open(last)
        #expect(service.cache.count == 64)
    }

    @Test func `a hundred thousand open requests take no longer to be found`() throws {
        let cache = BackchannelCache()
        let record = try service(cache).draft(request(), of: harness.client().client).record
        for number in 0..<100_000 {
            let other = BackchannelRecord(
                id: Digest256(sha256: "\(number)"),
                operation: OperationRowID(UUIDBits(high: 1, low: UInt64(number))),
                access: record.access,
                delivery: .poll,
                interval: record.interval,
                callback: nil,
                createdAt: record.createdAt,
                keptUntil: record.keptUntil
            )
            #expect(cache.put(PendingBackchannel(other)))
        }
        #expect(cache.count == 100_000)
        #expect(cache.find(Digest256(sha256: "77777"))?.operation.bits.low == 77_777)
    }

    @Test func `a decision queues a notice for those that are sent one, once, and with the step that it is about`()
        async throws
    {
        struct RolledBackError: Error {}
        let service = service()
        let polls = try await begin(service, of: harness.client())
        let pings = try await begin(service, of: harness.client(delivery: .ping), token: "0123456789abcdefghijkl")
        await #expect(throws: RolledBackError.self) {
            try await store.run { transaction in
                try service.noteDecided(pings.record.operation, in: transaction)
                throw RolledBackError()
            }
        }
        let now = harness.time.wall
        let lease = DeliveryLease(token: UUIDBits(high: 0, low: 1), until: now + .seconds(60))
        let undone = try await store.run {
            try store.claim(lease, capacity: DeliveryCapacity(inAll: 9, perGroup: 9), at: now, in: $0)
        }
        #expect(undone.isEmpty)
        try await store.run { transaction in
            for draft in [polls, pings, pings] { try service.noteDecided(draft.record.operation, in: transaction) }
            try service.noteDecided(OperationRowID(UUIDBits(high: 9, low: 9)), in: transaction)
        }
        let queued = try await store.run {
            try store.claim(lease, capacity: DeliveryCapacity(inAll: 9, perGroup: 9), at: now, in: $0)
        }
        #expect(queued.map(\.request.id) == [pings.record.id])
    }

    @Test func `a request of another daemon is found here, its notice is queued, and no client finds another's`()
        async throws
    {
        let (client, other) = (harness.client(delivery: .ping), harness.client("other"))
        let draft = try await begin(service(), of: client, token: "0123456789abcdefghijkl")
        let id = draft.authReqID.expose()
        let here = service(isShared: true)
        #expect(try await refusal(of: id, by: other, at: here) == .invalidGrant)
        let found = try await here.find(id, of: client)
        #expect(found.operation == draft.record.operation)
        // Paced from one poll to the next.
        #expect(try await here.find(id, of: client) === found)
        #expect(try await refusal(of: "no id", by: client, at: here) == .invalidGrant)
        // A daemon that knows of no other reads nothing.
        #expect(try await refusal(of: id, by: client, at: service()) == .invalidGrant)
        let fresh = service(isShared: true)
        try await store.run { transaction in
            try fresh.noteDecided(draft.record.operation, in: transaction)
            try fresh.noteDecided(OperationRowID(UUIDBits(high: 9, low: 9)), in: transaction)
        }
        let now = harness.time.wall
        let lease = DeliveryLease(token: UUIDBits(high: 0, low: 1), until: now + .seconds(60))
        let queued = try await store.run {
            try store.claim(lease, capacity: DeliveryCapacity(inAll: 9, perGroup: 9), at: now, in: $0)
        }
        #expect(queued.map(\.request.id) == [draft.record.id])
    }
}
