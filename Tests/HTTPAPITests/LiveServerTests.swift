import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import ScriptedServer
import Testing
import Wire

@testable import Assembly

/// Behaviour that only a real connection shows.
struct LiveServerTests {
    @Test func `a login goes through over a connection, from the start to the acknowledgement`() async throws {
        try await Harness.run(.live) { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            let body = try await harness.poll(login, login.bound).decode(PollLoginResponse.self)
            #expect(body.status == .completed && body.tokens != nil)
            let receipt = try await harness.send(.post, login.ackPath, login.bound)
            #expect(receipt.status == .ok)
            #expect(harness.log.requests.allSatisfy { $0.metadata["address"] != "-" }, "the log has the address")
        }
    }

    // T-229
    @Test func `attack: a chunked body over 64 KiB gets 413`() async throws {
        try await Harness.run(.live) { harness in
            let answer = try await Self.chunked(harness, String(repeating: " ", count: 65_537))
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(200))")
            #expect(answer.contains(#""code":"payload_too_large""#))
            #expect(answer.lowercased().contains("x-content-type-options: nosniff"))
            let short = #"{"email":"ada@example.com"}"#
            let largest = short + String(repeating: " ", count: 65_536 - short.utf8.count)
            #expect(try await Self.chunked(harness, largest).hasPrefix("HTTP/1.1 200 "))
        }
    }

    // T-229
    @Test func `attack: a Content-Length over the limit is refused before the body is sent`() async throws {
        try await Harness.run(.live) { harness in
            let answer = try await RawSocket.exchange(
                try #require(harness.client.port),
                """
                POST \(Harness.initiatePath) HTTP/1.1\r
                Host: localhost\r
                Content-Type: application/json\r
                Content-Length: 100000000\r
                Connection: close\r
                \r

                """
            )
            #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer.prefix(200))")
        }
    }

    @Test func `HEAD has the headers of GET and no body`() async throws {
        try await Harness.run(.live) { harness in
            let login = try await harness.start()
            for path in [login.landingPath, "/livez"] {
                let answer = try await RawSocket.exchange(
                    try #require(harness.client.port),
                    "HEAD \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                )
                #expect(answer.hasPrefix("HTTP/1.1 200 "))
                #expect(answer.hasSuffix("\r\n\r\n"), "nothing behind the headers")
            }
            #expect(harness.provider.calls.isEmpty)
        }
    }

    // T-003
    @Test func `attack: a login without cookies is collected only with its own address and User-Agent`() async throws {
        try await Harness.run(.live) { harness in
            let login = try await harness.start()
            try await harness.approve(login)
            #expect(try await harness.word(login, [.userAgent: "App/1"]) == "completed")
            #expect(try await harness.word(login, [.userAgent: "App/1"]) == "completed")
            #expect(try await harness.word(login, [.userAgent: "Thief/1"]) == "created")
        }
    }

    private static let malformed = [
        "GET /livez HTTP/1.1\r\n\r\n", "GET  HTTP/1.1\r\nHost: x\r\n\r\n", "BREW /livez HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET http://evil.example.com/livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", "\u{0}\u{0}\r\n\r\n",
    ]

    // T-228
    @Test func `attack: malformed requests get no 500, and the server goes on answering others`() async throws {
        try await Harness.run(.live) { harness in
            let port = try #require(harness.client.port)
            for text in Self.malformed {
                let close = text.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n")
                let answer = try await RawSocket.exchange(port, close)
                #expect(!answer.contains("HTTP/1.1 500"), "\(text)")
                #expect(try await harness.send(.get, "/livez").status == .ok, "\(text)")
            }
        }
    }

    private static func chunked(_ harness: Harness, _ body: String) async throws -> String {
        var text = """
            POST \(Harness.initiatePath) HTTP/1.1\r
            Host: localhost\r
            Content-Type: application/json\r
            Transfer-Encoding: chunked\r
            Connection: close\r
            \r

            """
        var rest = Substring(body)
        while !rest.isEmpty {
            let chunk = rest.prefix(8192)
            text += String(chunk.utf8.count, radix: 16) + "\r\n" + chunk + "\r\n"
            rest = rest.dropFirst(8192)
        }
        return try await RawSocket.exchange(try #require(harness.client.port), text + "0\r\n\r\n")
    }
}
