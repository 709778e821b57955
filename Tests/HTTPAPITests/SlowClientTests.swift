import HTTPTypes
import HummingbirdTesting
import Logging
import MemoryStore
import NIOCore
import ScriptedServer
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// Clients that send slowly, break off, or don't read: what they hold ends (OWASP, Denial of Service Cheat Sheet).
@Suite(.serialized)
struct SlowClientTests {
    private static func beginning(_ path: String, type: String = "application/json", _ body: String = "{") -> String {
        "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: 60000\r\n\r\n\(body)"
    }

    private static let form = "application/x-www-form-urlencoded"

    // RFC 9110 §15.5.9.
    // T-229
    @Test(arguments: [
        (beginning(Harness.initiatePath), #""code":"request_timeout""#),
        (beginning("/oauth/token", type: form, "grant_type="), #""error":"invalid_request""#),
        (
            "POST \(Harness.initiatePath) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", #""code":"request_timeout""#
        ),
    ])
    func `attack: a body that does not arrive in time gets 408, and its connection is closed`(
        _ text: String,
        _ word: String
    ) async throws {
        try await Harness.run(.live, silence: .milliseconds(300)) { harness in
            let answer = try await RawSocket.exchange(try #require(harness.client.port), text, isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 408 "), "\(answer.prefix(200))")
            #expect(answer.contains(word), "\(answer)")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(harness.log.lines.allSatisfy { $0.level < .error })
        }
    }

    // T-229
    @Test(arguments: [beginning("/no/such/path"), beginning("/livez")])
    func `attack: a slow body to a route that reads none does not keep its connection open`(_ text: String) async throws
    {
        try await Harness.run(.live, silence: .milliseconds(300)) { harness in
            let answer = try await RawSocket.exchange(try #require(harness.client.port), text, isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 40"), "\(answer.prefix(200))")
        }
    }

    // RFC 9112 §8: such a message is incomplete.
    // T-229
    @Test(arguments: [
        (beginning(Harness.initiatePath), #""code":"incomplete_body""#),
        (beginning("/oauth/token", type: form, "grant_type="), #""error":"invalid_request""#),
    ])
    func `attack: a body that breaks off gets 400 and is logged below error`(
        _ text: String,
        _ word: String
    ) async throws {
        try await Harness.run(.live) { harness in
            let answer = try await RawSocket.exchange(try #require(harness.client.port), text)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(200))")
            #expect(answer.contains(word), "\(answer)")
            #expect(harness.log.lines.allSatisfy { $0.level < .error })
            #expect(
                harness.log.lines.contains {
                    $0.message == "the body of a request did not arrive whole" && $0.level == .debug
                }
            )
        }
    }

    // T-231
    @Test func `attack: a client that pipelines requests and never reads is disconnected`() async throws {
        try await Harness.run(.live, silence: .seconds(1)) { harness in
            let style = "/assets/\(SiteAssets(in: .english).version)/style.css"
            #expect(try await harness.send(.get, style).status == .ok)
            let isEnded = try await RawSocket.isEndedUnread(
                try #require(harness.client.port),
                flooding: String(repeating: "GET \(style) HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 100)
            )
            #expect(isEnded)
            #expect(try await harness.send(.get, "/livez").status == .ok)
        }
    }
}
