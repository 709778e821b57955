import Kernel
import MemoryStore
import Operations
import StoreContract
import Testing

/// Everybody who was turned away is on record, and a flood of them is bounded.
struct RefusalTests {
    private let harness = Harness()

    /// What the audit says of refusals after a moment: reason by reason.
    private func written() async throws -> [String?] {
        try await harness.service.refusals.flush()
        return harness.audited(.refused).map(\.detail)
    }

    private func tally() async throws -> [String: Int] {
        harness.time.advance(by: .seconds(60))
        try await harness.service.refusals.flush()
        return harness.lastTally
    }

    @Test func `an acknowledgement or cancellation without the proof is on record, with the operation`() async throws {
        let login = try await harness.approved()
        #expect(try await harness.service.cancel(login.publicID, Login.bare()) == .unauthorized)
        #expect(try await harness.service.acknowledge(login.publicID, Login.bare()) == .unauthorized)
        #expect(try await written() == ["cancel_unproven", "acknowledge_unproven"])
        #expect(harness.disk.tables.auditLog.last?.subject == "\(login.begun.operation.id)")
        #expect(harness.disk.tables.auditLog.last?.account == OperationSample.account)
    }

    @Test func `a poll with a wrong verifier is on record`() async throws {
        let login = try await harness.begin()
        _ = try await harness.poll(login, Caller(challenge: Digest256(sha256: "guess")))
        #expect(try await written() == ["poll_wrong_proof"])
    }

    @Test func `an approved login polled by its id alone is on record; one in progress is not`() async throws {
        let login = try await harness.begin()
        _ = try await harness.poll(login, Login.bare())
        #expect(try await written() == [])
        let approved = try await harness.approved()
        _ = try await harness.poll(approved, Login.bare())
        #expect(try await written() == ["collect_unproven"])
    }

    @Test func `polls and an acknowledgement with the proof are not audited as refusals`() async throws {
        let login = try await harness.approved()
        _ = try await harness.poll(login)
        _ = try await harness.poll(login)
        _ = try await harness.service.acknowledge(login.publicID, login.rightful)
        #expect(try await written() == [])
        #expect(harness.service.refusals.totals == [:])
    }

    @Test func `a decoy's start and link are on record`() async throws {
        let decoy = try await harness.begin(email: "nobody@example.com")
        _ = try await harness.service.open(ticket: decoy.ticket, browserCookie: nil)
        #expect(try await written() == ["decoy", "open_decoy"])
    }

    @Test func `a link opened too often, or after its time, is on record`() async throws {
        let login = try await harness.begin()
        for browser in 1...5 {
            _ = try await harness.service.open(ticket: login.ticket, browserCookie: Secret("b\(browser)"))
        }
        #expect(try await written() == ["open_too_often"])
        await harness.pass(.seconds(200))
        _ = try await harness.service.open(ticket: login.ticket, browserCookie: nil)
        #expect(try await written() == ["open_too_often", "open_over"])
    }

    @Test func `another website that opens the link is on record`() async throws {
        let login = try await harness.begin()
        harness.service.noteCrossSite(ticket: login.ticket)
        #expect(try await written() == ["open_cross_site"])
    }

    @Test func `a collection refused for a blocked account is audited`() async throws {
        let login = try await harness.approved()
        harness.disk.change(OperationSample.account) { $0.isActive = false }
        _ = try await harness.poll(login)
        #expect(try await written() == ["collect_blocked"])
    }

    @Test func `starts and unopened ends have no rows; a tally counts them`() async throws {
        for _ in 0..<3 { _ = try await harness.begin() }
        _ = try await harness.service.open(ticket: "nobody's", browserCookie: nil)
        await harness.pass(.seconds(200))
        try await harness.service.refusals.flush()
        let rows = harness.disk.tables.auditLog
        #expect(rows.map(\.detail) == ["begun=3 expired_unopened=3 unknown_link=1"])
        #expect(rows.map(\.event) == ["operations.tally"] && rows.map(\.subject) == [nil])
    }

    // OWASP ASVS 5.0 V16.3, and CWE-400: a log that an outsider writes must not fill the disk.
    // T-257
    @Test func `attack: 10,000 refusals for one operation in a minute write one audit row and a count`() async throws {
        let login = try await harness.approved()
        for _ in 0..<10_000 { _ = try await harness.service.cancel(login.publicID, Login.bare()) }
        #expect(harness.service.refusals.pendingCount == 1)
        #expect(try await written().count == 1)
        #expect(try await tally()["refused.cancel_unproven"] == 9999)
        #expect(harness.service.refusals.totals == [.cancelUnproven: 10_000])
    }

    // T-257
    @Test func `attack: refusals for many operations write at most 20 rows at once, and one row for another reason`()
        async throws
    {
        for _ in 0..<500 { _ = try await harness.begin(email: "nobody@example.com") }
        #expect(harness.service.refusals.pendingCount == 20)
        let login = try await harness.begin()
        _ = try await harness.service.cancel(login.publicID, Login.bare())
        let rows = try await written()
        #expect(rows.count == 21)
        #expect(rows.last == "cancel_unproven")
        let counts = try await tally()
        #expect(counts["refused.decoy"] == 480)
        #expect(counts["begun"] == 501)
        // Three a minute from there on.
        for _ in 0..<500 { _ = try await harness.begin(email: "nobody@example.com") }
        #expect(try await written().count == 24)
    }

    // T-257
    @Test func `while the store fails nothing piles up, and the counts are kept`() async throws {
        let login = try await harness.approved()
        _ = try await harness.service.cancel(login.publicID, Login.bare())
        harness.disk.failNextUnit(.beforeCommit)
        await #expect(throws: StoreError.self) { try await harness.service.refusals.flush() }
        #expect(harness.service.refusals.pendingCount == 0)
        #expect(try await tally()["refused.cancel_unproven"] == 1)
    }
}
