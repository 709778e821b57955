import GRDB
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import SignIn
import Testing
import Wire

@testable import Assembly
@testable import Storage

/// Scans and sessions count for the face that they began with, and for none that was set up after it.
struct WithdrawnFaceTests {
    // T-031
    @Test(arguments: [true, false])
    func `attack: a scan begun before the face was replaced is not collected with the new face`(
        _ isDisowned: Bool
    ) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let ada = try await harness.signIn()
            let injected = try await Self.enrol(harness, try await harness.signIn())
            let login = try await harness.start()
            _ = try await harness.open(login)
            let scan = try #require(harness.provider.newest)
            if isDisowned { #expect(try await harness.disown(injected, ada).status == .ok) }
            _ = try await Self.enrol(harness, ada)
            harness.provider.answer(scan, .approved)
            await harness.pass(.seconds(6))
            #expect(try await harness.word(login, login.bound) == "account_blocked")

            // Nobody begins anything from the place of a sign-in that was disowned.
            guard !isDisowned else { return }
            let own = try await harness.start()
            try await harness.approve(own)
            #expect(try await harness.word(own, own.bound) == "completed", "a scan of the new face counts")
        }
    }

    @Test(arguments: HarnessStorage.databases)
    func `attack: an approval whose face is replaced during its scan polls account_blocked`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.signIn()
            let approval = try await harness.askApproval(ada)
            let opened = try await harness.confirm(approval, approval.answer.number)
            #expect(opened.status == .seeOther)
            let scan = try #require(harness.provider.newest)
            _ = try await Self.enrol(harness, ada)
            harness.provider.answer(scan, .approved)
            await harness.pass(.seconds(6))
            #expect(try await harness.word(approval, ada) == "account_blocked")
        }
    }

    // T-115
    @Test func `attack: proving an address in the app removes a face that was set up again since the session began`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            let fixture = try await RemedyFixture(harness)
            let replaced = "UPDATE enrolments SET version = version + 1 WHERE provider = 'elsewhere'"
            try await harness.database.pool.write { try $0.execute(sql: replaced) }
            try await fixture.apply(.addressProvedInApp)
            #expect(try await !fixture.has(fixture.owner, .face), "it was set up again since")
            #expect(try await !fixture.has(fixture.other, .face))
        }
    }

    @Test func `a session keeps by which face it was opened`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let session = try RemedyFixture.session(of: try await harness.signIn())
            let face = try await harness.database.pool.read { reader in
                try String.fetchOne(
                    reader,
                    sql: "SELECT face FROM sessions WHERE id = ?",
                    arguments: [session.description]
                )
            }
            #expect(face == "mock enrolment of ada 0")
        }
    }

    /// The row of an enrolment that was completed.
    private static func enrol(_ harness: Harness, _ person: SignedInPersonOfTest) async throws -> String {
        let started = try await harness.startEnrolment(person)
        try await harness.openEnrolment(started)
        try await harness.judge(.approved)
        try #require(try await harness.isEnrolled("ada@example.com"))
        return try harness.operation(started).id.description
    }
}
