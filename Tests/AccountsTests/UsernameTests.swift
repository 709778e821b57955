import Testing

@testable import Accounts

/// The names that people sign in with.
struct UsernameTests {
    @Test(arguments: [
        ("ada", "ada"), (" Ada \n", "ada"), ("Grace O'Hara", "grace o'hara"), ("a_b-c.d+e 1", "a_b-c.d+e 1"),
        // Letters that are put together in two ways are one name.
        ("Rene\u{301}", "ren\u{E9}"), ("ŁUCJA", "łucja"), ("王", "王"), ("नमिता", "नमिता"),
        // An apostrophe as a phone types it.
        ("Grace O\u{2019}Hara", "grace o'hara"),
        // In the form of an address, which the published page suggests.
        (" Ada@Example.COM", "ada@example.com"), ("o'hara+x@example.com", "o'hara+x@example.com"),
    ])
    func `a name is trimmed and lower-case`(_ raw: String, _ text: String) throws {
        // Bytes: texts are equal in whatever form.
        #expect(Array(try #require(Username(raw)).text.utf8) == Array(text.utf8))
    }

    // T-072
    @Test func `a name in the form of an address has a mark wherever it is shown, and is read by it`() throws {
        let name = try #require(Username("Ada@Example.com"))
        #expect(name.isAddress && name.shown == "user:ada@example.com" && Username(marked: name.shown) == name)
        #expect(EmailAddress(name.shown) == nil, "it can't be taken for an address")
        let plain = try #require(Username("ada"))
        #expect(!plain.isAddress && plain.shown == "ada" && Username(marked: "ada") == nil)
    }

    @Test(arguments: [
        "", " ", "a@b@c", "@ada", "ada@", "ada lovelace@example.com", "<ada@example.com>", "user:ada", "ada@a..b",
        "a\u{0}b", "a\nb", "a\u{202E}b", "a\u{200B}b", "q\u{301}", "a/b", "<b>",
        "a\u{2018}b",
        String(repeating: "a", count: 65), String(repeating: "a", count: 65) + "@example.com",
        "ada@" + String(repeating: "a.", count: 130) + "example", String(repeating: "न", count: 100),
    ])
    func `an invalid name is refused`(_ raw: String) {
        #expect(Username(raw) == nil)
    }
}
