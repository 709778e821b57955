import HTTPTypes
import HummingbirdTesting
import MemoryStore
import NIOCore
import Operations
import Settings
import Testing

@testable import Assembly

/// `supersedes` in a start, and the effect of a linked device's newer start.
struct SupersedeTests {
    private func start(
        _ harness: Harness,
        superseding old: StartedLogin,
        _ headers: HTTPFields,
        email: String = "ada@example.com"
    ) async throws -> TestResponse {
        try await harness.post(Harness.initiatePath, "{\"email\":\"\(email)\",\"supersedes\":\"\(old.id)\"}", headers)
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the verifier of the old login, or its cookie, ends it`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let challenged = try await harness.start(isChallenged: true)
            #expect(try await start(harness, superseding: challenged, Harness.proof).status == .ok)
            #expect(try await harness.word(challenged, Harness.proof) == "superseded")
            let bound = try await harness.start()
            #expect(try await start(harness, superseding: bound, bound.bound).status == .ok)
            #expect(try await harness.word(bound, bound.bound) == "superseded")
        }
    }

    // T-023
    @Test func `attack: a start that supersedes a login without its proof does not end it and answers as a decoy's`()
        async throws
    {
        try await Harness.run { harness in
            let victims = try await harness.start(isChallenged: true)
            let wrong: HTTPFields = [.codeVerifier: String(repeating: "x", count: 43)]
            let decoy = try await harness.start("nobody@example.com", isChallenged: true)
            for headers in [HTTPFields(), wrong, victims.bound] {
                let one = try await start(harness, superseding: victims, headers)
                let other = try await start(harness, superseding: decoy, headers)
                #expect(one.status == .ok && one.headerNames == other.headerNames)
                #expect(one.body.readableBytes == other.body.readableBytes)
            }
            #expect(try await harness.word(victims, Harness.proof) == "created")
            #expect(try await harness.word(decoy, Harness.proof) == "created")
        }
    }

    @Test func `a malformed id to supersede gets 400, and an unknown one is ignored`() async throws {
        try await Harness.run { harness in
            let answer = try await harness.post(
                Harness.initiatePath,
                #"{"email":"ada@example.com","supersedes":"the old one"}"#
            )
            try harness.expect(answer, is: "invalid_request", 400)
            let unknown = try await harness.post(
                Harness.initiatePath,
                #"{"email":"ada@example.com","supersedes":"00000000-0000-4000-8000-000000000000"}"#
            )
            #expect(unknown.status == .ok)
        }
    }

    // T-023
    @Test func `a linked device has one login under way, and an outsider's start does not end it`() async throws {
        try await KnownDeviceTests.afterSignIn(initiators: .anyone) { harness, device in
            let first = try await harness.start(with: .cookies(device))
            let second = try await harness.start(with: .cookies(device))
            #expect(try await harness.word(first, first.bound) == "superseded")
            let outsiders = try await harness.start()
            for login in [second, outsiders] { #expect(try await harness.word(login, login.bound) == "created") }
        }
    }
}
