import Kernel
import Outbound
import SettingsFixture
import Testing

@testable import Settings

struct SettingsMailTests {
    private func mail(_ lines: String) -> SettingsFixture {
        .minimal("mail:\n" + lines.split(separator: "\n").map { "  \($0)\n" }.joined())
    }

    @Test func `without a word about it mail goes to a folder`() throws {
        let settings = try SettingsFixture.minimal().load().settings
        #expect(settings.mail.outbox == "/data/outbox")
        #expect(settings.mail.smtp == nil)
    }

    @Test func `a mail server is read with what it needs`() throws {
        var fixture = mail(
            """
            from: Example <no-reply@example.com>
            replyTo: help@example.com
            smtp: {host: smtp.example.com, tls: implicit, username: me, password: env:MAIL, caFile: ca.pem}
            """
        )
        fixture.environment["MAIL"] = "open sesame"
        fixture.files["/data/ca.pem"] = ("-----BEGIN CERTIFICATE-----\n", 0o644)
        let mail = try fixture.load().settings.mail
        let smtp = try #require(mail.smtp)
        #expect(mail.replyTo?.address == "help@example.com")
        #expect(smtp.security == .implicit)
        #expect(smtp.credentials?.user == "me")
        #expect(smtp.credentials?.password == Secret("open sesame"))
        #expect(smtp.caFile == "/data/ca.pem")
    }

    @Test func `all errors of the mail section are reported at once`() {
        let fixture = mail(
            """
            smtp: {host: "smtp.example.com:25", tls: none, username: me, caFile: ca.pem, connectTimeout: 40s}
            """
        )
        #expect(
            fixture.faults().map { $0.split(separator: " ").dropFirst().joined(separator: " ") } == [
                "mail.from: is missing. Write the sender of the mail, like Example <no-reply@example.com>",
                "mail.smtp.caFile: the file /data/ca.pem does not exist",
                "mail.smtp.connectTimeout: is longer than timeout (30s)",
                #"mail.smtp.host: "smtp.example.com:25" is not an address or a host name (no scheme, port or brackets)"#,
                "mail.smtp.password: is missing beside username",
                #"mail.smtp.tls: "none" is not one of implicit, starttls"#,
            ]
        )
    }

    @Test func `a server without a name is asked for one, and a sender that is the laptop's is told as such`() {
        #expect(
            mail("from: Vestibule <vestibule@localhost>\nsmtp: {tls: implicit}").faults() == [
                "config/vestibule.yaml:4: mail.from: still has the laptop's address, "
                    + #""Vestibule <vestibule@localhost>". Write the sender of the mail, "#
                    + "like Example <no-reply@example.com>",
                "config/vestibule.yaml:5: mail.smtp.host: is missing. Write a host name or an address, "
                    + "like smtp.example.com",
            ]
        )
    }

    @Test(arguments: [
        ("smtp.example.com", true), ("192.0.2.7", true), ("2001:db8::7", true), ("fe80::7%eth0", true),
        ("smtp.example.com:25", false), ("192.0.2.7:25", false), ("localhost:587", false), ("[2001:db8::7]", false),
        ("[2001:db8::7]:25", false), ("smtp://smtp.example.com", false), ("fe80::7%", false),
        ("smtp.example.com%25", false),
    ])
    func `a host is a name or an address, without a port`(_ host: String, _ isTaken: Bool) {
        let faults = mail("from: a@example.com\nsmtp: {host: '\(host)'}").faults()
        #expect(faults.isEmpty == isTaken, "\(faults)")
        #expect(isTaken || faults.allSatisfy { $0.contains("mail.smtp.host: ") })
    }

    @Test(arguments: ["nobody", "a@example.com, b@example.com", "\"a@example.com\\r\\nBcc: b@example.com\""])
    func `attack: a mail sender that is not one single address is refused`(_ text: String) {
        #expect(mail("from: \(text)").faults().count == 1)
    }

    @Test func `production warns when mail only goes to files, unless that is what is asked for`() throws {
        #expect(try production().load().warnings.contains { $0.key == "mail" })
        #expect(try !production("mail: {outbox: outbox}").load().warnings.contains { $0.key == "mail" })
    }

    @Test func `a sealing key is long, and secret`() throws {
        var fixture = SettingsFixture.minimal("secrets: {sealingKey: env:SEAL, earlierSealingKeys: [env:OLD]}")
        fixture.environment["SEAL"] = "too short"
        fixture.environment["OLD"] = String(repeating: "k", count: 32)
        #expect(
            fixture.faults() == [
                "config/vestibule.yaml:3: secrets.sealingKey: has fewer than 32 characters. Make one with: "
                    + "openssl rand -base64 32"
            ]
        )
        fixture.environment["SEAL"] = String(repeating: "s", count: 32)
        #expect(try fixture.load().settings.secrets.earlierSealingKeys.count == 1)
    }

    private func production(_ more: String = "") -> SettingsFixture { .minimal("mode: production\n" + more) }
}
