import Testing

@testable import OAuth

/// Redirect URIs that are nearly those of a client (RFC 9700 §4.1).
struct RedirectURIMatchTests {
    private static let registered = "https://app.example.com/callback"

    @Test(arguments: [
        registered, "https://app.example.com/callback?tenant=7", "myapp.scheme.demo://code_callback",
        "http://127.0.0.1/cb", "http://[::1]:8080/cb", "com.example.app:/oauth",
    ])
    func `a redirect URI matches itself`(_ uri: String) {
        #expect(RedirectURIMatch.matches(uri, uri))
    }

    // O-001, O-004
    @Test(arguments: [
        // Case.
        "HTTPS://app.example.com/callback", "https://APP.example.com/callback", "https://app.example.com/Callback",
        // Port, also the default one.
        "https://app.example.com:443/callback", "https://app.example.com:8443/callback",
        // Path: longer, shorter, dot segments, encoded slashes and dots, doubled slashes.
        "https://app.example.com/callback/", "https://app.example.com/callback/evil", "https://app.example.com/",
        "https://app.example.com", "https://app.example.com/callback/../evil", "https://app.example.com/./callback",
        "https://app.example.com/x/../callback", "https://app.example.com/callback%2f..%2fevil",
        "https://app.example.com/%63allback", "https://app.example.com//callback",
        "https://app.example.com/callback%00",
        // Userinfo, other hosts, and what parsers take for hosts.
        "https://app.example.com@evil.example/callback", "https://evil.example/callback",
        "https://user:pass@app.example.com/callback", "https://app.example.com.evil.example/callback",
        "https://app.example.com\\@evil.example/callback", "https://evilapp.example.com/callback",
        "https://app.example.com%2eevil.example/callback", "https://app.example.com:@evil.example/callback",
        // Fragments and queries.
        "https://app.example.com/callback#", "https://app.example.com/callback#evil",
        "https://app.example.com/callback?x=1", "https://app.example.com/callback?",
        "https://app.example.com/callback;x",
        // Another scheme, white space, control characters, nothing.
        "http://app.example.com/callback", "javascript:alert(1)//app.example.com/callback",
        "//app.example.com/callback",
        " https://app.example.com/callback", "https://app.example.com/callback ",
        "https://app.example.com/callback\r\n",
        "https://app.example.com/callback\u{0}", "https://app.example.com/c\u{1D0}allback", "",
    ])
    func `a redirect URI that differs in anything is another`(_ asked: String) {
        #expect(!RedirectURIMatch.matches(asked, Self.registered))
    }

    // O-001
    @Test func `a redirect URI with composed or look-alike letters does not match`() {
        let composed = "https://app.example.com/caf\u{E9}"
        let decomposed = "https://app.example.com/cafe\u{301}"
        #expect(composed == decomposed, "Swift's own comparison says they are the same")
        #expect(!RedirectURIMatch.matches(decomposed, composed))
        #expect(!RedirectURIMatch.matches(composed, composed), "no URI has such letters")
    }

    // O-001
    @Test func `an overlong redirect URI does not match`() {
        let fits =
            Self.registered + "?" + String(repeating: "x", count: RedirectURIMatch.longest - Self.registered.count - 1)
        #expect(RedirectURIMatch.matches(fits, fits))
        #expect(!RedirectURIMatch.matches(fits + "x", fits + "x"))
        let huge = String(repeating: "https://app.example.com/callback", count: 50_000)
        #expect(!RedirectURIMatch.matches(huge, Self.registered))
    }

    // O-001
    @Test func `not even a registered redirect URI has a fragment`() {
        #expect(!RedirectURIMatch.matches("https://app.example.com/#x", "https://app.example.com/#x"))
    }

    // O-002
    @Test(arguments: [
        ("http://127.0.0.1:49152/cb", "http://127.0.0.1/cb"), ("http://127.0.0.1/cb", "http://127.0.0.1:3000/cb"),
        ("http://127.0.0.1:1/cb?x=1", "http://127.0.0.1:65535/cb?x=1"), ("http://[::1]:49152/cb", "http://[::1]/cb"),
        ("http://127.0.0.1:8080", "http://127.0.0.1"),
    ])
    func `the port of a loopback address is free`(_ asked: String, _ registered: String) {
        #expect(RedirectURIMatch.matches(asked, registered))
    }

    // O-001
    @Test(arguments: [
        "http://127.0.0.1:80@evil.example/cb", "http://127.0.0.1.evil.example/cb",
        "http://127.0.0.1:80.evil.example/cb",
        "http://127.0.0.1:/cb", "http://127.0.0.1:0/cb", "http://127.0.0.1:65536/cb", "http://127.0.0.1:000080/cb",
        "http://127.0.0.1:+80/cb", "http://127.0.0.1:-1/cb", "http://127.0.0.1:80/other", "http://127.0.0.1:80/cb/",
        "http://127.0.0.1:80/cb?x=1", "http://127.0.0.1:80/cb#x", "http://127.0.0.1:80/../cb",
        "https://127.0.0.1:80/cb",
        "http://localhost:80/cb", "http://[::1]:80/cb", "http://127.0.0.2:80/cb", "http://127.1/cb", "http://0x7f.1/cb",
        "http://127.0.0.1%3a80/cb", "http://127.0.0.1:80:80/cb",
    ])
    func `nothing but the port of a loopback address is free`(_ asked: String) {
        #expect(!RedirectURIMatch.matches(asked, "http://127.0.0.1/cb"))
    }

    // O-002
    @Test func `a name for the machine itself has the port that it was registered with`() {
        #expect(!RedirectURIMatch.matches("http://localhost:4000/cb", "http://localhost:3000/cb"))
        #expect(RedirectURIMatch.matches("http://localhost:3000/cb", "http://localhost:3000/cb"))
    }
}
