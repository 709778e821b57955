import Web

/// The content of a mail, before it is formatted.
struct Letter: Sendable, Equatable {
    /// The language's tag (RFC 5646).
    let language: String
    let subject: String
    var blocks: [Block]
    /// The brand that the mail shows.
    var brand = Brand.builtIn
    /// The sentence before a button's address.
    var linkHint = ""

    /// A part of the letter.
    enum Block: Sendable, Equatable {
        case paragraph(String)
        /// Digits to read and type.
        case code(String)
        /// Letters to read and type.
        case letters(String)
        case link(label: String, url: String)
        /// What is known of the request behind the mail.
        case details(heading: String, [Detail])
        /// The end of every mail.
        case footer(String)
    }

    struct Detail: Sendable, Equatable {
        let label: String
        let value: String
    }

    /// The digits of the letter's code, or `nil` if it has none.
    var code: String? {
        blocks.lazy.compactMap { block in
            switch block {
            case .code(let code): code
            case .paragraph, .letters, .link, .details, .footer: nil
            }
        }.first
    }

    /// The text for mail programs that show no HTML.
    var plainText: String {
        blocks.map { block in
            switch block {
            case .paragraph(let text): text
            case .code(let code), .letters(let code): "    \(code)"
            case .link(let label, let url): "\(label):\n\(url)"
            case .details(let heading, let details):
                ([heading] + details.map { "\($0.label): \($0.value)" }).joined(separator: "\n")
            case .footer(let text): "--\n\(text)"
            }
        }.joined(separator: "\n\n") + "\n"
    }

    /// The letter as HTML.
    var html: String {
        let colours = brand.palette
        let content = Content(
            subject: subject,
            brandName: brand.name,
            accent: colours.light.rgb,
            onAccent: colours.onLight.rgb,
            linkHint: linkHint,
            blocks: blocks.map(Content.Block.init)
        )
        return Self.template.render(content, in: LocalizedStrings(untranslated: language)) + "\n"
    }

    private static let template = PageTemplate<Content>("mail")

    /// The content of `pages/mail.mustache`.
    private struct Content: Sendable {
        let subject: String
        let brandName: String
        let accent: String
        let onAccent: String
        let linkHint: String
        let blocks: [Block]

        /// One block, of which exactly one member is set.
        struct Block: Sendable {
            var paragraph: String?
            var code: String?
            var link: Link?
            var details: Details?
            var footer: String?

            init(_ block: Letter.Block) {
                switch block {
                case .paragraph(let text): paragraph = text
                case .code(let text), .letters(let text): code = text
                case .link(let label, let url): link = Link(label: label, url: url)
                case .details(let heading, let rows): details = Details(heading: heading, rows: rows)
                case .footer(let text): footer = text
                }
            }
        }

        struct Link: Sendable {
            let label: String
            let url: String
        }

        struct Details: Sendable {
            let heading: String
            let rows: [Detail]
        }
    }
}
