import Accounts
import Kernel
import Mail
import MemoryStore
import Testing
import Web

@testable import Outbound

struct MailCompositionTests {
    private static let minute: Duration = .seconds(60)
    private static let now = VirtualTime().wall
    private static let english = MailStrings(.english)
    private static let languages = LocalizedStrings.builtIn.map { MailStrings($0) }

    /// Every mail there is, with how it reads on the wire.
    private static let contents: [AccountMail.Content] =
        [
            .signInCode(Secret("402913"), link: nil, expiresAt: now + minute * 10),
            .signInCode(
                Secret("402913"),
                link: Secret("https://login.example.com/m/abcDEF"),
                expiresAt: now + minute * 10
            ),
            // A link with a careless token.
            .addressProof(
                link: Secret("https://login.example.com/m/1234567890123456789012345678901234567890-99"),
                code: Secret("BCDF-GHJK"),
                expiresAt: now + minute * 60
            ),
            .addressProvenInApp(device: nil),
            // A name that an attacker may give a phone, in order to write to others.
            .addressProvenInApp(device: "Phone 1234567890: call http://evil.example.com/ <b>now</b>"),
        ] + AccountNotice.allCases.map { .notice($0) }

    private static func letters() throws -> [Letter] {
        try languages.flatMap { texts in
            try contents.map { try letter($0, in: texts, service: "Énergie & <Co> 2026") } + [texts.testLetter]
        }
    }

    /// A mail because of a request from that address and app.
    private static func letter(
        _ content: AccountMail.Content,
        in texts: MailStrings = english,
        service: String = "Example",
        from address: String = "203.0.113.197",
        with agent: String = "Firefox, Windows"
    ) throws -> Letter {
        let mail = AccountMail(
            to: try #require(EmailAddress("person@example.com")),
            requester: Requester(language: texts.language, address: address, agent: agent),
            service: service,
            content: content
        )
        return texts.letter(mail, now: now)
    }

    private static func composed(_ letter: Letter, seed: UInt64 = 1) throws -> String {
        let composer = MailComposer(
            from: try #require(MailAddress(parsing: "Grüße von uns <no-reply@example.com>")),
            replyTo: MailAddress(parsing: "help@example.com"),
            environment: VirtualTime().environment(seed: seed)
        )
        let recipient = try #require(MailAddress(parsing: "person@example.com"))
        return String(decoding: composer.compose(letter, to: recipient).bytes, as: UTF8.self)
    }

    @Test func `every mail has its headers, and lines that every server takes`() throws {
        for letter in try Self.letters() {
            let text = try Self.composed(letter)
            let head = try #require(text.components("\r\n\r\n").first)
            for field in ["From", "To", "Reply-To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"] {
                #expect(head.components("\r\n").count { $0.hasPrefix(field + ": ") } == 1, "\(field)")
            }
            #expect(head.contains("\r\nAuto-Submitted: auto-generated\r\n"))
            #expect(head.contains("\r\nContent-Language: \(letter.language)\r\n"))
            #expect(text.utf8.allSatisfy { $0 < 0x80 }, "ASCII alone")
            #expect(!text.components("\r\n").joined().contains { $0 == "\r" || $0 == "\n" }, "no bare CR or LF")
            #expect(text.components("\r\n").allSatisfy { $0.utf8.count <= 78 })
            #expect(text.hasSuffix("--\r\n"))
        }
    }

    // T-226
    @Test func `attack: a device name in a mail has its links and markup removed`() throws {
        for texts in Self.languages {
            let name = "Eve’s phone at http://evil.example.com <b>"
            let letter = try Self.letter(.addressProvenInApp(device: name), in: texts)
            #expect(letter.plainText.contains("Eve’s phone at httpevilexamplecom b"), "\(letter.plainText)")
            let nameless = try Self.letter(.addressProvenInApp(device: "://"), in: texts)
            let strings = try #require(LocalizedStrings.builtIn.first { $0.language == texts.language })
            #expect(nameless.plainText.contains(strings[MailKey.namelessDevice]))
        }
    }

    // T-227
    @Test func `attack: only a code has six digits in a row in a mail`() throws {
        for (index, letter) in try Self.letters().enumerated() {
            for seed in UInt64(1)...20 {
                let text = try Self.composed(letter, seed: seed &* 7919 &+ UInt64(index))
                let runs = text.digitRuns.filter { $0.count > 5 }
                #expect(runs == (letter.code.map { [$0, $0] } ?? []), "\(letter.subject)")
            }
        }
    }

    @Test func `both parts say the same, and come back as they were written`() throws {
        for letter in try Self.letters() {
            let parts = try Self.composed(letter).components("\r\n--=_").dropFirst().dropLast()
            let bodies = parts.map { $0.components("\r\n\r\n").dropFirst().joined(separator: "\r\n\r\n").unquoted }
            #expect(bodies == [letter.plainText, letter.html])
        }
    }

    @Test func `every language says everything, with every place filled`() throws {
        for texts in Self.languages {
            for content in Self.contents {
                let letter = try Self.letter(content, in: texts)
                #expect(letter.subject.contains("Example"))
                #expect(!letter.plainText.contains { $0 == "%" || $0 == "#" }, "\(letter.plainText)")
            }
        }
        #expect(Self.languages.map(\.language) == ["en", "fr", "es", "sv", "de"])
        #expect(Set(LocalizedStrings.builtIn.map { $0[MailKey.alarm] }).count == 5)
    }

