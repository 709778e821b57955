import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A face that somebody else enrolled is found by its owner, whatever comes after it.
struct HiddenEnrolmentTests {
    @Test func `attack: "not me" withdraws an injected face although sixty logins came after it`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.signIn()
            let injected = try await Self.enrol(harness, try await harness.signIn())
            for _ in 0..<60 { try await Self.failedLogin(harness) }
            #expect(try await harness.owned(ada).count == 20, "the default list is full of logins")
            let seen = try await harness.ownedEnrolments(ada)
            #expect(seen.map(\.id) == [injected] && seen.first?.session?.open == true)

            #expect(try await harness.disown(injected, ada).status == .ok)
            #expect(try await harness.isEnrolled("ada@example.com") == false)
            #expect(try await harness.ownedEnrolments(ada).first?.session?.open == false)
        }
    }

    @Test func `attack: enrolments that failed do not push the one in force out of the owner's list`() async throws {
        try await Harness.run {
            $0.limits.off = true
        } _: { harness in
            let ada = try await harness.signIn()
            let attacker = try await harness.signIn()
            let injected = try await Self.enrol(harness, attacker)
            var failed: [String] = []
            for _ in 0..<3 {
                let started = try await harness.startEnrolment(attacker)
                try await harness.openEnrolment(started)
                try await harness.judge(.rejected(.livenessFailed))
                failed.insert(try harness.operation(started).id.description, at: 0)
            }
            #expect(try await harness.ownedEnrolments(ada, "?limit=2").map(\.id) == [failed[0], injected])
            #expect(try await harness.ownedEnrolments(ada, "?limit=1").map(\.id) == [injected])
            #expect(try await harness.ownedEnrolments(ada).map(\.id) == failed + [injected])
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

    private static func failedLogin(_ harness: Harness) async throws {
        let login = try await harness.start()
        try await harness.open(login)
        try await harness.judge(.rejected(.livenessFailed))
    }
}
