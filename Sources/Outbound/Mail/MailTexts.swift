import Accounts
import Kernel

/// What mails say, by key; one file per language.
///
/// `%` stands for the service, `#` for how long something works, or for what a device is called. No text has six digits in
/// a row.
struct MailTexts: Sendable {
    /// The language's tag (RFC 5646).
    let language: String
    let code: LinkText
    let proof: LinkText
    /// Before and after the code that proves an address in an app.
    let proofCode: CodeText
    /// `#` stands for the device that stays signed in.
    let provenInApp: NoticeText
    /// What a device without a name is called.
    let namelessDevice: String
    let notices: [AccountNotice: NoticeText]
    /// What to do about a notice that was not expected.
    let alarm: String
    let test: NoticeText
    /// Every mail ends with it.
    let footer: String
    let units: Units

    /// What spans of time are counted in.
    struct Units: Sendable {
        let minute: String
        let minutes: String
        let hours: String

        /// To the nearest minute, from two hours on to the nearest hour; a minute at least.
        func text(_ span: Duration) -> String {
            let count = max(1, (span.wholeMilliseconds + 30_000) / 60_000)
            if count >= 120 { return "\((count + 30) / 60) \(hours)" }
            return "\(count) \(count == 1 ? minute : minutes)"
        }
    }

    /// The words of a mail with a code or a link.
    struct LinkText: Sendable {
        let subject: String
        let body: String
        /// The link's words.
        let link: String
        let validity: String
        /// For whoever did not ask for it.
        let unasked: String
    }

    /// What stands before a code and after it.
    struct CodeText: Sendable {
        let lead: String
        let warning: String
    }

    /// The words of a mail that only tells.
    struct NoticeText: Sendable {
        let subject: String
        let body: String
    }

    /// Every language, the one for all others first.
    static let all: [MailTexts] = [.english, .french, .spanish, .swedish]

    /// The texts for a tag like `fr` or `fr-CA`; English where there are none.
    static func texts(for tag: String) -> MailTexts {
        let primary = tag.prefix { $0 != "-" }.lowercased()
        return all.first { $0.language == primary } ?? .english
    }

    func letter(_ content: AccountMail.Content, service: String, now: Instant) -> Letter {
        switch content {
        case .signInCode(let digits, let link, let end):
            letter(code, service, until: units.text(end - now)) {
                [.code(digits.expose())] + (link.map { [.link(label: code.link, url: $0.expose())] } ?? [])
            }
        case .addressProof(let link, let code, let end):
            letter(proof, service, until: units.text(end - now)) {
                [
                    .link(label: proof.link, url: link.expose()),
                    .paragraph(Self.filled(proofCode.lead, service, "")), .letters(code.expose()),
                    .paragraph(Self.filled(proofCode.warning, service, "")),
                ]
            }
        case .addressProvenInApp(let device):
            letter(provenInApp, service, [alarm], naming: device.flatMap(Self.plainName) ?? namelessDevice)
        case .notice(let notice):
            letter(notices[notice] ?? NoticeText(subject: notice.rawValue, body: notice.rawValue), service, [alarm])
        }
    }

    var testLetter: Letter { letter(test, "Vestibule", []) }

    private func letter(
        _ text: LinkText,
        _ service: String,
        until span: String,
        _ blocks: () -> [Letter.Block]
    ) -> Letter {
        func filled(_ text: String) -> String { Self.filled(text, service, span) }
        return Letter(
            language: language,
            subject: filled(text.subject),
            blocks: [.paragraph(filled(text.body))] + blocks() + [
                .paragraph(filled(text.validity)), .paragraph(filled(text.unasked)), .footer(filled(footer)),
            ]
        )
    }

    /// What a device calls itself, as a mail may say it: whoever named it must not put an address there that a mail program
    /// makes a link of, nor digits that look like a code.
    private static func plainName(_ name: String) -> String? {
        var (kept, digits) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars where kept.count < 40 {
            let isDigit = scalar.properties.numericType != nil
            digits = isDigit ? digits + 1 : 0
            let isPlain = scalar.properties.isAlphabetic || " -_'’".unicodeScalars.contains(scalar) || isDigit
            if isPlain, digits <= 4 { kept.append(scalar) }
        }
        let plain = String(kept).split(separator: " ").joined(separator: " ")
        return plain.isEmpty ? nil : plain
    }

    private func letter(
        _ text: NoticeText,
        _ service: String,
        _ more: [String],
        naming device: String = ""
    ) -> Letter {
        func filled(_ text: String) -> String { Self.filled(text, service, device) }
        return Letter(
            language: language,
            subject: filled(text.subject),
            blocks: ([text.body] + more).map { .paragraph(filled($0)) } + [.footer(filled(footer))]
        )
    }

    /// In one pass: what a service calls itself is not looked at again.
    private static func filled(_ text: String, _ service: String, _ span: String) -> String {
        text.reduce(into: "") { filled, character in
            switch character {
            case "%": filled += service
            case "#": filled += span
            default: filled.append(character)
            }
        }
    }
}
