import Audit
import Kernel
import Logging
import MemoryStore
import Synchronization
import Testing
import TokenReading
import Tokens

@testable import Admin
@testable import Assembly

/// Keys change whether or not the audit can be written; their changes get there later, with the time of the change.
struct KeyAuditLogTests {
    // T-267
    @Test func `a rotation by the operator is answered as done while the audit waits, and has its own time in it`()
        async throws
    {
        try await Harness.run { harness in
            let scene = Scene(harness)
            let next = scene.keys.snapshot.keys[1].id.text
            let changed = harness.time.wall
            scene.store.fails(true)
            let rotated = try await scene.services.execute(RotateKeys(unannounced: true))
            #expect(rotated.first?.kid == next && rotated.first?.state == "active")
            let none = try await scene.rows()
            #expect(none.isEmpty)
            let line = try #require(harness.log.lines.first { $0.message.contains("not in the audit yet") })
            #expect(line.level == .error && line.metadata["changes"]?.contains("keys.rotated \(next)") == true)

            harness.time.advance(by: .seconds(90))
            await scene.rotation.advance()
            let still = try await scene.rows()
            #expect(still.isEmpty, "it fails for the daemon's round as well")
            scene.store.fails(false)
            await scene.rotation.advance()
            await scene.rotation.advance()
            let row = AuditEntry(at: changed, event: "keys.rotated", subject: next, account: nil, detail: nil)
            let rows = try await scene.rows()
            #expect(rows == [row], "once, with the time of the change")
        }
    }

    // T-267
    @Test func `a key that is retired while the audit can't be written is retired once`() async throws {
        try await Harness.run { harness in
            let scene = Scene(harness)
            let next = scene.keys.snapshot.keys[1].id.text
            scene.store.fails(true)
            let keys = try await scene.services.execute(RetireKey(kid: next))
            #expect(keys.first { $0.kid == next }?.state == "retired")
            scene.store.fails(false)
            harness.time.advance(by: .seconds(1))
            let error = await #expect(throws: AdminError.self) {
                try await scene.services.execute(RetireKey(kid: next))
            }
            #expect(error?.code == "key_retired")
            _ = try await scene.services.execute(RotateKeys(unannounced: true))
            let events = try await scene.rows().map(\.event)
            #expect(events == ["keys.retired", "keys.rotated"], "in their order")
        }
    }

    // T-267
    @Test func `what is left when the daemon stops is written on the way out`() async throws {
        try await Harness.run { harness in
            let scene = Scene(harness)
            scene.store.fails(true)
            _ = try await scene.services.execute(RotateKeys(unannounced: true))
            scene.store.fails(false)
            let rotation = scene.rotation
            // Stopped before its first round: the pending entries are written at the end.
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await rotation.run()
            }.value
            let events = try await scene.rows().map(\.event)
            #expect(events == ["keys.rotated"])
        }
    }
}

/// The command line's requests and the daemon's rounds, over one audit that fails when the test says so.
private struct Scene {
    let keys: KeyRing
    let store: FailingUnitOfWork
    let rotation: KeyRotation
    let services: AdminServices
    private let audit: AuditFeature

    init(_ harness: Harness) {
        let composition = harness.composition
        keys = composition.keys
        audit = composition.audit
        store = FailingUnitOfWork(whole: composition.unitOfWork)
        let auditLog = KeyAuditLog(
            keys: keys,
            chain: composition.audit.chain,
            unitOfWork: store,
            logger: harness.log.logger
        )
        rotation = KeyRotation(
            keys: keys,
            auditLog: auditLog,
            environment: composition.environment,
            time: composition.audit.sweepTime,
            logger: harness.log.logger
        )
        var services = composition.administration
        services.keys.record = auditLog.handOver
        self.services = services
    }

    /// The audit's entries about keys, the oldest first.
    func rows() async throws -> [AuditEntry] {
        try await audit.newest(100).map(\.entry).filter { $0.event.hasPrefix("keys.") }.reversed()
    }
}

/// Works, or fails without having begun.
private final class FailingUnitOfWork: UnitOfWork {
    private let whole: any UnitOfWork
    private let isDown = Mutex(false)

    init(whole: any UnitOfWork) { self.whole = whole }

    func fails(_ isDown: Bool) { self.isDown.withLock { $0 = isDown } }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        guard !isDown.withLock(\.self) else { throw StoreError.unavailable(cause: "the disk is full") }
        return try await whole.run(body)
    }
}
