import Kernel
import Testing

@testable import Audit

struct AuditRetentionTests {
    private let audit = AuditFixture()

    /// Five old rows in two checkpoints, then two young rows in a third; behind each a row that says that it was made.
    private func history() async throws {
        try await audit.signed(3)
        try await audit.signed(2)
        audit.pass(.seconds(3601))
        try await audit.signed(2)
    }

    // T-258
    @Test func `old rows are deleted up to a checkpoint, and the remaining ones verify`() async throws {
        try await history()
        #expect(try await audit.retention().sweep(at: audit.now) == 6)
        #expect(audit.store.all.map(\.number) == [7, 8, 9, 10, 11])
        let report = try await audit.verify()
        #expect(report.finding == .sound)
        #expect((report.own.first, report.own.last, report.own.checkpoints) == (7, 11, 2))
        #expect(try await audit.retention().sweep(at: audit.now) == 0)
    }

    @Test func `without a checkpoint no row is deleted, however old`() async throws {
        try audit.fill(3)
        audit.pass(.seconds(7200))
        #expect(try await audit.retention().sweep(at: audit.now) == 0)
        #expect(audit.store.all.count == 3)
    }

    @Test func `a checkpoint that is young keeps the old rows before it`() async throws {
        try audit.fill(3)
        audit.pass(.seconds(3601))
        _ = try await audit.checkpoints.write()
        #expect(try await audit.retention().sweep(at: audit.now) == 0)
        audit.pass(.seconds(3601))
        #expect(try await audit.retention().sweep(at: audit.now) == 3)
        #expect(try await audit.verify().finding == .sound)
    }

    @Test func `purge upon purge, the rest verifies`() async throws {
        for _ in 0..<4 {
            try await audit.signed(3)
            audit.pass(.seconds(1801))
            _ = try await audit.retention().sweep(at: audit.now)
            #expect(try await audit.verify().finding == .sound)
        }
        #expect(try #require(audit.store.all.first).number > 1)
    }

    @Test(arguments: 1...5)
    func `a purge that is cut short leaves a chain that verifies, and continues`(_ units: Int) async throws {
        try await history()
        let dying = audit.retention(unitOfWork: DirectUnits(failAfter: units))
        if units < 5 {
            await #expect(throws: StoreError.self) { try await dying.sweep(at: audit.now) }
        } else {
            _ = try await dying.sweep(at: audit.now)
        }
        #expect(try await audit.verify().finding == .sound)
        _ = try await audit.retention().sweep(at: audit.now)
        #expect(audit.store.all.allSatisfy { $0.number > 6 })
        #expect(try await audit.verify().finding == .sound)
    }

    // T-213
    @Test func `attack: rows dropped up to a checkpoint are not reported as a purge`() async throws {
        try await history()
        audit.store.tamper { $0.removeFirst(5) }
        #expect(try await audit.verify().finding == .startMissing(first: 6))
    }

    // T-213
    @Test func `attack: rows dropped behind a purge are detected`() async throws {
        try await history()
        _ = try await audit.retention().sweep(at: audit.now)
        audit.store.tamper { $0.removeFirst() }
        #expect(try await audit.verify().finding == .startMissing(first: 8))
    }

    // T-213
    @Test func `attack: a dropped or changed purge record is detected`() async throws {
        try await history()
        _ = try await audit.retention().sweep(at: audit.now)
        let rows = audit.store.all
        audit.store.tamper { $0.removeLast() }
        #expect(try await audit.verify([]).finding == .startMissing(first: 7))
        audit.store.tamper { $0 = rows }
        audit.store.tamper { all in
            let last = all[all.count - 1]
            let entry = AuditEntry(
                at: last.entry.at,
                event: last.entry.event,
                subject: last.entry.subject,
                account: nil,
                detail: last.entry.detail?.replacing("6 ", with: "8 ")
            )
            all[all.count - 1] = last.with(entry: entry)
        }
        #expect(try await audit.verify([]).finding == .broken(at: 11))
    }

