import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing

@testable import HTTPAPI
@testable import Vestibule

/// A face that somebody else enrolled is found by its owner, whatever comes after it.
struct HiddenEnrolmentTests {
    @Test func `attack: a face is withdrawn by not me, however many logins came after it`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.signIn()
            let planted = try await Self.enrol(bench, try await bench.signIn())
            for _ in 0..<60 { try await Self.failedLogin(bench) }
            #expect(try await bench.owned(ada).count == 20, "the default list is full of logins")
            let seen = try await bench.ownedEnrolments(ada)
            #expect(seen.map(\.id) == [planted] && seen.first?.session?.open == true)

            #expect(try await bench.disown(planted, ada).status == .ok)
            #expect(try await bench.isEnrolled("ada@example.com") == false)
            #expect(try await bench.ownedEnrolments(ada).first?.session?.open == false)
        }
    }

    @Test func `attack: the enrolment in force is not pushed out of the list by enrolments that failed`() async throws {
        try await Bench.run {
            $0.limits.off = true
        } _: { bench in
            let ada = try await bench.signIn()
            let thief = try await bench.signIn()
            let planted = try await Self.enrol(bench, thief)
            var failed: [String] = []
            for _ in 0..<3 {
                let started = try await bench.startEnrolment(thief)
                try await bench.openEnrolment(started)
                try await bench.judge(.rejected(.livenessFailed))
                failed.insert(try bench.operation(started).id.description, at: 0)
            }
            #expect(try await bench.ownedEnrolments(ada, "?limit=2").map(\.id) == [failed[0], planted])
            #expect(try await bench.ownedEnrolments(ada, "?limit=1").map(\.id) == [planted])
            #expect(try await bench.ownedEnrolments(ada).map(\.id) == failed + [planted])
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

    private static func failedLogin(_ bench: Bench) async throws {
        let login = try await bench.start()
        try await bench.open(login)
        try await bench.judge(.rejected(.livenessFailed))
    }
}
