import Accounts
import Kernel
import MailServer
import MemoryStore
import Testing

@testable import Outbound
@testable import Web

/// What mails say of their sender, and of the request behind them.
struct BrandedMailTests {
    private static let now = Instant(seconds: 1_795_312_523)

    private static func languages() -> Languages {
        var owner = BrandSettings()
        owner.name = "The Owner"
        var shop = BrandSettings()
        shop.accent = BrandColour("#0b57d0")
        shop.links.help = "https://www.example.com/help"
        let clients = [
            "shop": Brand(shop, name: "Shop <& Sons>"), "bank": Brand(BrandSettings(), name: "Other Bank"),
        ]
        return Languages(
            LocalizedStrings.builtIn,
            brands: Brands(owner: Brand(owner, name: "x"), clients: clients)
        )
    }

    private static func composer(accountPage: String? = nil) throws -> MailComposer {
        MailComposer(
            from: try #require(MailAddress(parsing: "Example <no-reply@example.com>")),
            replyTo: nil,
            localization: Localization(languages()),
            accountPage: accountPage,
            environment: VirtualTime().environment()
        )
    }

    private static let contents: [AccountMail.Content] =
        [
            .signInCode(Secret("402913"), link: Secret("https://login.example.com/m/abc"), expiresAt: now),
            .addressProof(
                link: Secret("https://login.example.com/m/abc"),
                code: Secret("BCDF-GHJK"),
                expiresAt: now
            ),
            .addressProvenInApp(device: nil),
        ] + AccountNotice.allCases.map { .notice($0) }

    private static func letter(
        _ content: AccountMail.Content,
        to tag: String = "en",
        for client: String? = "shop",
        service: String = "Shop <& Sons>",
        from address: String = "203.0.113.7",
        with agent: String = "Firefox, Windows",
        accountPage: String? = nil
    ) throws -> Letter {
        let mail = AccountMail(
            to: try #require(EmailAddress("person@example.com")),
            requester: Requester(language: tag, address: address, agent: agent),
            service: service,
            client: client,
            content: content
        )
        return try composer(accountPage: accountPage).texts(tagged: tag, for: client).letter(mail, now: now)
    }

    @Test func `every mail has its client's name and colours, and no other client's`() throws {
        for tag in Self.languages().tags {
            for content in Self.contents {
                let letter = try Self.letter(content, to: tag)
                #expect(letter.subject.contains("Shop <& Sons>") && letter.plainText.contains("Shop <& Sons>"))
                #expect(letter.html.contains("<strong>Shop &lt;&amp; Sons&gt;</strong>"))
                #expect(letter.html.contains("border-top: 4px solid rgb(11, 87, 208)"))
                let all = letter.subject + letter.plainText + letter.html
                #expect(!all.contains("Other Bank") && !all.contains("The Owner") && !all.contains("Vestibule"))
            }
        }
    }

    @Test func `a mail for a client without a brand, and a test mail, are the owner's`() throws {
        let letter = try Self.letter(.notice(.passkeyAdded), for: "registered", service: "The Owner")
        #expect(letter.html.contains("<strong>The Owner</strong>") && !letter.html.contains("rgb(11, 87, 208)"))
        let test = try Self.composer().texts(tagged: "de").testLetter
        #expect(test.subject == "Eine Testmail von The Owner" && !test.html.contains("Vestibule"))
    }

    @Test func `every mail to an owner says when, with which app and from where it was caused, and how to say no`()
        throws
    {
        for content in Self.contents {
            let letter = try Self.letter(content)
            for line in [
                "Where this came from:", "When: 2026-11-22 01:55 UTC", "With: Firefox, Windows", "From: 203.0.113.7",
            ] {
                #expect(letter.plainText.split(separator: "\n").contains { $0 == line }, "\(line)")
            }
            #expect(letter.html.contains("<td>203.0.113.7</td>"))
            let saysNo = ["it wasn’t", "you aren’t"].contains { letter.plainText.contains($0) }
            #expect(saysNo, "\(letter.plainText)")
            guard case .notice = content else { continue }
            #expect(letter.plainText.contains("Help:\nhttps://www.example.com/help"))
        }
    }

