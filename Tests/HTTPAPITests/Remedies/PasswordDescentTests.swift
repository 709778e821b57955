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
@testable import HTTPAPI
@testable import Storage
@testable import Vestibule

/// What the password has made, whatever it was made by in between.
struct PasswordDescentTests {
    enum Change: CaseIterable, Sendable {
        case byOwner, byOperator
        /// The owner's, once the session of the password is no longer on record.
        case afterPurge
    }

    @Test(arguments: Change.allCases)
    func `attack: a face that was set up by the password's passkey ends with the password`(
        _ change: Change
    ) async throws {
        try await Bench.run { bench in
            let owner = try await bench.signIn()
            _ = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, owner.bearer)
            try await bench.unenrol("ada@example.com")
            let entered = try await bench.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let thief = try await Self.passkey(of: .bearing(entered.accessToken), bench)
            if change == .afterPurge { try await Self.purge(try RemedyStage.session(of: entered.accessToken), bench) }
            let started = try bench.enrolment(try await bench.send(.post, Bench.enrolPath, thief))
            try await bench.openEnrolment(started)
            try await bench.judge(.approved)
            try #require(try await bench.isEnrolled("ada@example.com"), "the first face takes no more than that")

            let new = "a horse of another colour"
            if change == .byOperator {
                let change = ChangeAccount(name: "ada@example.com", changes: .init(password: new))
                _ = try await bench.composition.administration.execute(change)
            } else {
                let order = #"{"currentPassword": "\#(Bench.password)", "newPassword": "\#(new)"}"#
                #expect(try await bench.post("/auth/password", order, owner.bearer).status == .ok)
            }
            #expect(try await !bench.isEnrolled("ada@example.com"))
        }
    }

    @Test func `a face that its owner set up by a passkey of a face's sign-in stays when the password is changed`()
        async throws
    {
        try await Bench.run { bench in
            let owner = try await bench.signIn()
            _ = try await bench.post("/auth/password", #"{"newPassword": "\#(Bench.password)"}"#, owner.bearer)
            try await bench.unenrol("ada@example.com")
            let entered = try await Self.passkey(of: owner.bearer, bench)
            let started = try bench.enrolment(try await bench.send(.post, Bench.enrolPath, entered))
            try await bench.openEnrolment(started)
            try await bench.judge(.approved)
            let order = #"{"currentPassword": "\#(Bench.password)", "newPassword": "a horse of another colour"}"#
            #expect(try await bench.post("/auth/password", order, owner.bearer).status == .ok)
            #expect(try await bench.isEnrolled("ada@example.com"))
        }
    }

    /// Adds a passkey in that session and signs in by it; returns what its session is shown with.
    private static func passkey(of session: HTTPFields, _ bench: Bench) async throws -> HTTPFields {
        let options = try await bench.send(.post, "/api/auth/add-device/generate-options", session)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, made) = try bench.browser.create(options.text)
        let added = try await bench.post("/api/auth/add-device/verify", made, session)
        try #require(added.status == .ok, "\(added.text)")
        let answer = try await bench.signIn(credential, query: "?tokens=true")
        try #require(answer.status == .ok, "\(answer.text)")
        return .bearing(try #require(try answer.decode(PasskeySignInResponse.self).accessToken))
    }

    /// As the purge does a while after its end.
    private static func purge(_ session: SessionID, _ bench: Bench) async throws {
        try await bench.composition.database.pool.write { writer in
            for sql in ["DELETE FROM refresh_tokens WHERE session = ?", "DELETE FROM sessions WHERE id = ?"] {
                try writer.execute(sql: sql, arguments: [session.description])
            }
        }
    }
}
