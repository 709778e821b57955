import Web

/// The content of a mail, before it is formatted.
struct Letter: Sendable, Equatable {
    /// The language's tag (RFC 5646).
    let language: String
    let subject: String
    let blocks: [Block]

    /// A part of the letter.
    enum Block: Sendable, Equatable {
        case paragraph(String)
        /// Digits to read and type.
        case code(String)
        /// Letters to read and type.
        case letters(String)
        case link(label: String, url: String)
        /// The end of every mail.
        case footer(String)
    }

    /// The digits of the letter's code, or `nil` if it has none.
    var code: String? {
        blocks.lazy.compactMap { block in
            switch block {
            case .code(let code): code
            case .paragraph, .letters, .link, .footer: nil
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
            case .footer(let text): "--\n\(text)"
            }
        }.joined(separator: "\n\n") + "\n"
    }

    /// The letter as HTML.
    var html: String {
        let content = Content(subject: subject, blocks: blocks.map(Content.Block.init))
        let strings = LocalizedStrings.all.first { $0.language == language } ?? .english
        return Self.template.render(content, in: strings) + "\n"
    }

    private static let template = PageTemplate<Content>("mail")

    /// The content of `pages/mail.mustache`.
    private struct Content: Sendable {
        let subject: String
        let blocks: [Block]

        /// One block, of which exactly one member is set.
        struct Block: Sendable {
            var paragraph: String?
            var code: String?
            var link: Link?
            var footer: String?

            init(_ block: Letter.Block) {
                switch block {
                case .paragraph(let text): paragraph = text
                case .code(let text), .letters(let text): code = text
                case .link(let label, let url): link = Link(label: label, url: url)
                case .footer(let text): footer = text
                }
            }
        }

        struct Link: Sendable {
            let label: String
            let url: String
        }
    }
}
