/// What a mail says, before it has a form.
struct Letter: Sendable, Equatable {
    /// The language's tag (RFC 5646).
    let language: String
    let subject: String
    let blocks: [Block]

    /// A part of it, in order.
    enum Block: Sendable, Equatable {
        case paragraph(String)
        /// Digits to read and type.
        case code(String)
        /// Letters to read and type.
        case letters(String)
        case link(label: String, url: String)
        /// What every mail ends with.
        case footer(String)
    }

    /// The digits that it is about, if any.
    var code: String? {
        blocks.lazy.compactMap { block in
            switch block {
            case .code(let code): code
            case .paragraph, .letters, .link, .footer: nil
            }
        }.first
    }

    /// For readers that show no HTML.
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

    /// Without images, scripts or addresses of others: opening it tells nobody anything.
    var html: String {
        let body = blocks.map { block in
            switch block {
            case .paragraph(let text): "<p>\(Self.escaped(text))</p>"
            case .code(let code), .letters(let code):
                "<p style=\"font: bold 2em monospace; letter-spacing: .2em\">\(Self.escaped(code))</p>"
            case .link(let label, let url): "<p><a href=\"\(Self.escaped(url))\">\(Self.escaped(label))</a></p>"
            case .footer(let text): "<hr><p><small>\(Self.escaped(text))</small></p>"
            }
        }.joined(separator: "\n")
        return """
            <!doctype html>
            <html lang="\(Self.escaped(language))">
            <head><meta charset="utf-8"><title>\(Self.escaped(subject))</title></head>
            <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
            \(body)
            </body>
            </html>

            """
    }

    /// Scalar by scalar: a quotation mark with a combining mark behind it is another character, and would end an attribute
    /// all the same (WHATWG HTML §13.2.5.36 reads code points).
    private static func escaped(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
