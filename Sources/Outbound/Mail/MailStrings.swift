import Accounts
import Kernel
import Web

extension AccountNotice: LocalizationKey {
    package static var section: String { LetterKey.section }
}

/// The texts of mails in one language.
struct MailStrings: Sendable {
    private let strings: LocalizedStrings
    /// The address of the account centre; `nil` where it is not served.
    private let accountPage: String?

    init(_ strings: LocalizedStrings, accountPage: String? = nil) {
        self.strings = strings
        self.accountPage = accountPage
    }

    var language: String { strings.language }

    func letter(_ mail: AccountMail, now: Instant) -> Letter {
        var letter = letter(mail.content, service: mail.service, now: now)
        let end = letter.blocks.firstIndex { if case .footer = $0 { true } else { false } } ?? letter.blocks.endIndex
        letter.blocks.insert(.details(heading: strings[MailKey.origin], origin(of: mail, now: now)), at: end)
        return letter
    }

    /// Returns when the request behind the mail was made, with which app and from which address, as far as known.
    private func origin(of mail: AccountMail, now: Instant) -> [Letter.Detail] {
        let asked = [
            (MailKey.originTime, MailDate.minute(now)),
            (.originAgent, Self.plainName(mail.requester.agent, keeping: " -_'’,/") ?? ""),
            (.originAddress, MailPlace.text(mail.requester.address)),
        ]
        return asked.filter { !$0.1.isEmpty }.map { Letter.Detail(label: strings[$0.0], value: $0.1) }
    }

    private func letter(_ content: AccountMail.Content, service: String, now: Instant) -> Letter {
        switch content {
        case .signInCode(let digits, let link, let end):
            letter(LetterKey.signInCode, service, until: span(end - now)) {
                [.code(digits.expose())] + (link.map { [self.link(of: .signInCode, to: $0)] } ?? [])
            }
        case .addressProof(let link, let code, let end):
            letter(LetterKey.addressProof, service, until: span(end - now)) {
                [
                    self.link(of: .addressProof, to: link),
                    .paragraph(Self.filled(strings[MailKey.proofCodeLead], service)), .letters(code.expose()),
                    .paragraph(Self.filled(strings[MailKey.proofCodeWarning], service)),
                ]
            }
        case .addressProvenInApp(let device):
            letter(
                LetterKey.addressProvenInApp,
                service,
                naming: device.flatMap { Self.plainName($0) } ?? strings[MailKey.namelessDevice],
                advice: advice(service)
            )
        case .notice(let notice):
            letter(notice, service, advice: advice(service, hasAccount: notice != .accountClosed))
        }
    }

    var testLetter: Letter { letter(LetterKey.test, strings.brand.name, advice: []) }

    /// Returns the duration in words: to the nearest minute, from two hours on to the nearest hour, and at least a
    /// minute.
    func span(_ span: Duration) -> String {
        let count = max(1, (span.wholeMilliseconds + 30_000) / 60_000)
        if count >= 120 { return "\((count + 30) / 60) \(strings[MailKey.hours])" }
        return "\(count) \(strings[count == 1 ? MailKey.minute : .minutes])"
    }

    /// Returns a mail with a code or a link.
    private func letter(
        _ key: LetterKey,
        _ service: String,
        until span: String,
        with blocks: () -> [Letter.Block]
    ) -> Letter {
        func filled(_ part: String) -> String { Self.filled(text(part, of: key), service, span: span) }
        return Letter(
            language: language,
            subject: filled("subject"),
            blocks: [.paragraph(filled("body"))] + blocks() + [
                .paragraph(filled("validity")), .paragraph(filled("unasked")), footer(service),
            ],
            brand: strings.brand,
            linkHint: strings[MailKey.linkFails]
        )
    }

    /// Returns a mail that only informs.
    private func letter<Key: LocalizationKey>(
        _ key: Key,
        _ service: String,
        naming device: String = "",
        advice: [Letter.Block]
    ) -> Letter {
        Letter(
            language: language,
            subject: Self.filled(text("subject", of: key), service, span: device),
            blocks: [.paragraph(Self.filled(text("body", of: key), service, span: device))] + advice + [
                footer(service)
            ],
            brand: strings.brand,
            linkHint: strings[MailKey.linkFails]
        )
    }

    /// Returns what a person who did not make the change can do: on the account's page where it has one.
    ///
    /// The button's address has no secret: the page asks for a sign-in.
    private func advice(_ service: String, hasAccount: Bool = true) -> [Letter.Block] {
        guard hasAccount, let accountPage else {
            return [.paragraph(Self.filled(strings[MailKey.alarm], service))] + help
        }
        return [
            .paragraph(Self.filled(strings[MailKey.alarmWithAccount], service)),
            .link(label: strings[AccountKey.notMe], url: accountPage),
        ] + help
    }

    /// The address where a person who did not make a change gets help, if the operator names one.
    private var help: [Letter.Block] {
        strings.brand.links.help.map { [.link(label: strings[BrandKey.help], url: $0)] } ?? []
    }

    private func link(of key: LetterKey, to url: Secret) -> Letter.Block {
        .link(label: text("link", of: key), url: url.expose())
    }

    private func footer(_ service: String) -> Letter.Block {
        .footer(Self.filled(strings[MailKey.footer], service))
    }

    /// Returns one part (such as the subject) of a mail's texts.
    private func text<Key: LocalizationKey>(_ part: String, of key: Key) -> String {
        strings.text("\(key.rawValue).\(part)", in: Key.section) ?? key.rawValue
    }

    /// Returns the name of a device as a mail may show it.
    ///
    /// Addresses that a mail program would turn into a link are left out, as are digits that look like a code.
    private static func plainName(_ name: String, keeping signs: String = " -_'’") -> String? {
        var (kept, digits) = (String.UnicodeScalarView(), 0)
        for scalar in name.unicodeScalars where kept.count < 40 {
            let isDigit = scalar.properties.numericType != nil
            digits = isDigit ? digits + 1 : 0
            let isPlain = scalar.properties.isAlphabetic || signs.unicodeScalars.contains(scalar) || isDigit
            if isPlain, digits <= 4 { kept.append(scalar) }
        }
        let plain = String(kept).split(separator: " ").joined(separator: " ")
        return plain.isEmpty ? nil : plain
    }

    /// Fills the text in one pass, so that placeholders within a service's name stay as they are.
    private static func filled(_ text: String, _ service: String, span: String = "") -> String {
        text.reduce(into: "") { filled, character in
            switch character {
            case "%": filled += service
            case "#": filled += span
            default: filled.append(character)
            }
        }
    }
}