    @Test func `a notice leads to the account centre, and no other mail does`() throws {
        let page = "https://login.example.com/account"
        for tag in Self.languages().tags {
            for content in Self.contents {
                let letter = try Self.letter(content, to: tag, accountPage: page)
                let leadsThere: Bool
                switch content {
                case .notice(let notice): leadsThere = notice != .accountClosed
                case .addressProvenInApp: leadsThere = true
                case .signInCode, .addressProof: leadsThere = false
                }
                let texts = try #require(Self.languages()[tag])
                let plain = letter.plainText.contains("\n\n\(texts[AccountKey.notMe]):\n\(page)\n")
                #expect(plain == leadsThere, "\(letter.plainText)")
                #expect(letter.html.contains("<a href=\"\(page)\" style=") == leadsThere)
                let advice = texts.text(MailKey.alarmWithAccount, with: "Shop <& Sons>")
                #expect(letter.plainText.contains(advice) == leadsThere)
            }
            let test = try Self.composer(accountPage: page).texts(tagged: tag).testLetter
            #expect(!test.plainText.contains(page))
            #expect(try !Self.letter(.notice(.passkeyAdded), to: tag).plainText.contains("/account"))
        }
    }

    @Test(arguments: ["", "127.0.0.1", "::1", "evil.example.com/x", "<b>", "123456", "2001:db8::123456"])
    func `attack: an address that tells nothing, or is none, is left out of a mail`(_ address: String) throws {
        let letter = try Self.letter(.notice(.passkeyAdded), from: address, with: "")
        #expect(!letter.plainText.contains("\nFrom:") && !letter.plainText.contains("\nWith:"))
        #expect(letter.plainText.contains("\nWhen: "))
        #expect(try Self.letter(.notice(.passkeyAdded), from: "2001:db8::7").plainText.contains("From: 2001:db8::7"))
    }

    // T-226
    @Test func `attack: an app's name in a mail has its links and markup removed`() throws {
        let letter = try Self.letter(
            .notice(.passkeyAdded),
            with: "<a href=\"http://evil.example.com\">x</a>\r\nBcc: all@example.com 1234567"
        )
        let text = letter.plainText.replacing("https://www.example.com/help", with: "")
        #expect(!text.contains("://") && !text.contains("evil.example.com"), "\(text)")
        #expect(!letter.html.contains("<a href=\"http://evil") && !letter.plainText.contains("\nBcc"))
        #expect(letter.plainText.digitRuns.allSatisfy { $0.count < 6 })
    }

    @Test func `links are buttons, whose addresses can be read too`() throws {
        let html = try Self.letter(Self.contents[1]).html
        let url = "https://login.example.com/m/abc"
        #expect(
            html.contains("<a href=\"\(url)\" style=\"display: inline-block") && html.contains("<br>\(url)</small>")
        )
        #expect(html.contains("background: rgb(11, 87, 208); color: rgb(255, 255, 255)"))
        for remote in ["<img", "src=", "url(", "@import", "<link", "<script"] { #expect(!html.contains(remote)) }
    }

    /// RFC 2046 §5.1.4: the parts are alternatives, the plain one first.
    @Test func `a mail server takes a mail whose two parts are as they were written`() async throws {
        let folder = try MailFolder()
        let server = try await MailServer(.starttls, in: folder)
        let transport = SMTPTransport(
            SMTPConfiguration(
                host: "localhost",
                port: server.port,
                security: .starttls,
                credentials: nil,
                caFile: try await folder.certificate().certificate,
                connectTimeout: .seconds(30),
                timeout: .seconds(60),
                sender: try #require(MailAddress(parsing: "no-reply@example.com"))
            )
        )
        let letter = try Self.letter(Self.contents[0], to: "de")
        let recipient = try #require(MailAddress(parsing: "person@example.com"))
        try await transport.deliver(try Self.composer().compose(letter, to: recipient))
        let text = try #require(try server.taken.first).text
        let boundary = try #require(text.firstMatch(of: #/multipart\/alternative; boundary="([^"]+)"/#)).1
        let parts = text.components("\r\n--\(boundary)").dropFirst()
        #expect(parts.count == 3 && parts.last?.hasPrefix("--") == true)
        for (part, (type, body)) in zip(parts, [("text/plain", letter.plainText), ("text/html", letter.html)]) {
            let halves = part.components("\r\n\r\n")
            #expect(halves[0].contains("Content-Type: \(type); charset=utf-8"))
            #expect(halves[0].contains("Content-Transfer-Encoding: quoted-printable"))
            #expect(halves.dropFirst().joined(separator: "\r\n\r\n").unquoted == body)
        }
        #expect(text.components("\r\n").allSatisfy { $0.utf8.count <= 78 })
    }
}
