import HTTPTypes
import Hummingbird
import Kernel
import NIOCore
import Testing

@testable import HTTPAPI

struct IncomingCookiesTests {
    @Test func `a name sent twice gives its first cookie, and all of its values in their order`() {
        let cookies = IncomingCookies(Self.request("sid=first; other=x; sid=second"))
        #expect(cookies["sid"]?.expose() == "first")
        #expect(cookies.values(of: "sid") == ["first", "second"])
    }

    // RFC 9113 §8.2.3: a client may send each cookie in a field of its own.
    @Test func `cookies in several fields are read like those of one`() {
        let cookies = IncomingCookies(Self.request("a=1", "sid=2; a=3"))
        #expect(cookies["sid"]?.expose() == "2")
        #expect(cookies.values(of: "a") == ["1", "3"])
    }

    @Test func `a name counts whole and in its case`() {
        let cookies = IncomingCookies(Self.request("my.sid=1; Sid=2; sidx=3; sid =4; __Host-sid=5; x=sid=6;sid=7"))
        #expect(cookies.values(of: "sid") == ["7"])
        #expect(cookies["sid"]?.expose() == "7")
    }

    @Test(arguments: [#""abc""#, #""a"#, #"a\b"#, "a b", "abc ", "a%20b", "a+b", "a/b", "YQ==", "a,b", "ä", "a\tb"])
    func `a value that is quoted or not in base64url is listed, and is not a secret`(_ value: String) {
        let cookies = IncomingCookies(Self.request("sid=\(value); a=b"))
        #expect(cookies.values(of: "sid") == [Substring(value)])
        #expect(cookies["sid"] == nil)
        #expect(cookies["a"]?.expose() == "b")
    }

    @Test func `quotes do not hide the end of a cookie`() {
        let cookies = IncomingCookies(Self.request(#"a="x; sid=inside; b=y""#))
        #expect(cookies["sid"]?.expose() == "inside")
    }

    @Test func `a malformed first cookie is not replaced by the next of its name`() {
        let cookies = IncomingCookies(Self.request(#"sid="x"; sid=good"#))
        #expect(cookies["sid"] == nil)
        #expect(cookies.values(of: "sid") == [#""x""#, "good"])
    }

    @Test func `a request without the field has no cookies`() {
        let cookies = IncomingCookies(Self.request())
        #expect(cookies.isEmpty && cookies["sid"] == nil && cookies.values(of: "sid").isEmpty)
    }

    @Test(arguments: ["", " ", ";", "; ;; ", "sid", "=x", "sid;a=b"])
    func `a field that lacks the pair gives nothing`(_ header: String) {
        let cookies = IncomingCookies(Self.request(header))
        #expect(cookies["sid"] == nil && cookies.values(of: "sid").isEmpty)
    }

    @Test func `an empty value is listed, and is not a secret`() {
        let cookies = IncomingCookies(Self.request("a=b; sid="))
        #expect(cookies["sid"] == nil && cookies.values(of: "sid") == [""])
    }

    @Test(arguments: [(256, 256), (1, 1), (43, 1000)])
    func `a value may be as long as its limit`(_ length: Int, _ limit: Int) {
        let value = String(repeating: "A", count: length)
        let cookies = IncomingCookies(Self.request("sid=\(value)"))
        #expect(cookies["sid", atMost: limit]?.expose() == value)
    }

    @Test func `a longer value is listed, and is not a secret`() {
        let value = String(repeating: "A", count: 257)
        let cookies = IncomingCookies(Self.request("sid=\(value)"))
        #expect(cookies["sid"] == nil && cookies["sid", atMost: 12] == nil)
        #expect(cookies["sid", atMost: 257]?.expose() == value)
        #expect(cookies.values(of: "sid") == [Substring(value)])
    }

    // RFC 6265 §5.4: the cookie of the longer path comes first, whoever set it.
    @Test func `attack: a tossed cookie with a longer path does not count where a companion cookie is expected`() {
        let cookies = CompanionCookies(name: "sid", maxAge: .seconds(60), isSecure: true)
        let pair = "sid=\(Self.tossed); sid=\(Self.own)"
        #expect(IncomingCookies(Self.request(pair))["sid"]?.expose() == Self.tossed)
        #expect(cookies.secret(Self.request(pair + "; __Host-sid=\(Self.own)"))?.expose() == Self.own)
        #expect(cookies.secret(Self.request(pair)) == nil)
        #expect(cookies.secret(Self.request("sid=\(Self.tossed); __Host-sid=\(Self.own)")) == nil)
        #expect(cookies.secret(Self.request(pair + "; __Host-sid=\(Self.tossed); __Host-sid=\(Self.own)")) == nil)
    }

    @Test func `attack: over plain http two cookies of one name count as none`() {
        let cookies = CompanionCookies(name: "sid", maxAge: .seconds(60), isSecure: false)
        #expect(cookies.secret(Self.request("sid=\(Self.tossed); sid=\(Self.own)")) == nil)
        #expect(cookies.secret(Self.request("sid=\(Self.own); __Host-sid=\(Self.tossed)"))?.expose() == Self.own)
    }

    /// Two values of 256 bits in base64url.
    private static let own = String(repeating: "o", count: 43)
    private static let tossed = String(repeating: "t", count: 43)

    private static func request(_ fields: String...) -> Request {
        var head = HTTPRequest(method: .get, scheme: "https", authority: "id.example.com", path: "/")
        head.headerFields = HTTPFields(fields.map { HTTPField(name: .cookie, value: $0) })
        return Request(head: head, body: .init(buffer: ByteBuffer()))
    }
}
