import HTTPTypes
import HummingbirdTesting
import MemoryStore
import NIOCore
import Operations
import Settings
import Testing

@testable import Vestibule

/// `supersedes` in a start, and the effect of a linked device's newer start.
struct SupersedeTests {
    private func start(
        _ bench: Bench,
        superseding old: StartedLogin,
        _ headers: HTTPFields,
        email: String = "ada@example.com"
    ) async throws -> TestResponse {
        try await bench.post(Bench.initiatePath, "{\"email\":\"\(email)\",\"supersedes\":\"\(old.id)\"}", headers)
    }

    @Test func `the verifier of the old login, or its cookie, ends it`() async throws {
        try await Bench.run { bench in
            let challenged = try await bench.start(isChallenged: true)
            #expect(try await start(bench, superseding: challenged, Bench.proof).status == .ok)
            #expect(try await bench.word(challenged, Bench.proof) == "superseded")
            let bound = try await bench.start()
            #expect(try await start(bench, superseding: bound, bound.bound).status == .ok)
            #expect(try await bench.word(bound, bound.bound) == "superseded")
        }
    }

    @Test func `attack: without its proof nobody ends a login, and is told nothing of it`() async throws {
        try await Bench.run { bench in
            let victims = try await bench.start(isChallenged: true)
            let wrong: HTTPFields = [.codeVerifier: String(repeating: "x", count: 43)]
            let decoy = try await bench.start("nobody@example.com", isChallenged: true)
            for headers in [HTTPFields(), wrong, victims.bound] {
                let one = try await start(bench, superseding: victims, headers)
                let other = try await start(bench, superseding: decoy, headers)
                #expect(one.status == .ok && one.headerNames == other.headerNames)
                #expect(one.body.readableBytes == other.body.readableBytes)
            }
            #expect(try await bench.word(victims, Bench.proof) == "created")
            #expect(try await bench.word(decoy, Bench.proof) == "created")
        }
    }

    @Test func `an id that is none is a fault of the input; one that nobody was given is not`() async throws {
        try await Bench.run { bench in
            let answer = try await bench.post(
                Bench.initiatePath,
                #"{"email":"ada@example.com","supersedes":"the old one"}"#
            )
            try bench.expect(answer, is: "invalid_request", 400)
            let unknown = try await bench.post(
                Bench.initiatePath,
                #"{"email":"ada@example.com","supersedes":"00000000-0000-4000-8000-000000000000"}"#
            )
            #expect(unknown.status == .ok)
        }
    }

    @Test func `a linked device has one login under way, and a stranger's start does not end it`() async throws {
        try await KnownDeviceTests.afterSignIn(initiators: .anyone) { bench, device in
            let first = try await bench.start(with: .cookies(device))
            let second = try await bench.start(with: .cookies(device))
            #expect(try await bench.word(first, first.bound) == "superseded")
            let strangers = try await bench.start()
            for login in [second, strangers] { #expect(try await bench.word(login, login.bound) == "created") }
        }
    }
}
