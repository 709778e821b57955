import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wire

@testable import Assembly

/// `landing: direct`: the provider's address at once, for trying things out.
struct DirectLandingTests {
    private static func direct(_ settings: inout Settings) { settings.faceLogin.landing = .direct }

    @Test func `a start begins the scan and answers with the provider's address`() async throws {
        try await Harness.run {
            Self.direct(&$0)
        } _: { harness in
            let response = try await harness.post(Harness.initiatePath, #"{"email":"ada@example.com"}"#)
            #expect(response.status == .ok)
            let answer = try response.decode(InitiateLoginResponse.self)
            #expect(answer.authUrl == "https://provider.example.com/scan-1" && answer.authIdUrl == answer.authUrl)
            #expect(answer.seq == 3 && answer.status == .pending && answer.operationExpiresIn == 180)
            #expect(harness.provider.beginCount == 1)
            let cookie = try #require(response.cookie("vst_op_"))
            try await harness.judge(.approved)
            let path = "/auth/biometric-login/poll/\(answer.operationId)"
            let poll = try await harness.send(.get, path, .cookies(cookie)).decode(PollLoginResponse.self)
            #expect(poll.status == .completed && poll.tokens != nil)
        }
    }

    @Test func `who has no account, and everybody while the provider is down, gets the ordinary link`() async throws {
        try await Harness.run {
            Self.direct(&$0)
        } _: { harness in
            let nobody = try await harness.start("nobody@example.com")
            #expect(nobody.answer.authUrl.hasPrefix("http://localhost:8080/go/"))
            #expect(try await harness.open(nobody).text.contains("Sign in another way first"))
            harness.provider.fail(with: .unavailable(cause: "down"))
            let login = try await harness.start()
            #expect(login.answer.authUrl.hasPrefix("http://localhost:8080/go/"))
            harness.provider.fail(with: nil)
            #expect(try await harness.open(login).status == .seeOther)
        }
    }

    @Test func `a cross-device login asks for its number all the same`() async throws {
        try await Harness.run {
            Self.direct(&$0)
        } _: { harness in
            let body = #"{"email":"ada@example.com","mode":"cross-device"}"#
            let answer = try await harness.post(Harness.initiatePath, body).decode(InitiateLoginResponse.self)
            #expect(answer.number != nil && answer.authUrl.hasPrefix("http://localhost:8080/go/"))
            #expect(harness.provider.calls.isEmpty)
        }
    }
}
