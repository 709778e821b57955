import Mustache

/// Templates of pages: what is put into one is escaped scalar by scalar.
///
/// Mustache's own escaping looks at characters, and a quotation mark with a combining mark behind it is another character
/// than a quotation mark: it would go out as it is, and end an attribute (WHATWG HTML §13.2.5.36 reads code points). No page
/// has partials: Mustache goes back to its own escaping within one.
enum PageMarkup {
    /// The template of that markup; `nil` where it can't be parsed, which a test of each page would notice.
    static func template(_ markup: String) -> MustacheTemplate? {
        _ = registered
        return try? MustacheTemplate(string: "{{% CONTENT_TYPE:\(name)}}\(markup)")
    }

    private static let name = "PAGE"
    private static let registered: Void = MustacheContentTypes.register(Escaping(), named: name)

    /// The five that have a meaning in text and in quoted attributes.
    struct Escaping: MustacheContentType {
        func escapeText(_ text: String) -> String {
            var escaped = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                switch scalar {
                case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
                case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
                case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
                case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
                case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
                default: escaped.append(scalar)
                }
            }
            return String(escaped)
        }
    }
}
