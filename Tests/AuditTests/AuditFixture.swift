import Crypto
import Kernel
import Logging
import Synchronization

@testable import Audit

/// An audit with its checkpoints, in memory, at a time that the test sets.
struct AuditFixture: Sendable {
    let store = MemoryAuditStore()
    let log = MemoryCheckpointLog()
    let signing: TestSigning
    let chain: AuditChain
    private let clock = SetTime()

    init(node: String = "local", key: UInt8 = 1) {
        signing = TestSigning(key: key)
        chain = AuditChain(
            node: node,
            key: SymmetricKey(data: Array(repeating: key, count: 32)),
            store: store,
            now: { [clock] in clock.wall }
        )
    }

    var checkpoints: AuditCheckpoints { checkpoints(interval: .seconds(60)) }

    /// `nodes`: the daemons that share the log, of which this is one.
    func checkpoints(
        interval: Duration = .seconds(60),
        unitOfWork: (any UnitOfWork)? = nil,
        signing: (any CheckpointSigning)? = nil,
        log: (any CheckpointLog)? = nil,
        nodes: any NodeMembership = SingleNode(),
        logger: Logger = Self.silent
    ) -> AuditCheckpoints {
        AuditCheckpoints(
            chain: chain,
            unitOfWork: unitOfWork ?? DirectUnits(),
            signing: signing ?? self.signing,
            log: log ?? self.log,
            rounds: LeaderRounds(every: interval, clock: clock, nodes: nodes),
            logger: logger
        )
    }

    func retention(
        keep: Duration = .seconds(3600),
        batch: Int = 2,
        unitOfWork: (any UnitOfWork)? = nil,
        time: SweepClock? = nil,
        nodes: any NodeMembership = SingleNode()
    )
        -> AuditRetention
    {
        AuditRetention(
            chain: chain,
            checkpoints: CheckpointHistory(signing: signing, log: log),
            unitOfWork: unitOfWork ?? DirectUnits(),
            policy: AuditRetentionPolicy(keep: keep, batch: batch),
            time: time ?? SweepClock(environment, isSupported: { _ in true }, tell: { _, _ in }),
            rounds: LeaderRounds(every: .seconds(60), clock: clock, nodes: nodes),
            logger: Self.silent
        )
    }

    var environment: Environment {
        Environment(now: { [clock] in clock.wall }, clock: clock, randomBytes: { Array(repeating: 0, count: $0) })
    }

    var now: Instant { clock.wall }

    /// Sets the wall clock alone.
    func step(_ duration: Duration) { clock.step(by: duration) }

    /// Lets time pass.
    func pass(_ duration: Duration) { clock.advance(by: duration) }

    /// Rows that are made now, by units of a lane.
    func fill(_ count: Int, lane: Int = 0) throws {
        for _ in 0..<count { try append("operation.redeemed", lane: lane) }
    }

    func append(_ event: String, detail: String? = nil, lane: Int = 0) throws {
        let entry = AuditEntry(at: clock.wall, event: event, subject: "row", account: nil, detail: detail)
        try chain.append(entry, in: Transaction(context: DirectUnits.Context(), lane: lane))
    }

    /// The rows of a chain.
    func rows(_ name: String) -> [AuditRow] { store.all.filter { $0.node == name } }

    /// Rows, and a checkpoint behind them.
    func signed(_ count: Int) async throws {
        try fill(count)
        _ = try await checkpoints.write()
    }

    /// Returns a checkpoint of that row, made now and signed by the server.
    func signed(number: Int64, hash: Digest256, of name: String? = nil) -> String {
        signing.sign(AuditCheckpoint(node: name ?? chain.node, number: number, hash: hash, at: environment.now()))
    }

    /// `lines`: a copy that was kept elsewhere; `nil` takes the log.
    func verify(_ lines: [String]? = nil) async throws -> AuditReport {
        let verifier = AuditVerifier(chain: chain, signing: signing)
        if let lines { return try await verifier.verify(against: lines) }
        return try await verifier.verify(against: log.all) { log.all.count }
    }

    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// Signs with an HMAC instead of a signature; the key tells ours from others.
struct TestSigning: CheckpointSigning {
    let key: UInt8

