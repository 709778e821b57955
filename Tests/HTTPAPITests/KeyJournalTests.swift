import Audit
import HTTPAPI
import Kernel
import Logging
import MemoryStore
import Synchronization
import Testing
import TokenReading
import Tokens

@testable import Vestibule

/// Keys change whether or not the audit can be written; what became of them gets there with the time of the change.
struct KeyJournalTests {
    @Test func `a rotation by the operator is answered as done while the audit waits, and has its own time in it`()
        async throws
    {
        try await Bench.run { bench in
            let scene = Scene(bench)
            let next = scene.keys.snapshot.keys[1].id.text
            let changed = bench.time.wall
            scene.store.fails(true)
            let rotated = try await scene.ask(.rotateKeys(unannounced: true))
            #expect(rotated.first?.kid == next && rotated.first?.state == "active")
            let none = try await scene.rows()
            #expect(none.isEmpty)
            let line = try #require(bench.log.lines.first { $0.message.contains("not in the audit yet") })
            #expect(line.level == .error && line.metadata["changes"]?.contains("keys.rotated \(next)") == true)

            bench.time.advance(by: .seconds(90))
            await scene.rotation.advance()
            let still = try await scene.rows()
            #expect(still.isEmpty, "it fails for the daemon's round as well")
            scene.store.fails(false)
            await scene.rotation.advance()
            await scene.rotation.advance()
            let row = AuditEntry(at: changed, fact: "keys.rotated", subject: next, account: nil, detail: nil)
            let rows = try await scene.rows()
            #expect(rows == [row], "once, with the time of the change")
        }
    }

    @Test func `a key that is retired while the audit can't be written is retired once`() async throws {
        try await Bench.run { bench in
            let scene = Scene(bench)
            let next = scene.keys.snapshot.keys[1].id.text
            scene.store.fails(true)
            let keys = try await scene.ask(.retireKey(kid: next))
            #expect(keys.first { $0.kid == next }?.state == "retired")
            scene.store.fails(false)
            bench.time.advance(by: .seconds(1))
            let reply = try await scene.administration.handle(.retireKey(kid: next))
            guard case .fault("key_retired", _) = reply else { return #expect(Bool(false), "\(reply)") }
            _ = try await scene.ask(.rotateKeys(unannounced: true))
            let facts = try await scene.rows().map(\.fact)
            #expect(facts == ["keys.retired", "keys.rotated"], "in their order")
        }
    }

    @Test func `what is left when the daemon stops is written on the way out`() async throws {
        try await Bench.run { bench in
            let scene = Scene(bench)
            scene.store.fails(true)
            _ = try await scene.ask(.rotateKeys(unannounced: true))
            scene.store.fails(false)
            let rotation = scene.rotation
            // Stopped before its first round: what is written is written at the end.
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await rotation.run()
            }.value
            let facts = try await scene.rows().map(\.fact)
            #expect(facts == ["keys.rotated"])
        }
    }
}

/// The command line's requests and the daemon's rounds, over one audit that fails when the test says so.
private struct Scene {
    let keys: KeyRing
    let store: FailingUnitOfWork
    let rotation: KeyRotation
    let administration: Administration
    private let audit: AuditOffice

    init(_ bench: Bench) {
        let composition = bench.composition
        keys = composition.keys
        audit = composition.audit
        store = FailingUnitOfWork(whole: composition.unitOfWork)
        let journal = KeyJournal(
            keys: keys,
            chain: composition.audit.chain,
            unitOfWork: store,
            logger: bench.log.logger
        )
        rotation = KeyRotation(
            keys: keys,
            journal: journal,
            facts: composition.facts,
            time: composition.audit.sweepTime,
            logger: bench.log.logger
        )
        administration = Administration(
            accounts: composition.accounts,
            operations: composition.desk,
            devices: composition.devices.owned,
            passkeys: composition.passkeys.owned,
            sessions: SessionAdministration(
                accounts: composition.accounts,
                sessions: composition.sessions,
                ending: composition.ending,
                unitOfWork: composition.unitOfWork,
                facts: composition.facts
            ),
            keys: keys,
            facts: composition.facts,
            audit: composition.audit,
            mail: composition.mail,
            clients: ClientAdministration(
                desk: composition.oauth.clients,
                ending: composition.ending,
                unitOfWork: composition.unitOfWork,
                apps: []
            ),
            recordKeys: journal.handOver
        )
    }

    func ask(_ request: AdminRequest) async throws -> [AdminReply.KeyView] {
        let reply = try await administration.handle(request)
        guard case .keys(let keys) = reply else { throw Unexpected(reply: reply) }
        return keys
    }

    /// What the audit has of keys, the oldest first.
    func rows() async throws -> [AuditEntry] {
        try await audit.newest(100).map(\.entry).filter { $0.fact.hasPrefix("keys.") }.reversed()
    }

    private struct Unexpected: Error { let reply: AdminReply }
}

/// Works, or fails without having begun.
private final class FailingUnitOfWork: UnitOfWork {
    private let whole: any UnitOfWork
    private let isDown = Mutex(false)

    init(whole: any UnitOfWork) { self.whole = whole }

    func fails(_ isDown: Bool) { self.isDown.withLock { $0 = isDown } }

    func run<T: Sendable>(_ body: @escaping @Sendable (borrowing Transaction) throws -> T) async throws -> T {
        guard !isDown.withLock(\.self) else { throw StoreFailure.unavailable(cause: "the disk is full") }
        return try await whole.run(body)
    }
}
