import Testing

@testable import Admin
@testable import Console

/// The forms are those of the table.
struct CommandBookTests {
    private static let book = CommandBook()

    @Test func `each command of the table has a form or no command line`() {
        let forms = Self.book.groups.flatMap(\.commands)
        #expect(forms.count == AdminTable.all.count { $0.arguments != nil })
        for form in forms { #expect(!form.name.isEmpty && !form.help.summary.isEmpty, "\(form.title)") }
    }

    @Test func `each command says whether it writes`() {
        let reading = AdminTable.all.filter { $0.effect == .reads }.map { $0.name }
        // A new command that only shows something is added here, after a thought about who may see it.
        #expect(
            reading.sorted() == [
                "auditKey", "listAccounts", "listAudit", "listClients", "listConsents", "listDevices", "listExchanges",
                "listKeys", "listMail",
                "listNodes", "listNotices",
                "listOperationEvents", "listOperations", "listPasskeys", "listProviders", "listSessions",
                "listSettings", "previewPause", "previewRemedy",
                "showAccount", "showClient", "showOperation", "showStatus", "verifyAudit",
            ]
        )
    }

    @Test func `fields are those of the command line`() throws {
        let set = try #require(Self.book["accounts", "set"])
        #expect(set.fields.map(\.key) == ["p_account", "o_name", "o_email", "o_attribute", "o_password"])
        #expect(set.fields.map(\.isSecret) == [false, false, false, false, true])
        #expect(set.fields.map(\.isRepeating) == [false, false, false, true, false])
        let rotate = try #require(Self.book["keys", "rotate"])
        #expect(rotate.fields.map(\.kind) == [.flag])
        #expect(rotate.subject == nil && rotate.effect == .writes)
    }

    @Test(arguments: [
        ("--all", ["--", "--all"], "vestibule accounts disable -- --all"),
        ("a b", ["--", "a b"], "vestibule accounts disable 'a b'"),
        ("$(reboot)", ["--", "$(reboot)"], "vestibule accounts disable '$(reboot)'"),
        ("it's", ["--", "it's"], #"vestibule accounts disable 'it'\''s'"#),
    ])
    func `attack: a value is never an option, nor a shell's word`(_ value: String, words: [String], line: String) throws
    {
        let command = try #require(Self.book["accounts", "disable"])
        let made = command.words(FormValues(["p_account": value]))
        #expect(made.arguments == words)
        #expect(made.text == line)
    }

    @Test func `a secret is in no word of the command line`() throws {
        let command = try #require(Self.book["accounts", "set"])
        let words = command.words(FormValues(["p_account": "a", "o_password": " secret "]))
        #expect(words.arguments == ["--password=-", "--", "a"] && words.secret == " secret ")
        #expect(!words.text.contains("secret"))
        try command.check(words, ConsoleInput { _ in nil })
    }

    @Test func `a file is not read for a page`() throws {
        let command = try #require(Self.book["clients", "add"])
        let values = FormValues([
            "o_name": "a", "o_redirect-uri": "https://a.example.com/", "o_auth": "private-key-jwt",
            "o_keys": "/etc/passwd",
        ])
        #expect(throws: AdminError.self) { try command.check(command.words(values), ConsoleInput { _ in nil }) }
    }
}
