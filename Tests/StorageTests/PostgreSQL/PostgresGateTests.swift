import Dispatch
import Glibc
import Kernel
import Testing

@testable import Storage

/// Units that others defeat again and again run alone, and nobody waits for them longer than for anything else.
struct PostgresGateTests {
    private static let refusal = StoreError.unavailable(cause: "units that write the same rows did not end in time")

    /// Runs `body` while another thread is in the gate.
    private func held(_ gate: PostgresGate, alone: Bool, _ body: () throws -> Void) rethrows {
        let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        DispatchQueue.global().async {
            try? gate.run(alone: alone, within: .seconds(60)) {
                isHeld.signal()
                release.wait()
            }
        }
        #expect(isHeld.wait(timeout: .now() + 60) == .success)
        defer { release.signal() }
        try body()
    }

    @Test func `who shares runs beside others who share, and who is alone waits for them no longer than its time`()
        throws
    {
        let gate = PostgresGate()
        try held(gate, alone: false) { () throws in
            #expect(try gate.run(alone: false, within: .zero) { 7 } == 7)
            #expect(throws: Self.refusal) { try gate.run(alone: true, within: .milliseconds(20)) {} }
        }
        #expect(try gate.run(alone: true, within: .seconds(60)) { 7 } == 7)
    }

    @Test func `beside one who is alone nobody runs`() throws {
        let gate = PostgresGate()
        try held(gate, alone: true) { () throws in
            #expect(throws: Self.refusal) { try gate.run(alone: false, within: .milliseconds(20)) {} }
            #expect(throws: Self.refusal) { try gate.run(alone: true, within: .zero) {} }
        }
        #expect(try gate.run(alone: false, within: .seconds(60)) { 7 } == 7)
    }

    @Test func `an error of the body leaves the gate open`() throws {
        let gate = PostgresGate()
        let error = StoreError.corrupt(cause: "x")
        #expect(throws: error) { try gate.run(alone: true, within: .zero) { throw error } }
        #expect(try gate.run(alone: true, within: .zero) { 7 } == 7)
    }

    @Test func `a unit that was refused four times runs alone: other units wait for it, and reads don't`() async throws
    {
        let fixture = try await PostgresFixture()
        let (runs, notes) = (Collected<Int>(), Collected<String>())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await fixture.unitOfWork.run { transaction in
                    let run = runs.add(0)
                    let again = "DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$"
                    if run <= 4 { try transaction.connection().change(again) }
                    notes.add("alone")
                    for _ in 1...20_000 where !notes.all.contains("read") { usleep(1000) }
                    notes.add("ended")
                }
            }
            for _ in 0..<20_000 where !notes.all.contains("alone") { try await Task.sleep(for: .milliseconds(1)) }
            group.addTask { try await fixture.unitOfWork.run { _ in _ = notes.add("other") } }
            try await Task.sleep(for: .milliseconds(200))
            try await fixture.unitOfWork.read { _ in _ = notes.add("read") }
            try await group.waitForAll()
        }
        #expect(notes.all == ["alone", "read", "ended", "other"])
        #expect(runs.count == 5)
    }

    @Test func `a unit that waits for one that is alone is unavailable when its time is over, which is no outage`()
        async throws
    {
        let fixture = try await PostgresFixture(deadline: .seconds(1))
        _ = try await fixture.backend()
        let before = fixture.outcomes.count
        let release = DispatchSemaphore(value: 0)
        let isHeld = Collected<Int>()
        DispatchQueue.global().async {
            try? fixture.database.gate.run(alone: true, within: .seconds(60)) {
                isHeld.add(0)
                release.wait()
            }
        }
        for _ in 0..<20_000 where isHeld.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        await #expect(throws: Self.refusal) { try await fixture.unitOfWork.run { _ in } }
        #expect(fixture.outcomes.count == before)
        release.signal()
        _ = try await fixture.backend()
    }
}
