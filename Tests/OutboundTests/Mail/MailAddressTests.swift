import Testing

@testable import Outbound

struct MailAddressTests {
    @Test(arguments: [
        ("person@example.com", "person@example.com"),
        ("Vestibule <no-reply@example.com>", "\"Vestibule\" <no-reply@example.com>"),
        ("\"A \\ Name\" <a.b+c@mail.example.com>", "\"A \\\\ Name\" <a.b+c@mail.example.com>"),
        ("Zoë <zoë@example.com>", "=?utf-8?Q?Zo=C3=AB?=\r\n <zoë@example.com>"),
        ("<person@localhost>", "person@localhost"),
    ])
    func `an address with or without a name is written as headers take it`(_ text: String, _ header: String) {
        #expect(MailAddress(parsing: text)?.headerText == header)
    }

    // T-226
    @Test(arguments: [
        "", "person", "@example.com", "person@", "a@b@example.com", "a b@example.com", "<a@example.com",
        "a@example.com>",
        "a@example.com\r\nRCPT TO:<all@example.com>", "a@example.com\nBcc: all@example.com", "a\r@example.com",
        "a@example.com\u{0}", "a@exa mple.com", "a,b@example.com", "a;b@example.com", "<a>@example.com",
        "Name\r\nBcc: all@example.com <a@example.com>", "a@example.com\u{2028}", "a\u{202E}@example.com",
        ".a@example.com", "a..b@example.com", "a@.example.com", "a@example..com", "a@-example.com", "a@[127.0.0.1]",
        "\"a b\"@example.com", "(x)a@example.com", "a@example.com SIZE=1", "a@example.com> BODY=8BITMIME",
        String(repeating: "x", count: 65) + "@example.com",
    ])
    func `attack: a text that could end a command, a header or a list is refused as an address`(_ text: String) {
        #expect(MailAddress(parsing: text) == nil)
    }
}
