import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Vestibule

/// `landing: direct`: the provider's address at once, for trying things out.
struct DirectLandingTests {
    private static func direct(_ settings: inout Settings) { settings.faceLogin.landing = .direct }

    @Test func `a start begins the scan and answers with the provider's address`() async throws {
        try await Bench.run {
            Self.direct(&$0)
        } _: { bench in
            let response = try await bench.post(Bench.initiatePath, #"{"email":"ada@example.com"}"#)
            #expect(response.status == .ok)
            let answer = try response.decode(InitiateLoginResponse.self)
            #expect(answer.authUrl == "https://provider.example.com/scan-1" && answer.authIdUrl == answer.authUrl)
            #expect(answer.seq == 3 && answer.status == .pending && answer.operationExpiresIn == 180)
            #expect(bench.provider.beginCount == 1)
            let cookie = try #require(response.cookie("vst_op_"))
            try await bench.judge(.approved)
            let path = "/auth/biometric-login/poll/\(answer.operationId)"
            let poll = try await bench.send(.get, path, .cookies(cookie)).decode(PollLoginResponse.self)
            #expect(poll.status == .completed && poll.tokens != nil)
        }
    }

    @Test func `who has no account, and everybody while the provider is down, gets the ordinary link`() async throws {
        try await Bench.run {
            Self.direct(&$0)
        } _: { bench in
            let nobody = try await bench.start("nobody@example.com")
            #expect(nobody.answer.authUrl.hasPrefix("http://localhost:8080/go/"))
            #expect(try await bench.open(nobody).text.contains("Sign in another way first"))
            bench.provider.fail(with: .unavailable(cause: "down"))
            let login = try await bench.start()
            #expect(login.answer.authUrl.hasPrefix("http://localhost:8080/go/"))
            bench.provider.fail(with: nil)
            #expect(try await bench.open(login).status == .seeOther)
        }
    }

    @Test func `a cross-device login asks for its number all the same`() async throws {
        try await Bench.run {
            Self.direct(&$0)
        } _: { bench in
            let body = #"{"email":"ada@example.com","mode":"cross-device"}"#
            let answer = try await bench.post(Bench.initiatePath, body).decode(InitiateLoginResponse.self)
            #expect(answer.number != nil && answer.authUrl.hasPrefix("http://localhost:8080/go/"))
            #expect(bench.provider.calls.isEmpty)
        }
    }
}
