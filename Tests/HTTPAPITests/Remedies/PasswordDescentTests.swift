import Accounts
import GRDB
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import SoftwareAuthenticator
import Testing
import Wire

@testable import Admin
@testable import Assembly
@testable import HTTPAPI
@testable import Storage

/// What the password has made, whatever it was made by in between.
struct PasswordDescentTests {
    enum Change: CaseIterable, Sendable {
        case byOwner, byOperator
        /// The owner's, once the session of the password is no longer on record.
        case afterPurge
    }

    // T-113
    @Test(arguments: Change.allCases)
    func `attack: a password change removes a face enrolled by a passkey that the old password had added`(
        _ change: Change
    ) async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let owner = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, owner.bearer)
            try await harness.unenrol("ada@example.com")
            let entered = try await harness.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let attacker = try await Self.passkey(of: .bearing(entered.accessToken), harness)
            if change == .afterPurge {
                try await Self.purge(try RemedyFixture.session(of: entered.accessToken), harness)
            }
            let started = try harness.enrolment(try await harness.send(.post, Harness.enrolPath, attacker))
            try await harness.openEnrolment(started)
            try await harness.judge(.approved)
            try #require(try await harness.isEnrolled("ada@example.com"), "the first face takes no more than that")

            let new = "a horse of another colour"
            if change == .byOperator {
                let change = ChangeAccount(name: "ada@example.com", changes: .init(password: new))
                _ = try await harness.composition.administration.execute(change)
            } else {
                let order = #"{"currentPassword": "\#(Harness.password)", "newPassword": "\#(new)"}"#
                #expect(try await harness.post("/auth/password", order, owner.bearer).status == .ok)
            }
            #expect(try await !harness.isEnrolled("ada@example.com"))
        }
    }

    // T-113
    @Test func `a face that its owner set up by a passkey of a face's sign-in stays when the password is changed`()
        async throws
    {
        try await Harness.run(storage: .sqlite) { harness in
            let owner = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, owner.bearer)
            try await harness.unenrol("ada@example.com")
            let entered = try await Self.passkey(of: owner.bearer, harness)
            let started = try harness.enrolment(try await harness.send(.post, Harness.enrolPath, entered))
            try await harness.openEnrolment(started)
            try await harness.judge(.approved)
            let order = #"{"currentPassword": "\#(Harness.password)", "newPassword": "a horse of another colour"}"#
            #expect(try await harness.post("/auth/password", order, owner.bearer).status == .ok)
            #expect(try await harness.isEnrolled("ada@example.com"))
        }
    }

    /// Adds a passkey in that session and signs in by it; returns what its session is shown with.
    private static func passkey(of session: HTTPFields, _ harness: Harness) async throws -> HTTPFields {
        let options = try await harness.send(.post, "/api/auth/add-device/generate-options", session)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, made) = try harness.browser.create(options.text)
        let added = try await harness.post("/api/auth/add-device/verify", made, session)
        try #require(added.status == .ok, "\(added.text)")
        let answer = try await harness.signIn(credential, query: "?tokens=true")
        try #require(answer.status == .ok, "\(answer.text)")
        return .bearing(try #require(try answer.decode(PasskeySignInResponse.self).accessToken))
    }

    /// As the purge does a while after its end.
    private static func purge(_ session: SessionID, _ harness: Harness) async throws {
        try await harness.database.pool.write { writer in
            for sql in ["DELETE FROM refresh_tokens WHERE session = ?", "DELETE FROM sessions WHERE id = ?"] {
                try writer.execute(sql: sql, arguments: [session.description])
            }
        }
    }
}
