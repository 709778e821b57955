import Testing
import TokenReading

struct TargetURITests {
    @Test(arguments: [
        ("https://login.example.com/auth/me", "https://login.example.com/auth/me"),
        ("HTTPS://Login.Example.COM/auth/me", "https://login.example.com/auth/me"),
        ("https://login.example.com:443/auth/me", "https://login.example.com/auth/me"),
        ("https://login.example.com:/auth/me", "https://login.example.com/auth/me"),
        ("http://localhost:80/", "http://localhost/"),
        ("http://localhost:8080", "http://localhost:8080/"),
        ("https://login.example.com:80/", "https://login.example.com:80/"),
        ("https://login.example.com/auth/me?a=b#c", "https://login.example.com/auth/me"),
        ("https://login.example.com#c?d", "https://login.example.com/"),
        ("https://login.example.com/%61uth/%7euser/%2f%3A", "https://login.example.com/auth/~user/%2F%3A"),
        ("https://login.example.com/a/./b/../c/%2e%2e/d", "https://login.example.com/a/d"),
        ("https://login.example.com/a/b/..", "https://login.example.com/a/"),
        ("https://login.example.com/../../a/.", "https://login.example.com/a/"),
        ("https://login.example.com//a//b", "https://login.example.com//a//b"),
        ("https://[2001:DB8::1]:443/a", "https://[2001:db8::1]/a"),
        ("https://[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443/a"),
    ])
    func `two ways to write one URL have one form`(written: String, form: String) {
        #expect(TargetURI(written)?.text == form)
        #expect(TargetURI(form)?.text == form, "it is its own form")
    }

    // T-095
    @Test(arguments: [
        "", "login.example.com/a", "/auth/me", "//login.example.com/a", "https:login.example.com", "https://",
        "https:///a",
        "ftp://login.example.com/a", "javascript://login.example.com/a", "https://user@login.example.com/a",
        "https://login.example.com@evil.example.com/a", "https://login.example.com:x/a",
        "https://login.example.com:123456/a", "https://[2001:db8::1/a", "https://[::1]x/a", "https://a b/",
        "https://login.example.com/%zz", "https://login.example.com/%4", "https://l%6fgin.example.com/a",
        "https://login.example.com/\u{E9}", "https://login.example.com/a\n", " https://login.example.com/",
    ])
    func `a text other than an http URL, or with a hidden host, has no target URI`(text: String) {
        #expect(TargetURI(text) == nil)
    }

    @Test func `a URL may be so long and no longer`() {
        let start = "https://login.example.com/"
        let rest = TargetURI.maximumLength - start.utf8.count
        #expect(TargetURI(start + String(repeating: "a", count: rest)) != nil)
        #expect(TargetURI(start + String(repeating: "a", count: rest + 1)) == nil)
    }
}
