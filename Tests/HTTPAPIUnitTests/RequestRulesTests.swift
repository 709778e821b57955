import ScriptedServer
import Testing

@testable import HTTPAPI

/// Requests that a proxy in front may read otherwise than this server does (RFC 9112 §11.2, request smuggling).
struct RequestRulesTests {
    private static let host = "Host: localhost\r\n"
    private static let next = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static func get(_ fields: String, version: String = "1.1") -> String {
        "GET /livez HTTP/\(version)\r\n\(fields)\r\n"
    }

    private static func post(_ fields: String, _ body: String, version: String = "1.1") -> String {
        "POST \(EdgeServer.messages) HTTP/\(version)\r\nHost: localhost\r\nContent-Type: application/json\r\n\(fields)\r\n\(body)"
    }

    static let refused = [
        // RFC 9112 §3.2.
        "no Host": get(""), "two Hosts": get("Host: localhost\r\nhost: other.example.com\r\n"),
        "a Host that is none": get("Host: a b/c@d\r\n"),
        "two Hosts of HTTP/1.0": get(host + host, version: "1.0"),
        "an absolute target with a user": "GET http://ada@localhost/livez HTTP/1.1\r\n\(host)\r\n",
        "an absolute target of another scheme": "GET ftp://localhost/livez HTTP/1.1\r\n\(host)\r\n",
        // RFC 9112 §6.1, §6.3.
        "a length and chunks": post("Content-Length: 4\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        "two lengths": post("Content-Length: 2\r\nContent-Length: 3\r\n", "{} "),
        "a list of lengths": post("Content-Length: 2, 2\r\n", "{}"),
        "a signed length": post("Content-Length: +2\r\n", "{}"),
        "a space before the colon": post("Content-Length : 2\r\n", "{}"),
        "another coding": post("Transfer-Encoding: gzip\r\n", "0\r\n\r\n"),
        "another coding that nobody reads": get(host + "Transfer-Encoding: gzip\r\n"),
        "another coding before chunks": post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"),
        "another coding after chunks": post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
        "chunks twice": post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
        "chunks of HTTP/1.0": post("Transfer-Encoding: chunked\r\n", "0\r\n\r\n", version: "1.0"),
        // RFC 9112 §2.2, §5.2; RFC 9110 §5.5.
        "a folded field": get(host + "X-A: a\r\n b\r\n"), "a bare LF": "GET /livez HTTP/1.1\nHost: localhost\n\n",
        "a bare CR": get(host + "X-A: a\rX-B: b\r\n"), "a NUL": get(host + "X-A: a\u{0}b\r\n"),
        "a field without a colon": get(host + "Garbage\r\n"), "a field without a name": get(host + ": x\r\n"),
        "another version": get(host, version: "1.2"),
    ]

    // T-228
    @Test(arguments: refused.keys.sorted())
    func `attack: an ambiguous request gets 400, and the connection is closed before the next one`(
        _ name: String
    ) async throws {
        let text = try #require(Self.refused[name])
        try await EdgeServer.run { port in
            let answer = try await RawSocket.exchange(port, text + Self.next, isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(answer.prefix(200))")
            #expect(answer.count(of: "HTTP/1.1 ") == 1, "\(answer)")
            #expect(answer.contains(#""code":"invalid_request""#), "\(answer)")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
            #expect(answer.lowercased().contains("\r\nx-content-type-options: nosniff\r\n"))
        }
    }

    // T-228
    @Test func `attack: a refused request is answered in order behind earlier requests`() async throws {
        try await EdgeServer.run { port in
            let answer = try await RawSocket.exchange(port, Self.next + Self.get("") + Self.next, isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.count(of: "HTTP/1.1 ") == 2, "\(answer)")
            #expect(answer.count(of: "HTTP/1.1 400 ") == 1)
        }
    }

    // RFC 9110 §9.3.2.
    @Test func `a refused HEAD has no body`() async throws {
        try await EdgeServer.run { port in
            let answer = try await RawSocket.exchange(port, "HEAD /livez HTTP/1.1\r\n\r\n", isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 400 "))
            #expect(answer.hasSuffix("\r\n\r\n"))
        }
    }

    /// Requests that are answered, after which the server closes, as it says.
    static let last = [
        "HTTP/1.0 without a Host": get("", version: "1.0"),
        "another spelling": get(host + "Connection: Close\r\n"), "a list": get(host + "Connection: close, X-A\r\n"),
        // RFC 9110 §7.8: the server stays with HTTP/1.1, and nothing behind it was ever answered.
        "an upgrade": get(host + "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n"),
    ]

    // RFC 9112 §9.3, §9.6.
    @Test(arguments: last.keys.sorted())
    func `a connection that is over after its answer is closed, and told so`(_ name: String) async throws {
        let text = try #require(Self.last[name])
        try await EdgeServer.run { port in
            let answer = try await RawSocket.exchange(port, text, isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer.prefix(200))")
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"), "\(answer)")
        }
    }

    @Test func `of two answers the last one alone says that the connection is over`() async throws {
        try await EdgeServer.run { port in
            let text = Self.next + Self.get(Self.host + "Connection: close\r\n")
            let answer = try await RawSocket.exchange(port, text, isAll: false)
            #expect(answer.count(of: "HTTP/1.1 200 ") == 2)
            #expect(answer.lowercased().count(of: "\r\nconnection: close\r\n") == 1, "\(answer)")
        }
    }

    // T-228
    @Test func `attack: CONNECT gets 404, and the connection is closed`() async throws {
        try await EdgeServer.run { port in
            let text = "CONNECT other.example.com:443 HTTP/1.1\r\nHost: other.example.com:443\r\n\r\n" + Self.next
            let answer = try await RawSocket.exchange(port, text, isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 404 "), "\(answer.prefix(200))")
            #expect(answer.count(of: "HTTP/1.1 ") == 1)
            #expect(answer.lowercased().contains("\r\nconnection: close\r\n"))
        }
    }

    // RFC 9110 §10.1.1: a client that asks for a 100 waits for it.
    @Test func `who waits before the body is told to go on`() async throws {
        try await EdgeServer.run { port in
            let body = #"{"email":"ada@example.com"}"#
            let fields = "Expect: 100-continue\r\nConnection: close\r\nContent-Length: \(body.utf8.count)\r\n"
            let answer = try await RawSocket.exchange(port, Self.post(fields, body), isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 "), "\(answer.prefix(200))")
        }
    }

    // RFC 9110 §5.5.
    @Test(arguments: ["localhost ", "localhost\t", "localhost:8080 \t "])
    func `blanks behind a host are no part of it`(_ host: String) async throws {
        try await EdgeServer.run { port in
            let answer = try await RawSocket.exchange(
                port,
                Self.get("Host: \(host)\r\nConnection: close\r\n"),
                isAll: false
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer.prefix(200))")
        }
    }

    @Test func `before a refused HEAD no answer says that it is the last`() async throws {
        try await EdgeServer.run { port in
            let answer = try await RawSocket.exchange(port, Self.next + "HEAD /livez HTTP/1.1\r\n\r\n", isAll: false)
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
            #expect(answer.count(of: "HTTP/1.1 400 ") == 1)
            #expect(answer.lowercased().count(of: "\r\nconnection: close\r\n") == 1, "\(answer)")
        }
    }

    // RFC 9112 §3.2.2.
    @Test(arguments: [
        ("http://one.example.com:8080/livez?a=b", "one.example.com:8080"),
        ("HTTPS://one.example.com", "one.example.com"),
        ("http:///livez", ""), ("ftp://one.example.com/", ""),
    ])
    func `a target in absolute form has its own host`(_ target: String, _ host: String) {
        let named = RequestForm.authority(inTarget: target)
        #expect(named.map { String($0) } == host)
    }

    @Test(arguments: ["/livez", "/return?to=http://one.example.com", "*", "one.example.com:443"])
    func `the other forms of a target name no host`(_ target: String) {
        #expect(RequestForm.authority(inTarget: target) == nil)
    }
}

extension String {
    /// Returns how often the mark occurs in this text.
    fileprivate func count(of mark: String) -> Int { ranges(of: mark).count }
}
