import Testing

@testable import Accounts

struct AccountImportTests {
    @Test func `each line is an order, numbered as in the file`() throws {
        let lines = try AccountImport.parse(
            """
            email,name,provider,providerAccount,role,department
            ada@example.com,Ada,mock,enrolment-1,admin,Research
            bob@example.com,,,,,

            ,Carol,mock,,,
            """
        )
        #expect(lines.map(\.number) == [2, 3, 5])
        #expect(lines[0].account.email == "ada@example.com" && lines[0].account.name == "Ada")
        #expect(lines[0].account.enroll == "mock" && lines[0].account.providerAccount == "enrolment-1")
        #expect(lines[0].account.attributes.given == ["role": "admin", "department": "Research"])
        #expect(lines[0].account.password == nil)
        #expect(lines[1].account.name == "bob@example.com", "the address stands in for a name")
        #expect(lines[1].account.attributes.given.isEmpty, "an empty cell says nothing")
        #expect(lines[2].account.email == nil && lines[2].account.name == "Carol" && lines[2].account.enroll == "mock")
    }

    @Test func `quotes hold commas, quotes and line ends`() throws {
        let text =
            "email,name,department\r\n"
            + "ada@example.com,\"Lovelace, Ada\",\"the \"\"first\"\"\"\r\n"
            + "bob@example.com,\"\",\"\"\r\n"
        let lines = try AccountImport.parse(text)
        #expect(lines[0].account.name == "Lovelace, Ada")
        #expect(lines[0].account.attributes.department == "the \"first\"")
        #expect(lines[1].account.name == "bob@example.com", "an empty quoted cell is an empty cell")
    }

    @Test(arguments: ["\n", "\r\n", "\r"])
    func `every kind of line end parts lines, with or without a last one`(_ end: String) throws {
        let lines = ["email", "ada@example.com", "bob@example.com"].joined(separator: end)
        #expect(try AccountImport.parse(lines).map(\.number) == [2, 3])
        #expect(try AccountImport.parse(lines + end).map(\.number) == [2, 3])
    }

    @Test func `a line after a quoted line end is numbered as in the file`() {
        let text = "name,role\n\"Ada\nLovelace\",user\nBob,root\n"
        #expect(throws: AccountImportErrors.self) { try AccountImport.parse(text) }
        #expect(faults(text) == ["Line 4: role can't be “root”. It must be one of admin, manager, technician, user."])
    }

    @Test func `a byte order mark, as spreadsheets write it, does not belong to the header`() throws {
        #expect(try AccountImport.parse("\u{FEFF}email,name\nada@example.com,Ada\n").first?.account.name == "Ada")
    }

    @Test func `all faults of all lines come at once, each with its line`() {
        let text = """
            email,name,provider,providerAccount,role
            ada@example.com,Ada,,
            not an address,Bob,,,
            ,,mock,,
            carol@example.com,Carol,,enrolment-1,
            dave@example.com,Dave,,,root
            eve@example.com,Eve,,,user
            frank@example.com,Frank,mock,,,
            """
        let faults = faults(text)
        #expect(faults.map { $0.prefix { $0 != ":" } } == ["Line 2", "Line 3", "Line 4", "Line 5", "Line 6", "Line 8"])
        #expect(faults[0].contains("4 fields where the header has 5"))
        #expect(faults[1].contains("is not an e-mail address"))
        #expect(faults[2].contains("neither email nor name"))
        #expect(faults[3].contains("providerAccount needs a provider"))
        #expect(faults[4].contains("root"))
        #expect(faults[5].contains("6 fields"))
    }

    @Test(arguments: [
        ("", "Line 1: the file is empty. Write a header line."),
        ("role,department\nadmin,x\n", "Line 1: the header names neither email nor name."),
        ("email,email\nada@example.com,bob@example.com\n", "Line 1: the header names “email” twice."),
    ])
    func `a header that can't be used is the one fault`(_ text: String, _ fault: String) {
        #expect(faults(text) == [fault])
    }

    @Test func `attack: an import with an unclosed quote is refused at its line`() {
        let text = "email,name\nada@example.com,\"Ada\nbob@example.com,Bob\n"
        #expect(faults(text) == ["Line 2: a quote is opened and never closed."])
    }

    @Test func `a column of an impossible name is refused on every line that fills it`() {
        #expect(faults("email,bad name\nada@example.com,x\nbob@example.com,\n").count == 1)
    }

    private func faults(_ text: String) -> [String] {
        do throws(AccountImportErrors) {
            _ = try AccountImport.parse(text)
            return []
        } catch { return error.faults.map(\.message) }
    }
}
