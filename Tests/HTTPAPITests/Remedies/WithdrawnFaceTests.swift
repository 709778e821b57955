import GRDB
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import SignIn
import Testing
import Wire

@testable import Storage
@testable import Vestibule

/// Scans and sessions count for the face that they began with, and for none that was set up after it.
struct WithdrawnFaceTests {
    @Test(arguments: [true, false])
    func `attack: a scan that began against a face that is gone opens no session by the face that came after it`(
        _ isDisowned: Bool
    ) async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let planted = try await Self.enrol(bench, try await bench.signIn())
            let login = try await bench.start()
            _ = try await bench.open(login)
            let scan = try #require(bench.provider.newest)
            if isDisowned { #expect(try await bench.disown(planted, ada).status == .ok) }
            _ = try await Self.enrol(bench, ada)
            bench.provider.answer(scan, .approved)
            await bench.pass(.seconds(6))
            #expect(try await bench.word(login, login.bound) == "account_blocked")

            // Nobody begins anything from the place of a sign-in that was disowned.
            guard !isDisowned else { return }
            let own = try await bench.start()
            try await bench.approve(own)
            #expect(try await bench.word(own, own.bound) == "completed", "a scan of the new face counts")
        }
    }

    @Test func `attack: what a face has approved before it was replaced is not approved after it`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let approval = try await bench.askApproval(ada)
            let opened = try await bench.confirm(approval, approval.answer.number)
            #expect(opened.status == .seeOther)
            let scan = try #require(bench.provider.newest)
            _ = try await Self.enrol(bench, ada)
            bench.provider.answer(scan, .approved)
            await bench.pass(.seconds(6))
            #expect(try await bench.word(approval, ada) == "account_blocked")
        }
    }

    @Test func `attack: an address that is proved in the app keeps no face but the one that the session began with`()
        async throws
    {
        try await Bench.run { bench in
            let stage = try await RemedyStage(bench)
            let replaced = "UPDATE enrolments SET version = version + 1 WHERE provider = 'elsewhere'"
            try await bench.composition.database.pool.write { try $0.execute(sql: replaced) }
            try await stage.apply(.addressProvedInApp)
            #expect(try await !stage.has(stage.owner, .face), "it was set up again since")
            #expect(try await !stage.has(stage.other, .face))
        }
    }

    @Test func `a session keeps by which face it was opened`() async throws {
        try await Bench.run { bench in
            let session = try RemedyStage.session(of: try await bench.signIn())
            let face = try await bench.composition.database.pool.read { reader in
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
    private static func enrol(_ bench: Bench, _ person: SignedInPersonOfTest) async throws -> String {
        let started = try await bench.startEnrolment(person)
        try await bench.openEnrolment(started)
        try await bench.judge(.approved)
        try #require(try await bench.isEnrolled("ada@example.com"))
        return try bench.operation(started).id.description
    }
}
