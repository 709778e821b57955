import Testing

@testable import Accounts

struct EmailAddressTests {
    @Test(arguments: [
        ("ada@example.com", "ada@example.com"),
        ("Ada@Example.COM", "ada@example.com"),
        ("  ada@example.com\t\r\n", "ada@example.com"),
        ("\u{A0}ada@example.com\u{3000}", "ada@example.com"),
        ("ada+wallet@example.com", "ada+wallet@example.com"),
        ("a.b_c-d'e@sub.example.com", "a.b_c-d'e@sub.example.com"),
        ("jürgen@exämple.com", "jürgen@exämple.com"),
        ("JÜRGEN@EXÄMPLE.COM", "jürgen@exämple.com"),
        ("ada@localhost", "ada@localhost"),
    ])
    func `an address is trimmed and lower-cased`(_ raw: String, _ text: String) {
        #expect(EmailAddress(raw)?.text == text)
    }

    @Test(arguments: [
        "", " ", "ada", "@", "ada@", "@example.com", "a@b@example.com", "ada@@example.com",
        "ada@.example.com", "ada@example.com.", "ada@example..com",
        "ada lovelace@example.com", "ada@exam ple.com", "<ada@example.com>", "ada@example.com,bob@example.com",
        "\"ada\"@example.com", "ada;bob@example.com", "ada:x@example.com", "ada(x)@example.com",
        "ada[1]@example.com", "ada\\x@example.com",
    ])
    func `a text that can't be an address is refused`(_ raw: String) {
        #expect(EmailAddress(raw) == nil)
    }

    @Test(arguments: [
        "ada\u{0}@example.com", "ada\r\nBcc: eve@example.com", "ada\n@example.com", "ada\u{7F}@example.com",
        "ada\u{85}@example.com", "ada\u{200B}@example.com", "ada\u{200D}@example.com", "ada\u{AD}@example.com",
        "\u{202E}moc.elpmaxe@ada", "ada@example.com\u{FEFF}", "ada\u{2028}@example.com", "ada\u{2029}@example.com",
        "ada\u{E000}@example.com", "ada\u{FFFF}@example.com", "ada\u{A0}lovelace@example.com",
    ])
    func `attack: an address with invisible or line-breaking characters is refused`(_ raw: String) {
        #expect(EmailAddress(raw) == nil)
    }

    @Test(arguments: [
        (local: 64, domain: 11, isTaken: true), (65, 11, false), (1, 252, true), (1, 253, false), (64, 189, true),
        (64, 190, false),
    ])
    func `lengths are bounded: 64 bytes before the sign, 254 in all`(local: Int, domain: Int, isTaken: Bool) {
        let domain = String(repeating: "e", count: domain)
        #expect((EmailAddress(String(repeating: "a", count: local) + "@" + domain) != nil) == isTaken)
    }

    @Test func `lengths count bytes, not characters`() {
        #expect(EmailAddress(String(repeating: "ü", count: 32) + "@example.com") != nil)
        #expect(EmailAddress(String(repeating: "ü", count: 33) + "@example.com") == nil)
    }

    @Test func `attack: an overlong text is refused as an address`() {
        #expect(EmailAddress(String(repeating: "a", count: 100_000)) == nil)
        #expect(EmailAddress("ada@example.com" + String(repeating: " ", count: 100_000)) == nil)
        #expect(EmailAddress(String(repeating: "@", count: 10_000)) == nil)
    }

    @Test func `normalising twice is normalising once`() throws {
        for raw in ["Ada@Example.com", " İ@example.com ", "ẞ@example.com", "Σ@example.com"] {
            let once = try #require(EmailAddress(raw))
            #expect(EmailAddress(once.text) == once)
        }
    }

    @Test func `it prints as its text`() throws {
        #expect("\(try #require(EmailAddress("Ada@example.com")))" == "ada@example.com")
    }
}
