import HTTPAPI
import Kernel
import SettingsFixture
import Testing

@testable import Settings

/// The section of security.txt.
struct SettingsSecurityTextTests {
    private func text(_ lines: String) -> SettingsFixture {
        .minimal("securityTxt:\n" + lines.split(separator: "\n").map { "  \($0)\n" }.joined())
    }

    @Test func `without a word about it there is no security.txt`() throws {
        #expect(try SettingsFixture.minimal().load().settings.securityText == nil)
    }

    @Test func `all keys are read as they are written`() throws {
        let fixture = text(
            """
            contact: ["mailto:security@example.com", "https://example.com/report?by=web", "tel:+1-201-555-0123"]
            expires: "2027-06-30T02:00:00+02:00"
            policy: https://example.com/policy
            encryption: openpgp4fpr:5f2de5521c63a801ab59ccb603d49de44b29100f
            acknowledgments: https://example.com/thanks
            hiring: https://example.com/jobs
            languages: [en, pt-BR]
            """
        )
        let content = try #require(try fixture.load().settings.securityText)
        #expect(content.contacts.count == 3 && content.contacts[1] == "https://example.com/report?by=web")
        #expect(content.expires?.internetDate == "2027-06-30T00:00:00Z")
        #expect(content.encryption?.hasPrefix("openpgp4fpr:") == true && content.languages == ["en", "pt-BR"])
        #expect(content.policy == "https://example.com/policy" && content.hiring == "https://example.com/jobs")
    }

    @Test func `each fault names file, line and key`() {
        let fixture = text(
            """
            contact: ["security@example.com", "http://example.com", "mailto:", "https:///x", "ftp://example.com"]
            expires: next year
            policy: http://example.com/policy
            encryption: data:text/plain,key
            languages: ["e", "en_US", "english-language-of-more-than-35-letters"]
            """
        )
        let faults = fixture.faults()
        let refused = [
            #"4: securityTxt.contact[0]: "security@example.com" has no scheme. "#
                + #"Did you mean "mailto:security@example.com"?"#,
            #"4: securityTxt.contact[1]: "http://example.com" does not begin with https: or mailto: or tel:"#,
            #"4: securityTxt.contact[2]: "mailto:" is only a scheme"#,
            #"4: securityTxt.contact[3]: "https:///x" has no host"#,
            #"4: securityTxt.contact[4]: "ftp://example.com" does not begin with https: or mailto: or tel:"#,
            #"5: securityTxt.expires: "next year" is not a time. Write one like 2027-06-30T00:00:00Z"#,
            #"6: securityTxt.policy: "http://example.com/policy" does not begin with https:"#,
        ]
        for fault in refused { #expect(faults.contains("config/vestibule.yaml:\(fault)"), "\(faults)") }
        #expect(faults.count { $0.contains("securityTxt.languages[") } == 3, "\(faults)")
        #expect(faults.count { $0.contains("securityTxt.encryption: ") } == 1, "\(faults)")
        let missing = text("policy: https://example.com").faults()
        #expect(missing.contains { $0.contains("securityTxt.contact: is missing") }, "\(missing)")
        #expect(text("contact: []").faults().contains { $0.contains("securityTxt.contact: is empty") })
    }

    @Test func `attack: no value can begin another line of the file`() {
        let values = [
            #""mailto:a@example.com\nExpires: 2099-01-01T00:00:00Z""#, #""mailto:a@example.com\r""#, #""tel:1 2""#,
        ]
        for value in values {
            #expect(text("contact: [\(value)]").faults().count == 1, "\(value)")
        }
    }

    @Test func `an end that has passed is a fault at start, and a distant one a warning`() throws {
        let contact = "contact: [\"mailto:security@example.com\"]\n"
        var fixture = text(contact + "expires: 2026-06-30T00:00:00Z")
        fixture.now = InternetTimestamp.parse("2026-07-01T00:00:00Z")
        #expect(
            fixture.faults() == [
                "config/vestibule.yaml:5: securityTxt.expires: 2026-06-30T00:00:00Z has passed. "
                    + "Write a later time, or leave it out"
            ]
        )
        fixture.now = InternetTimestamp.parse("2026-06-29T00:00:00Z")
        #expect(try !fixture.load().warnings.contains { $0.key == "securityTxt.expires" })
        fixture.now = InternetTimestamp.parse("2024-06-29T00:00:00Z")
        #expect(try fixture.load().warnings.contains { $0.key == "securityTxt.expires" })
        fixture.now = nil
        #expect(fixture.faults().isEmpty, "a command that reads no time does not check it")
    }
}
