import Kernel
import Logging
import MemoryStore
import StoreContract
import Testing

@testable import Operations

/// Limits by address and account on several daemons of one database.
struct SharedLimitsTests {
    private let time = VirtualTime()
    private let uses: MemorySharedUses
    private let peers = CountedPeers(3)
    private let disk = MemoryDisk(people: [Harness.person])

    init() { uses = MemorySharedUses(clock: time) }

    private func sharing() -> LimitSharing {
        LimitSharing(KeyedHash(key: Digest256(sha256: "the root")), uses: uses, nodes: peers, clock: time)
    }

    private func limits(_ rates: LimitRates? = LimitRates()) -> Limits { Limits(rates, sharing: sharing(), stripes: 4) }

    /// The engine of one of the daemons, each with randomness of its own.
    private func service(_ seed: UInt64 = 1) -> OperationService {
        let environment = time.environment(seed: seed)
        let storage = disk.open()
        return OperationService(
            environment: environment,
            cache: OperationCache(),
            ports: OperationPorts(
                unitOfWork: storage.unitOfWork,
                store: storage.operations,
                auditLog: storage.auditLog,
                accounts: AccountPorts(
                    subjects: storage.subjects,
                    sessions: storage.sessions,
                    activeSessions: storage.activeSessions,
                    enrolling: storage.enrolling,
                    passkeys: nil
                ),
                encryptor: MirrorEncryptor(),
                nodes: SingleNode(),
                feed: SilentFeed()
            ),
            providers: ScanProviders(
                [ScriptedFaceProvider()],
                login: ScriptedFaceProvider().name,
                failover: [],
                clock: environment.clock
            ),
            cadence: WatchCadence(),
            admission: AdmissionControl(LimitRates(), environment: environment, stripes: 4, sharing: sharing()),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func start(_ service: OperationService, device: Digest256?) async throws {
        let command = BeginOperation(
            email: Harness.person.email,
            policy: OperationSample.policy(),
            codeChallenge: Digest256(sha256: "verifier"),
            deviceProof: DeviceProof(cookies: device.map { [$0] } ?? [])
        )
        _ = try await service.begin(command)
    }

    // T-273
    @Test(arguments: [nil, Digest256(sha256: "a device that is not linked")])
    func `attack: starts for one account that are spread over daemons never exceed the limit of one`(
        _ device: Digest256?
    ) async throws {
        let services = [service(1), service(2), service(3)]
        var begun = 0
        for number in 0..<30 {
            do {
                try await start(services[number % 3], device: device)
                begun += 1
            } catch let refusal as LimitExceededError {
                #expect(refusal.limit == .initiatePerAccount && refusal.retryAfter == .seconds(60))
            }
        }
        #expect(begun == 15 && disk.tables.operations.count == 15)
        // The person's own device can start nevertheless.
        try await start(services[0], device: Harness.deviceCookie)
        #expect(disk.tables.operations.count == 16)
    }

    @Test func `a linked device's start is not counted, and no start without a count begins`() async throws {
        let service = service()
        try await start(service, device: Harness.deviceCookie)
        #expect(uses.statements == 0)
        uses.fail(with: .unavailable(cause: "an outage"))
        for device in [nil, Digest256(sha256: "a device that is not linked")] {
            await #expect(throws: StoreError.unavailable(cause: "an outage")) {
                try await start(service, device: device)
            }
        }
        #expect(disk.tables.operations.count == 1)
        try await start(service, device: Harness.deviceCookie)
    }

    // T-273
    @Test func `attack: mails to one mailbox are five, over all daemons`() async throws {
        let (first, second) = (service(1), service(2))
        var admitted = 0
        for service in [first, second, first, second, first, second, first, second] {
            let mailbox = service.limits.source(ofMailbox: "ada@example.com")
            if try await service.admitCommonProofMail(to: mailbox) == true { admitted += 1 }
        }
        #expect(admitted == 5)
        #expect(uses.statements == 7, "each daemon asks once about a mailbox that is used up, whatever is mailed")
        peers.count = 1
        let alone = service()
        let mailbox = alone.limits.source(ofMailbox: "ada@example.com")
        #expect(try await alone.admitCommonProofMail(to: mailbox) == nil)
        for _ in 0..<5 { #expect(alone.admitProofMailHere(to: mailbox)) }
        #expect(!alone.admitProofMailHere(to: mailbox))
    }

    // T-273
    @Test func `limits of addresses are divided, and cost no statement`() async throws {
        let limits = limits()
        let source = limits.source(of: [192, 0, 2, 1])
        var admitted = (starts: 0, strangers: 0)
        for _ in 0..<300 {
            if try await limits.take(.initiatePerAddress, source) == nil { admitted.starts += 1 }
            if limits.takeHere(.strangersPerAddress, source) == nil { admitted.strangers += 1 }
        }
        #expect(admitted.starts == 100 && admitted.strangers == 66)
        #expect(uses.statements == 0)
    }

    @Test func `polls of unknown ids ask nobody, even under a small limit`() async throws {
        var rates = LimitRates()
        rates.logins.strangersPerAddress = RateLimit(burst: 30, every: .seconds(1))
        let limits = limits(rates)
        let source = limits.source(of: [192, 0, 2, 1])
        var admitted = 0
        for _ in 0..<20 {
            if try await limits.take(.strangersPerAddress, source) == nil { admitted += 1 }
            if limits.takeHere(.strangersPerAddress, source) == nil { admitted += 1 }
        }
        #expect(admitted == 16 && uses.statements == 0, "the least part")
    }

    @Test func `a daemon without others counts as before, and asks nobody`() async throws {
        peers.count = 1
        let limits = limits()
        let source = limits.source(of: [192, 0, 2, 1])
        for _ in 0..<300 { #expect(try await limits.take(.initiatePerAddress, source) == nil) }
        #expect(try await limits.take(.initiatePerAddress, source) == .milliseconds(200))
        for _ in 0..<15 { #expect(try await limits.takeStart(email: "ada@example.com") == nil) }
        #expect(try await limits.takeStart(email: "ada@example.com") == .seconds(60))
        #expect(limits.takeStartHere(email: "ada@example.com")?.wait == .seconds(60))
        #expect(uses.statements == 0)
    }

    @Test func `a source has the same key on every daemon, and one quiets for all`() {
        let (first, second) = (limits(), limits())
        let source = first.source(of: [192, 0, 2, 1])
        #expect(source == second.source(of: [192, 0, 2, 1]))
        let account = OperationSample.account
        #expect(!second.isQuiet(source, client: "app", account: account))
        let key = first.hush(source, client: "app", account: account)
        if let key { second.hush(key: key, for: .seconds(60)) }
        #expect(key != nil && second.isQuiet(source, client: "app", account: account))
        #expect(!second.isQuiet(source, client: "other", account: account))
    }
}
