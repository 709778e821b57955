package import Kernel
package import Mail
package import Web

/// Formats letters as mail: headers, a plain part and an HTML part (RFC 5322, RFC 2045, RFC 2046).
///
/// Pure except for the time and the randomness of ``Environment``. In a mail, headers included, only a code has six
/// digits in a row. The recipient's own address is the one exception.
package struct MailComposer: Sendable {
    private let from: MailAddress
    private let replyTo: MailAddress?
    private let localization: Localization
    /// The address of the account centre; `nil` where it is not served.
    private let accountPage: String?
    private let environment: Environment

    package init(
        from: MailAddress,
        replyTo: MailAddress?,
        localization: Localization = Localization(),
        accountPage: String? = nil,
        environment: Environment
    ) {
        self.from = from
        self.replyTo = replyTo
        self.localization = localization
        self.accountPage = accountPage
        self.environment = environment
    }

    /// The tags of the languages that mail is written in, the default language first.
    package var languages: [String] { localization.current.tags }

    /// Returns the texts of a mail in that language, under the brand of a client.
    func texts(tagged tag: String, for client: String? = nil) -> MailStrings {
        MailStrings(localization.current.texts(tagged: tag).branded(for: client), accountPage: accountPage)
    }

    /// Returns a mail that tests whether delivery works.
    package func test(to recipient: MailAddress, language: String) -> MailMessage {
        compose(texts(tagged: language).testLetter, to: recipient)
    }

    func compose(_ letter: Letter, to recipient: MailAddress) -> MailMessage {
        let boundary = "=_\(letters(24))"
        let lines =
            headers(of: letter, to: recipient, boundary) + ["", "--\(boundary)"]
            + part("text/plain", letter.plainText, keeping: letter.code) + ["--\(boundary)"]
            + part("text/html", letter.html, keeping: letter.code) + ["--\(boundary)--", ""]
        return MailMessage(recipient: recipient.address, bytes: Array(lines.joined(separator: "\r\n").utf8))
    }

    private func headers(of letter: Letter, to recipient: MailAddress, _ boundary: String) -> [String] {
        [
            "From: \(from.headerText)",
            "To: \(recipient.headerText)",
        ] + (replyTo.map { ["Reply-To: \($0.headerText)"] } ?? []) + [
            "Subject: \(HeaderText.unstructured(letter.subject, after: "Subject"))",
            "Date: \(MailDate.text(environment.now()))",
            "Message-ID: <\(letters(32))@\(from.domain)>",
            // Prevents automatic vacation replies (RFC 3834 §5.1).
            "Auto-Submitted: auto-generated",
            "Content-Language: \(letter.language)",
            "MIME-Version: 1.0",
            "Content-Type: multipart/alternative; boundary=\"\(boundary)\"",
        ]
    }

    private func part(_ type: String, _ text: String, keeping code: String?) -> [String] {
        [
            "Content-Type: \(type); charset=utf-8", "Content-Transfer-Encoding: quoted-printable", "",
            QuotedPrintable.encode(text, keeping: code),
        ]
    }

    /// Returns random letters without digits, each of which encodes four bits.
    private func letters(_ count: Int) -> String { MailLetters.text(environment.randomBytes(count)) }
}

/// Encodes bytes as letters, four bits of each byte.
enum MailLetters {
    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.map { UInt8(ascii: "a") + $0 % 16 }, as: UTF8.self)
    }
}
