import Foundation
import Testing

@testable import VestibuleClient

@Suite struct CookieJarTests {
    static let now = VirtualTime.epoch

    /// A jar that was told those fields by `url`, and the header for `target`.
    private func header(_ fields: [String], from url: String, to target: String, after: Double = 0) throws -> String? {
        var jar = CookieJar()
        for field in fields { jar.accept(setCookie: field, from: try #require(URL(string: url)), now: Self.now) }
        return jar.header(for: try #require(URL(string: target)), now: Self.now.addingTimeInterval(after))
    }

    struct Case: Sendable {
        let field: String
        var from = "https://example.com/auth/biometric-login/initiate"
        var to = "https://example.com/auth/biometric-login/poll/1"
        var after = 0.0
        let header: String?
    }

    @Test(arguments: [
        Case(field: "a=1", header: "a=1"),
        Case(field: "a=1; Path=/", to: "https://example.com/", header: "a=1"),
        Case(field: "  a = 1 ; Path = / ", header: "a=1"),
        Case(field: "a=", header: "a="),
        Case(field: "a=b=c", header: "a=b=c"),
        Case(field: "a=\"q\"", header: "a=\"q\""),
        Case(field: "=1", header: nil),
        Case(field: "a", header: nil),
        Case(field: "", header: nil),
        Case(field: "a=1\u{1}", header: nil),
        // RFC 6265 §5.1.4: the default path is the folder of the request, and a path matches whole segments.
        Case(field: "a=1", to: "https://example.com/auth/other", header: nil),
        Case(field: "a=1; Path=/auth", header: "a=1"),
        Case(field: "a=1; Path=/auth/", header: "a=1"),
        Case(field: "a=1; Path=/au", header: nil),
        Case(field: "a=1; Path=auth", header: "a=1"),
        Case(field: "a=1; Path=/x; Path=/", to: "https://example.com/y", header: "a=1"),
        Case(field: "a=1", from: "https://example.com", to: "https://example.com/any", header: "a=1"),
        // Host-bound, whatever the domain says.
        Case(field: "a=1; Path=/; Domain=example.com", to: "https://sub.example.com/", header: nil),
        Case(field: "a=1; Path=/; Domain=.EXAMPLE.com", header: "a=1"),
        Case(field: "a=1; Path=/; Domain=other.com", header: nil),
        Case(field: "a=1; Path=/; Domain=ample.com", header: nil),
        Case(field: "a=1; Path=/", to: "https://EXAMPLE.com/", header: "a=1"),
        Case(field: "a=1; Path=/", to: "https://example.com.evil.org/", header: nil),
        Case(field: "a=1; Path=/", to: "https://example.com:8443/", header: "a=1"),
        // Secure: https, and http that stays on this machine.
        Case(field: "a=1; Path=/; Secure", to: "http://example.com/", header: nil),
        Case(field: "a=1; Path=/; Secure", from: "http://example.com/", to: "https://example.com/", header: nil),
        Case(field: "a=1; Path=/; Secure", from: "http://localhost:8080/", to: "http://localhost:8080/", header: "a=1"),
        Case(field: "a=1; Path=/; Secure", from: "http://[::1]:8080/", to: "http://[::1]:8080/", header: "a=1"),
        // Lifetimes; Max-Age wins.
        Case(field: "a=1; Max-Age=60", after: 59, header: "a=1"),
        Case(field: "a=1; Max-Age=60", after: 60, header: nil),
        Case(field: "a=1; Max-Age=0", header: nil),
        Case(field: "a=1; Max-Age=-5", header: nil),
        Case(field: "a=1; Max-Age=soon", header: "a=1"),
        Case(field: "a=1; Max-Age=99999999999999999999", after: 86_400, header: "a=1"),
        Case(field: "a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT", header: nil),
        Case(field: "a=1; Expires=Sun, 15 Jun 2025 15:11:00 GMT", after: 259, header: "a=1"),
        Case(field: "a=1; Expires=Sun, 15 Jun 2025 15:11:00 GMT", after: 260, header: nil),
        Case(field: "a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", header: "a=1"),
        Case(field: "a=1; expires=nonsense", header: "a=1"),
    ])
    func `a cookie is sent where it belongs`(example: Case) throws {
        #expect(try header([example.field], from: example.from, to: example.to, after: example.after) == example.header)
    }

    @Test func `longer paths come first, then the older cookie`() throws {
        let header = try header(
            ["a=1; Path=/", "b=2; Path=/auth", "c=3; Path=/", "a=4; Path=/"],
            from: "https://example.com/",
            to: "https://example.com/auth/x"
        )
        #expect(header == "b=2; a=4; c=3")
    }

    @Test func `a cookie is removed by its own host and path only`() throws {
        let gone = "a=; Path=/; Max-Age=0"
        let url = "https://example.com/auth/x"
        #expect(try header(["a=1; Path=/", gone], from: url, to: url) == nil)
        #expect(try header(["a=1; Path=/auth", gone], from: url, to: url) == "a=1")
    }

    @Test func `a jar does not grow without end`() throws {
        let fields = (0..<60).map { "c\($0)=v; Path=/" }
        let header = try #require(try header(fields, from: "https://example.com/", to: "https://example.com/"))
        let names = header.split(separator: ";")
        #expect(names.count == CookieJar.capacity)
        #expect(names.first == "c10=v")
        #expect(
            try self.header(
                ["big=" + String(repeating: "x", count: 4096)],
                from: "https://example.com/",
                to: "https://example.com/"
            ) == nil
        )
    }

    @Test func `a jar survives being stored`() throws {
        var credentials = StoredCredentials()
        let url = try #require(URL(string: "https://example.com/"))
        credentials.cookies.accept(
            setCookie: "vst_device=d; Path=/; HttpOnly; Secure; Max-Age=7776000",
            from: url,
            now: Self.now
        )
        let read = try StoredCredentials(decoding: credentials.encoded())
        #expect(read == credentials)
        #expect(read.cookies.header(for: url, now: Self.now) == "vst_device=d")
    }
}

@Suite struct SetCookieTests {
    @Test(arguments: [
        ("a=1", ["a=1"]),
        ("a=1, b=2", ["a=1", " b=2"]),
        (
            "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT, b=2; Path=/",
            ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", " b=2; Path=/"]
        ),
        (
            "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/x=y",
            ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT; Path=/x=y"]
        ),
        ("a=1,5; Path=/,vst_b=2", ["a=1,5; Path=/", "vst_b=2"]),
        (
            "a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT,b=2,c=3",
            ["a=1; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "b=2", "c=3"]
        ),
    ])
    func `joined fields are taken apart`(joined: String, fields: [String]) {
        #expect(SetCookie.fields(joined: joined) == fields)
    }

    @Test func `attributes are read in any case, and the last one counts`() throws {
        let cookie = try #require(
            SetCookie("a=1; PATH=/x; secure; HTTPONLY; max-age=5; Max-Age=7; SameSite=Lax; Domain=.A.b")
        )
        #expect(cookie.path == "/x")
        #expect(cookie.isSecure)
        #expect(cookie.isHTTPOnly)
        #expect(cookie.maxAge == 7)
        #expect(cookie.domain == "a.b")
    }
}

@Suite struct CookieDateTests {
    @Test(arguments: [
        ("Wed, 09 Jun 2021 10:18:14 GMT", 1_623_233_894.0),
        ("Wednesday, 09-Jun-21 10:18:14 GMT", 1_623_233_894),
        ("Wed Jun  9 10:18:14 2021", 1_623_233_894),
        ("9 june 2021 10:18:14", 1_623_233_894),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Thu, 29 Feb 2024 23:59:59 GMT", 1_709_251_199),
        ("Tue, 01-Jan-85 1:2:3 GMT", 473_389_323),
        ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ("Mon, 01 Jan 1601 00:00:00 GMT", -11_644_473_600),
    ])
    func `the forms of the field are read`(text: String, seconds: Double) {
        #expect(CookieDate.parse(text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "soon", "Wed, 09 Jun 2021", "10:18:14", "Wed, 31 Jun 2021 10:18:14 GMT", "29 Feb 2023 00:00:00",
        "09 Jun 1600 10:18:14", "09 Jun 2021 24:00:00", "09 Jun 2021 10:60:14", "0 Jun 2021 10:18:14",
        "09 Foo 2021 10:18:14", "09 Jun 2021 100:18:14",
    ])
    func `an invalid date is ignored`(text: String) {
        #expect(CookieDate.parse(text) == nil)
    }
}
