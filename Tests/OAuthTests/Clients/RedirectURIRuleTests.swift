import Testing

@testable import OAuth

/// Tests the rule for registered redirect URIs (RFC 8252, RFC 9700 §4.1).
struct RedirectURIRuleTests {
    @Test(
        arguments: [
            ("https://app.example.com/done", .https), ("https://app.example.com", .https),
            ("https://app.example.com:8443/done?tenant=a%20b", .https), ("https://[2001:db8::1]/done", .https),
            ("http://127.0.0.1/done", .loopback), ("http://127.0.0.1:4711/done", .loopback),
            ("http://[::1]:4711/", .loopback), ("http://localhost:3000/cb", .loopback),
            ("com.example.app:/done", .privateUse), ("myapp.scheme.demo://code_callback", .privateUse),
        ] as [(String, RedirectURIRule.Kind)]
    )
    func `an address of one spelling may be registered`(_ uri: String, _ kind: RedirectURIRule.Kind) throws {
        #expect(try RedirectURIRule.check(uri) == kind)
    }

    // O-003, O-004
    @Test(
        arguments: [
            "", "/done", "done", "app.example.com/done", "https:", "https:/app.example.com/", "https:///done",
            "https://:443/",
            // Not this machine, in the clear.
            "http://app.example.com/done", "http://127.0.0.1.example.com/", "http://127.0.0.2/",
            "http://localhost.example.com/",
            "http://[::2]/", "http://0.0.0.0/",
            // Somebody else before an @, or behind.
            "https://app.example.com@evil.example.org/", "https://user:pw@app.example.com/",
            "http://127.0.0.1@evil.example.org/",
            "com.example.app://a@b/",
            // Fragments, wildcards, characters that browsers change.
            "https://app.example.com/#done", "https://*.example.com/", "https://app.example.com/*",
            "https://app.example.com\\@e.org/",
            "https://app.example.com/a b", "https://app.example.com/\n", "https://app.example.com/\u{E9}",
            "https://\u{430}pp.example.com/",
            "https://app.example.com/<", "https://app.example.com/\"",
            // Two spellings of one address.
            "HTTPS://app.example.com/", "https://APP.example.com/", "https://app.example.com/a/../b",
            "https://app.example.com/./a",
            "https://app.example.com/..", "https://app.example.com/%2e%2e/a", "https://app.example.com/%2E%2E/a",
            "https://app.example.com/a%2Fb", "https://app.example.com/a%5Cb", "https://app.example.com/%00",
            "https://app.example.com/%0A",
            "https://app.example.com/%zz", "https://app.example.com/%a", "https://app.example.com/%e9",
            "https://app.example.com/%",
            // Ports that are none.
            "https://app.example.com:/", "https://app.example.com:0/", "https://app.example.com:65536/",
            "https://app.example.com:08/",
            "https://app.example.com:8a/", "https://app.example.com:+8/",
            // Schemes that others have as well, or that browsers give a meaning.
            "myapp:/done", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd",
            "blob:https://app.example.com/x",
            "vbscript:x", "about:blank", "com.example.app:done", "Com.Example.App:/done", "com..app:/done",
            "com.example.:/done",
            ".com.example:/done", "1com.example:/done",
            // The parameters of answers.
            "https://app.example.com/done?code=1", "https://app.example.com/done?a=b&state=x",
            "https://app.example.com/done?iss=x",
            "https://app.example.com/done?error", "https://app.example.com/done?c%6Fde=1",
            "https://app.example.com/" + String(repeating: "a", count: 1024),
        ])
    func `attack: a redirect URI that is ambiguous or leads elsewhere is not registered`(_ uri: String) {
        #expect(throws: RedirectURIRule.ViolationError.self) { try RedirectURIRule.check(uri) }
    }

    @Test func `a refusal is fit for an error_description`() {
        for uri in ["", "https://a@b/", "x:/", "http://a.example.com/", "https://a.example.com/%2e"] {
            do throws(RedirectURIRule.ViolationError) { try RedirectURIRule.check(uri) } catch {
                #expect(error.text.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }, "\(uri)")
            }
        }
    }
}
