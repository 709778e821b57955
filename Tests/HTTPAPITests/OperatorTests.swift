import Foundation
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing

@testable import Admin
@testable import Assembly

/// What the admin socket lets an operator do, and what the audit says of it.
struct OperatorTests {
    private static let owner = Operator(user: 1000, name: "alice", access: .everything)
    private static let reader = Operator(user: 1001, name: "bob", access: .reading)

    /// Sends a command as it arrives on the socket; returns the answer's JSON.
    private static func ask(_ harness: Harness, _ message: String, _ who: Operator) async throws -> String {
        let call = try JSONDecoder().decode(AdminCall.self, from: Data(message.utf8))
        let answer = try await harness.composition.administration.answer(call, to: who)
        return String(decoding: try JSONEncoder().encode(answer), as: UTF8.self)
    }

    private static func rows(_ harness: Harness) async throws -> [(subject: String, detail: String?)] {
        let rows = try await harness.composition.administration.execute(ListAudit(limit: 100, event: "operator."))
        return rows.map { ($0.subject, $0.detail) }
    }

    @Test func `what a person changes is in the audit under the operator's name, and what they read is not`()
        async throws
    {
        try await Harness.run { harness in
            let login = try await harness.start()
            let row = try harness.row(login).description
            _ = try await Self.ask(harness, #"{"showOperation":{"row":"\#(row)"}}"#, Self.owner)
            let before = try await Self.rows(harness)
            #expect(before.isEmpty)
            _ = try await Self.ask(harness, #"{"cancelOperation":{"row":"\#(row)"}}"#, Self.owner)
            let rows = try await Self.rows(harness)
            #expect(rows.map(\.subject) == ["alice (uid 1000)"])
            #expect(rows.map(\.detail) == ["cancelOperation \(row)"])
        }
    }

    @Test(arguments: AdminTable.all.filter { $0.effect == .writes }.map { $0.name })
    func `attack: a reader changes nothing, whatever the command`(_ name: String) async throws {
        try await Harness.run { harness in
            for members in [#"{}"#, #"{"row":"x","id":"x","kid":"x","provider":"x","name":"x","account":"x"}"#] {
                let message = #"{"\#(name)":\#(members)}"#
                guard let answer = try? await Self.ask(harness, message, Self.reader) else { continue }
                #expect(answer.contains(#""code":"read_only""#), "\(answer)")
            }
            let rows = try await Self.rows(harness)
            #expect(rows.isEmpty)
        }
    }

    @Test func `a reader reads`() async throws {
        try await Harness.run { harness in
            for message in [#"{"listAccounts":{"limit":5}}"#, #"{"showStatus":{}}"#, #"{"listKeys":{}}"#] {
                let answer = try await Self.ask(harness, message, Self.reader)
                #expect(!answer.contains("fault"), "\(answer)")
            }
        }
    }

    @Test func `an operator lists consents, and withdraws one with its client's sessions`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            let admin = harness.composition.administration
            let account = fixture.account.description
            try await harness.consent(fixture.account, to: RemedyFixture.client)
            try await harness.consent(fixture.account, to: "shop")
            let clients = try await admin.execute(ListConsents(account: account)).map(\.client)
            #expect(clients.contains(RemedyFixture.client) && clients.contains("shop"))
            let preview = PreviewRemedy(.withdrawConsent, of: account, client: RemedyFixture.client)
            let told = try await admin.execute(preview)
            let before = try await admin.execute(PreviewRemedy(.setEmail, of: account))
            let message = #"{"withdrawConsent":{"account":"\#(account)","client":"\#(RemedyFixture.client)"}}"#
            let answer = try await Self.ask(harness, message, Self.owner)
            #expect(answer.contains(RemedyFixture.client) && !answer.contains("fault"), "\(answer)")
            let after = try await admin.execute(PreviewRemedy(.setEmail, of: account))
            #expect(told.sessions == before.sessions - after.sessions && told.sessions > 0)
            #expect(told.consents == before.consents - after.consents && told.consents > 0)
            let left = try await admin.execute(ListConsents(account: account)).map(\.client)
            #expect(!left.contains(RemedyFixture.client) && left.contains("shop"))
            let grant = try await harness.composition.sessions.find(fixture.owner.grant)
            #expect(grant?.revocation?.reason == .revokedByOperator)
            let rows = try await Self.rows(harness)
            #expect(rows.map(\.subject) == ["alice (uid 1000)"])
            #expect(rows.map(\.detail) == ["withdrawConsent \(RemedyFixture.client)"])
            let again = try await Self.ask(harness, message, Self.owner)
            #expect(again.contains("consent_not_found"))
        }
    }

    @Test func `the status names the owner, and how long the oldest check is overdue`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            _ = try await harness.open(login)
            let admin = harness.composition.administration
            let fresh = try await admin.execute(ShowStatus())
            #expect(fresh.process.owner?.name == harness.composition.settings.ownerName)
            let checks = { (status: StatusView) in status.queues.first { $0.name == QueueView.checks } }
            #expect(checks(fresh)?.count == 1 && checks(fresh)?.oldestSeconds == nil)
            harness.time.advance(by: .seconds(60))
            let late = try await admin.execute(ShowStatus())
            #expect((checks(late)?.oldestSeconds ?? 0) > 40, "no watcher runs in this test")
        }
    }

    @Test func `a login's history is what the audit has of it, the oldest first`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let row = try harness.row(login).description
            _ = try await harness.open(login)
            let services = harness.composition.administration
            let events = try await services.execute(ListOperationEvents(row: row)).map(\.fact)
            #expect(events == ["operation.opened", "operation.scan_started"])
        }
    }

    @Test func `logins are found by client, page by page`() async throws {
        try await Harness.run { harness in
            for _ in 1...3 {
                _ = try await harness.start()
                harness.time.advance(by: .seconds(1))
            }
            let services = harness.composition.administration
            let all = try await services.execute(ListOperations(client: "bbms", states: [], limit: 9)).map(\.row)
            let first = try await services.execute(ListOperations(client: "bbms", states: [], limit: 2)).map(\.row)
            let next = ListOperations(client: "bbms", states: [], after: first.last, limit: 2)
            let second = try await services.execute(next).map(\.row)
            #expect(first + second == all && second.count == 1)
            let none = try await services.execute(ListOperations(client: "none", states: [], limit: 9))
            #expect(none.isEmpty)
        }
    }
}
