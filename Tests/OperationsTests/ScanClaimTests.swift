import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// Scans that began before it was written down whose each is.
@Suite(.timeLimit(.minutes(10))) struct ScanClaimTests {
    @Test func `attack: a scan of before claims were kept signs in no second login`() async throws {
        let before = Bench()
        let first = try await before.begin()
        let scan = try await before.open(first)
        before.disk.forgetClaims()
        let bench = try await before.restarted()
        bench.provider.answer(scan, .approved)
        await bench.pass(.seconds(6))
        #expect(try await bench.poll(first).grant != nil)
        _ = try await bench.service.acknowledge(first.publicID, first.rightful)
        #expect(try bench.state(of: first).name == .closed)

        bench.provider.name(scans: scan)
        let second = try await bench.begin()
        let outcome = try await bench.service.open(ticket: second.ticket, browserCookie: Secret("browser"))
        #expect(outcome == .providerDown)
        await bench.pass(.seconds(6))
        #expect(try bench.state(of: second).name == .opened)
        #expect(bench.sessionCount == 1)
    }

    @Test(arguments: [false, true])
    func `of two logins with one scan one goes on, and its scan is not ended`(isApproved: Bool) async throws {
        let before = Bench()
        let approval = Approval(at: OperationSample.start, scan: OperationSample.scan().reference)
        let state = isApproved ? OperationState.approved(approval) : .pending(OperationSample.scan())
        let operations = [1, 2].map { OperationSample.operation($0, state: state, seq: 3) }
        let storage = before.disk.open()
        try await storage.unitOfWork.run { transaction in
            for operation in operations { try storage.operations.insert(operation, in: transaction) }
        }
        let bench = try await before.restarted()
        let states = operations.compactMap { bench.disk.tables.operations[$0.id]?.state.name }
        #expect(states.count == 2 && Set(states) == [state.name, .failed])
        await bench.pass(.seconds(2))
        #expect(bench.provider.canceled.isEmpty)
        #expect(bench.disk.tables.scans.count == 1)
        let again = try await bench.restarted()
        let later = operations.compactMap { again.disk.tables.operations[$0.id]?.state.name }
        #expect(later.count { $0 == .failed } == 1, "its own claim is nobody else's")
    }
}