    @Test(arguments: [
        ("fr-CA", "fr"), ("SV", "sv"), ("es", "es"), ("de-AT", "de"), ("pt", "en"), ("", "en"), ("*", "en"),
    ])
    func `the language is that of the tag, or English`(_ tag: String, _ language: String) {
        let composer = MailComposer(from: .nobody, replyTo: nil, environment: VirtualTime().environment())
        #expect(composer.texts(tagged: tag).language == language)
    }

    @Test func `a code's mail says how long it is good, and the link where it can be read`() throws {
        let letter = try Self.letter(Self.contents[1])
        #expect(letter.plainText.contains("\n    402913\n"))
        #expect(letter.plainText.contains("for 10 minutes"))
        #expect(letter.plainText.contains("https://login.example.com/m/abcDEF"))
        #expect(letter.html.contains("<a href=\"https://login.example.com/m/abcDEF\""))
    }

    @Test(arguments: [
        (-5, "1 minute"), (29, "1 minute"), (90, "2 minutes"), (599, "10 minutes"), (7140, "119 minutes"),
        (7200, "2 hours"), (86_399, "24 hours"),
    ])
    func `how long is said as people say it`(_ seconds: Int64, _ text: String) {
        #expect(Self.english.span(.seconds(seconds)) == text)
    }

    // T-226
    @Test func `attack: a service name in a mail can't add headers or markup`() throws {
        let evil = "X\r\nBcc: all@example.com\r\n\r\n<script>alert(1)</script>\u{202E}"
        let letter = try Self.letter(.notice(.passkeyAdded), service: evil)
        let text = try Self.composed(letter)
        #expect(!text.lowercased().components("\r\n").contains { $0.hasPrefix("bcc") })
        #expect(!letter.html.contains("<script"))
    }

    // T-226
    /// Readers of HTML look at code points (WHATWG HTML §13.2.5.36), Swift at characters.
    @Test(arguments: zip(["\"", "'", "<", ">", "&"], ["&quot;", "&#39;", "&lt;", "&gt;", "&amp;"]))
    func `attack: a special character followed by a combining mark is escaped in a mail`(sign: String, escaped: String)
    {
        let (hostile, text) = (sign + "\u{301}x", escaped + "\u{301}x")
        let letter = Letter(language: "en", subject: hostile, blocks: [.link(label: hostile, url: hostile)])
        let html = Array(letter.html.utf8)
        #expect(html.contains(Array("<a href=\"\(text)\"".utf8)) && html.contains(Array(">\(text)</a>".utf8)))
        #expect(!html.contains(Array(hostile.utf8)))
    }

    @Test(arguments: [
        (0, "Thu, 1 Jan 1970 00:00:00 +0000"), (951_782_399, "Mon, 28 Feb 2000 23:59:59 +0000"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 +0000"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 +0000"),
        (4_107_542_400, "Mon, 1 Mar 2100 00:00:00 +0000"), (1_795_312_523, "Sun, 22 Nov 2026 01:55:23 +0000"),
    ])
    func `dates are those of the calendar`(_ seconds: Int64, _ text: String) {
        #expect(MailDate.text(Instant(seconds: seconds)) == text)
    }

    @Test func `long and foreign subjects are encoded words that no mail server breaks`() {
        let subject = String(repeating: "Ключ доступа 🔑 ", count: 12)
        let words = HeaderText.unstructured(subject, after: "Subject").components("\r\n ")
        #expect(words.count > 3)
        #expect(words.allSatisfy { $0.utf8.count <= 75 && $0.hasPrefix("=?utf-8?Q?") && $0.hasSuffix("?=") })
        let decoded = words.map { word in
            String(word.dropFirst(10).dropLast(2)).map { $0 == "_" ? "=20" : String($0) }.joined().unquoted
        }
        #expect(decoded.joined() == subject, "each word is whole characters")
        #expect(HeaderText.unstructured("Plain words", after: "Subject") == "Plain words")
        #expect(HeaderText.unstructured("=?utf-8?Q?x?=", after: "Subject") != "=?utf-8?Q?x?=")
    }

    @Test(arguments: [
        "a = b ", "\t", "....", "é" + String(repeating: "x", count: 200), "123456789012", "=99 1234567é12345",
    ])
    func `quoted-printable comes back as it was`(_ text: String) {
        let encoded = QuotedPrintable.encode(text)
        #expect(encoded.unquoted == text)
        #expect(encoded.components("\r\n").allSatisfy { $0.utf8.count <= 76 && $0.last != " " && $0.last != "\t" })
        #expect(encoded.digitRuns.allSatisfy { $0.count < 6 })
    }
}

extension String {
    /// Parted at every occurrence.
    func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }

    var digitRuns: [String] { split { !("0"..."9").contains($0) }.map(String.init) }

    /// Quoted-printable undone, by another way than the one it was made.
    var unquoted: String {
        let joined = Array(replacing("=\r\n", with: "").replacing("\r\n", with: "\n").utf8)
        var bytes: [UInt8] = []
        var index = 0
        while index < joined.count {
            if joined[index] == UInt8(ascii: "="), index + 2 < joined.count,
                let byte = UInt8(String(decoding: joined[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
            {
                bytes.append(byte)
                index += 3
            } else {
                bytes.append(joined[index])
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