    func sign(_ checkpoint: AuditCheckpoint) -> String {
        let text =
            "\(checkpoint.node)|\(checkpoint.number)|\(Base64URL.encode(checkpoint.hash.bytes))|"
            + "\(checkpoint.at.milliseconds)"
        return text + "|" + mac(text)
    }

    func read(_ line: String) -> AuditCheckpoint? {
        let parts = line.split(separator: "|").map(String.init)
        guard parts.count == 5, mac(parts[0...3].joined(separator: "|")) == parts[4] else { return nil }
        return readUnverified(line)
    }

    func readUnverified(_ line: String) -> AuditCheckpoint? {
        let parts = line.split(separator: "|").map(String.init)
        guard parts.count == 5, let number = Int64(parts[1]),
            let hash = Base64URL.decode(parts[2]).flatMap({ Digest256($0) }), let at = Int64(parts[3])
        else { return nil }
        return AuditCheckpoint(node: parts[0], number: number, hash: hash, at: Instant(milliseconds: at))
    }

    private func mac(_ text: String) -> String {
        let key = SymmetricKey(data: Array(repeating: key, count: 32))
        return Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)))
    }
}

/// A log in memory that several daemons can share.
final class MemoryCheckpointLog: CheckpointLog {
    private let kept = Mutex<[String]>([])
    /// What other daemons do just before the next lines are appended.
    private let meanwhile = Mutex<[@Sendable () throws -> Void]>([])

    init(_ lines: [String] = []) { tamper { $0 = lines } }

    var all: [String] { kept.withLock { $0 } }

    /// Has another daemon do that just before the next lines are appended.
    func doMeanwhile(_ body: @escaping @Sendable () throws -> Void) { meanwhile.withLock { $0.append(body) } }

    func lines() -> [String] { all }

    func append(_ lines: [String], after size: Int64) throws -> Int64 {
        try meanwhile.withLock { $0.isEmpty ? nil : $0.removeFirst() }?()
        return try kept.withLock { kept in
            guard Self.size(kept) == size else { throw CheckpointRaceError() }
            kept += lines
            return Self.size(kept)
        }
    }

    func append(_ line: String) { kept.withLock { $0.append(line) } }
    func size() -> Int64 { Self.size(all) }
    private static func size(_ lines: [String]) -> Int64 { lines.reduce(0) { $0 + Int64($1.utf8.count) + 1 } }
    func tamper(_ body: (inout [String]) -> Void) { kept.withLock { body(&$0) } }
}

/// Units that are done at once, until `failAfter` of them were.
///
/// The lanes take turns, from the first on.
final class DirectUnits: UnitOfWork {
    final class Context {}

    private let left: Mutex<Int>
    private let lanes: Int
    private let turn = Mutex(0)

    init(failAfter limit: Int = .max, lanes: Int = 1) {
        left = Mutex(limit)
        self.lanes = lanes
    }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        let isLeft = left.withLock { left -> Bool in
            left -= 1
            return left >= 0
        }
        guard isLeft else { throw StoreError.unavailable(cause: "crashed") }
        let lane = turn.withLock { turn -> Int in
            defer { turn += 1 }
            return turn % lanes
        }
        let effects = DurableEffects()
        let value = try body(Transaction(context: Context(), lane: lane, effects: effects))
        effects.run()
        return value
    }
}

/// A clock that is stopped until the test moves it; nobody sleeps in it.
final class SetTime: MonotonicClock {
    private let uptime = Mutex(Uptime(nanoseconds: 0))
    /// The step of the wall clock.
    private let ahead = Mutex(Duration.zero)

    var now: Uptime { uptime.withLock { $0 } }
    var wall: Instant { Instant(seconds: 1_800_000_000) + (now - Uptime(nanoseconds: 0)) + ahead.withLock { $0 } }

    func step(by duration: Duration) { ahead.withLock { $0 += duration } }
    func advance(by duration: Duration) { uptime.withLock { $0 = $0 + duration } }
    func sleep(until deadline: Uptime) async throws { throw CancellationError() }
}