    // T-213
    @Test func `attack: rows that do not match their checkpoint are not purged`() async throws {
        try await history()
        audit.store.tamper { $0[5] = $0[5].with(hash: .zero) }
        await #expect(throws: AuditMismatchError(number: 6)) { try await audit.retention().sweep(at: audit.now) }
        #expect(audit.store.all.count == 10)
    }

    // T-213
    @Test func `attack: nothing is purged while a checkpoint is forged`() async throws {
        try await history()
        audit.log.tamper { $0 = $0.map { _ in "forged" } }
        await #expect(throws: AuditMismatchError(number: 0)) { try await audit.retention().sweep(at: audit.now) }
        #expect(audit.store.all.count == 10)
    }

    // T-264
    @Test func `attack: a checkpoint misdated by a slow clock purges no younger rows`()
        async throws
    {
        try await audit.signed(2)
        audit.pass(.seconds(3000))
        try audit.fill(2)
        audit.step(.seconds(-800 * 86_400))
        try await audit.signed(1)
        audit.step(.seconds(800 * 86_400))
        audit.pass(.seconds(1000))
        try await audit.signed(2)
        // The first two are older than an hour, and the rows before the misdated checkpoint are not.
        _ = try await audit.retention().sweep(at: audit.now)
        #expect(audit.store.all.map(\.number).contains(4))
        #expect(try await audit.verify().finding == .sound)
        audit.pass(.seconds(3601))
        _ = try await audit.retention().sweep(at: audit.now)
        #expect(audit.store.all.map(\.number).first == 10)
        #expect(try await audit.verify().finding == .sound)
    }

    // T-264
    @Test func `attack: a clock wrong for a minute purges nothing, and one wrong for a day is believed`() async throws {
        try await history()
        let retention = audit.retention(
            time: SweepClock(audit.environment, isSupported: { _ in false }, tell: { _, _ in })
        )
        // Each is one round: nobody can sleep in this time.
        await retention.run()
        #expect(audit.store.all.count == 10, "a start that nothing speaks for")
        audit.pass(.seconds(86_400))
        audit.step(.seconds(800 * 86_400))
        await retention.run()
        audit.pass(.seconds(75))
        await retention.run()
        audit.step(.seconds(-800 * 86_400))
        await retention.run()
        #expect(audit.store.all.count == 10)
        audit.pass(.seconds(86_400))
        await retention.run()
        #expect(audit.store.all.count < 10)
        #expect(try await audit.verify().finding == .sound)
    }

    // T-264
    @Test func `a clock is supported by a checkpoint of the days before, not by one of the last hours or of long ago`()
        async throws
    {
        let history = CheckpointHistory(signing: audit.signing, log: audit.log)
        #expect(!history.supports(audit.now), "there is none")
        try await audit.signed(1)
        let made = audit.now
        let day = Duration.seconds(86_400)
        #expect(!history.supports(made + day - .milliseconds(1)))
        #expect(history.supports(made + day))
        #expect(history.supports(made + day * 8))
        #expect(!history.supports(made + day * 8 + .milliseconds(1)))
        // Started once before while the clock was wrong already, which left a checkpoint.
        audit.step(day * 800)
        try await audit.signed(1)
        #expect(!history.supports(audit.now + .seconds(60)), "attack: the wrong clock speaks for itself")
        #expect(!history.supports(made + day * 2), "attack: a clock that is behind, with a checkpoint of its own days")
        // Back again; a clock that begins in 1970 has left a line as well, which says nothing.
        audit.step(.zero - day * 798)
        try await audit.signed(1)
        let back = audit.now
        audit.step(.zero - day * 15_000)
        try await audit.signed(1)
        #expect(history.supports(back + day * 2))
        audit.log.tamper { $0 = $0.map { _ in "forged" } }
        #expect(!history.supports(back + day * 2))
    }
}
