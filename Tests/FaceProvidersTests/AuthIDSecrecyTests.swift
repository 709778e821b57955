import Foundation
import Kernel
import MemoryStore
import Operations
import ScriptedServer
import Testing

@testable import FaceProviders

struct AuthIDSecrecyTests {
    private typealias Replies = FakeAuthID.Replies

    private static let basic = Data("\(FakeAuthID.keyID):\(FakeAuthID.keyValue)".utf8).base64EncodedString()
    /// All that must stay inside: keys, tokens and one-time secrets.
    private static let secrets = [
        FakeAuthID.keyID, FakeAuthID.keyValue, basic, "access-", "refresh-", "ots=+/1", "ots%3D%2B%2F1",
    ]

    private func expectNoSecrets(in text: String) {
        for secret in Self.secrets where text.contains(secret) { Issue.record("\(secret) in: \(text)") }
    }

    /// Returns an answer that echoes the keys, and the token that its call carried.
    private static func echo(_ status: Int, _ token: String) -> ScriptedReply {
        Replies.error(
            status,
            FakeAuthID.keyValue,
            message: "\(FakeAuthID.keyID) Basic \(basic) Bearer \(token) \(token.prefix(1))\\u0000\(token.dropFirst())"
        )
    }

    // T-217
    @Test(arguments: [400, 409, 500])
    func `a provider that echoes our secrets does not get them into errors or logs`(_ status: Int) async throws {
        let replies = Replies(
            begin: { $0.number == 1 ? Self.echo(401, "access-1") : Self.echo(status, "access-r1") },
            status: { _ in Self.echo(status, "access-r1") }
        )
        try await FakeAuthID.run(replies) { authID in
            for failure in [await authID.beginFailure(), await authID.checkFailure()] {
                let text = String(reflecting: try #require(failure))
                #expect(text.contains("<secret>"))
                expectNoSecrets(in: text)
            }
            expectNoSecrets(in: authID.log.text)
        }
    }

    // T-217
    @Test func `the answer to a second 401 does not tell the renewed token`() async throws {
        let replies = Replies(status: { Self.echo(401, $0.number == 1 ? "access-1" : "access-r1") })
        try await FakeAuthID.run(replies) { authID in
            let text = String(reflecting: try #require(await authID.checkFailure()))
            #expect(text.contains("<secret>"))
            expectNoSecrets(in: text)
        }
    }

    // T-217
    @Test func `a login from start to end logs no secret`() async throws {
        try await FakeAuthID.run(Replies(refresh: { _ in Self.echo(400, "refresh-1") })) { authID in
            let started = try await authID.begin()
            expectNoSecrets(in: "\(started) \(String(reflecting: started))")
            authID.time.advance(by: .seconds(900))
            _ = try await authID.check()
            #expect(authID.log.text.contains("authid"))
            #expect(authID.log.text.contains("HTTP 400"))
            #expect(authID.log.text.contains("<secret>"))
            expectNoSecrets(in: authID.log.text)
        }
    }

    // T-217
    @Test(arguments: [
        ScriptedReply.reset, .flood, .answer(302, ["Location": "/?access-1"]), .raw("x", thenClose: true),
    ])
    func `failures on the way tell no secret`(_ fault: ScriptedReply) async throws {
        let replies = Replies(begin: { _ in fault }, status: { _ in fault })
        try await FakeAuthID.run(replies, maxResponseBytes: 2000) { authID in
            let failures = [await authID.beginFailure(), await authID.checkFailure()]
            for failure in failures { expectNoSecrets(in: String(reflecting: failure)) }
            #expect(!authID.log.lines.isEmpty)
            expectNoSecrets(in: authID.log.text)
        }
    }

    @Test func `the configuration prints without its keys`() {
        let configuration = AuthIDConfiguration(
            baseURL: "https://id.example.com/",
            pageURL: "https://id.example.com",
            keyID: Secret(FakeAuthID.keyID),
            keyValue: Secret(FakeAuthID.keyValue)
        )
        var text = String(reflecting: configuration)
        dump(configuration, to: &text)
        dump(AuthIDCall.refresh(Secret("refresh-1")), to: &text)
        expectNoSecrets(in: text)
    }

    // T-217
    @Test func `a secret at the cut leaves no half behind`() {
        let redaction = LogRedaction([Secret("topsecret")])
        #expect(redaction.logText("12345topsecret", limit: 9) == "12345<sec")
        #expect(redaction.logText("top\u{200B}secret", limit: 99) == "<secret>")
        #expect(redaction.logText("\r\n\t", limit: 99) == nil)
        #expect(redaction.logText(nil, limit: 99) == nil)
    }
}
