import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

// T-054
/// Scans that began before it was written down whose each is.
@Suite(.timeLimit(.minutes(10))) struct ScanClaimTests {
    @Test func `attack: a scan begun before scan claims were stored approves no second login`() async throws {
        let before = Harness()
        let first = try await before.begin()
        let scan = try await before.open(first)
        before.disk.forgetClaims()
        let harness = try await before.restarted()
        harness.provider.answer(scan, .approved)
        await harness.pass(.seconds(6))
        #expect(try await harness.poll(first).grant != nil)
        _ = try await harness.service.acknowledge(first.publicID, first.rightful)
        #expect(try harness.state(of: first).name == .closed)

        harness.provider.name(scans: scan)
        let second = try await harness.begin()
        let outcome = try await harness.service.open(ticket: second.ticket, browserCookie: Secret("browser"))
        #expect(outcome == .providerDown)
        await harness.pass(.seconds(6))
        #expect(try harness.state(of: second).name == .opened)
        #expect(harness.sessionCount == 1)
    }

    // T-054
    @Test(arguments: [false, true])
    func `of two stored logins with one scan one fails at the start, and the scan is not cancelled`(
        isApproved: Bool
    ) async throws {
        let before = Harness()
        let approval = Approval(at: OperationSample.start, scan: OperationSample.scan().reference)
        let state = isApproved ? OperationState.approved(approval) : .pending(OperationSample.scan())
        let operations = [1, 2].map { OperationSample.operation($0, state: state, seq: 3) }
        let storage = before.disk.open()
        try await storage.unitOfWork.run { transaction in
            for operation in operations { try storage.operations.insert(operation, in: transaction) }
        }
        let harness = try await before.restarted()
        let states = operations.compactMap { harness.disk.tables.operations[$0.id]?.state.name }
        #expect(states.count == 2 && Set(states) == [state.name, .failed])
        await harness.pass(.seconds(2))
        #expect(harness.provider.canceled.isEmpty)
        #expect(harness.disk.tables.scans.count == 1)
        let again = try await harness.restarted()
        let later = operations.compactMap { again.disk.tables.operations[$0.id]?.state.name }
        #expect(later.count { $0 == .failed } == 1, "its own claim is nobody else's")
    }
}
