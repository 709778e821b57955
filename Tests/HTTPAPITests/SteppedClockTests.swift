import Audit
import Devices
import Kernel
import Logging
import MemoryStore
import Operations
import Testing
import Tokens

@testable import Assembly

/// What the daemon deletes for good when the machine's clock is wrong.
struct SteppedClockTests {
    private static let day = Duration.seconds(86_400)
    private static let jump = day * 800

    // T-264
    @Test func `attack: after a minute of a clock 800 days ahead nothing is deleted, and sweeps continue`()
        async throws
    {
        try await Harness.run { harness in
            _ = try await harness.phone()
            _ = try await harness.composition.audit.checkpoint(isAnew: false)
            // Now the checkpoint speaks for the clock.
            harness.time.advance(by: Self.day)
            #expect(try await Self.sweep(harness) == harness.time.wall)
            let rows = try await harness.composition.audit.newest(100).map(\.number)
            try #require(!rows.isEmpty)

            harness.time.stepWall(by: Self.jump)
            for _ in 1...5 {
                #expect(try await Self.sweep(harness) == nil)
                harness.time.advance(by: .seconds(15))
            }
            harness.time.stepWall(by: .zero - Self.jump)
            #expect(try await Self.sweep(harness) == harness.time.wall)
            #expect(try await harness.composition.audit.newest(100).map(\.number) == rows)
            let hasPhone = try await Self.hasPhone(harness)
            #expect(hasPhone)
            let errors = harness.log.lines.filter {
                $0.level == .error && $0.message.hasPrefix("the clock was stepped")
            }
            #expect(errors.count == 1)
            #expect(errors.first?.metadata["now"] != nil && errors.first?.metadata["expected"] != nil)

            harness.time.advance(by: Self.jump)
            #expect(try await Self.sweep(harness) == harness.time.wall)
            let left = try await harness.composition.audit.newest(100).map(\.number)
            // The newest row there was says that the checkpoint was made: it is behind it, and goes with the next one.
            #expect(Set(left).isDisjoint(with: rows.dropFirst()), "what is really old goes")
            let report = try await harness.composition.audit.verify(against: nil)
            #expect(report.finding == .sound)
        }
    }

    // T-263
    @Test func `attack: after a minute of a clock 800 days ahead no signing key has changed, and rotation continues`()
        async throws
    {
        try await Harness.run { harness in
            let composition = harness.composition
            _ = try await harness.phone()
            _ = try await composition.audit.checkpoint(isAnew: false)
            harness.time.advance(by: Self.day)
            let rotation = KeyRotation(
                keys: composition.keys,
                auditLog: composition.keyAuditLog,
                environment: composition.environment,
                time: composition.audit.sweepTime,
                logger: harness.log.logger
            )
            await rotation.advance()
            try composition.keys.rotate(now: harness.time.wall, unannounced: true)
            let before = composition.keys.snapshot.keys

            harness.time.stepWall(by: Self.jump)
            for _ in 1...3 {
                await rotation.advance()
                harness.time.advance(by: .seconds(20))
            }
            harness.time.stepWall(by: .zero - Self.jump)
            await rotation.advance()
            #expect(composition.keys.snapshot.keys == before)

            harness.time.advance(by: Self.day * 100)
            await rotation.advance()
            #expect(composition.keys.snapshot.keys != before, "what is due is done by a clock that is right")
        }
    }

    // T-159
    @Test(arguments: [Duration.seconds(3540), .seconds(7000)])
    func `attack: what was used stays used after a sweep by a clock that was ahead`(_ step: Duration) async throws {
        try await Harness.run { harness in
            let marks = harness.composition.stores.sessions.usedMarks
            let mark = UsedMark(
                .assertion,
                of: Digest256(sha256: "assertion"),
                expiresAt: harness.time.wall + .seconds(60)
            )
            let use = { try await harness.composition.unitOfWork.run { try marks.use(mark, in: $0) } }
            #expect(try await use())
            harness.time.stepWall(by: step)
            _ = try await harness.composition.retention.sweep(at: harness.composition.audit.sweepTime.unchecked)
            harness.time.stepWall(by: .zero - step)
            #expect(try await use() == false)
            harness.time.advance(by: Self.day)
            _ = try await harness.composition.retention.sweep(at: harness.time.wall)
            #expect(try await use(), "marks don't accumulate")
        }
    }

    /// One round of both sweeps, as their loops make it; by which time, if by any.
    private static func sweep(_ harness: Harness) async throws -> Instant? {
        guard let now = harness.composition.audit.sweepTime.now else { return nil }
        _ = try await harness.composition.retention.sweep(at: now)
        _ = try await harness.composition.audit.retention.sweep(at: now)
        return now
    }

    private static func hasPhone(_ harness: Harness) async throws -> Bool {
        let store = harness.composition.stores.people.devices.registered
        return try await harness.composition.unitOfWork.run { transaction in
            try store.find(DeviceName(client: "mwsim", device: Harness.phone), in: transaction) != nil
        }
    }
}
