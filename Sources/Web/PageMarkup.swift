import Mustache

/// Templates of pages, whose content is escaped scalar by scalar.
///
/// Mustache's own escaping looks at characters: a quotation mark with a combining mark behind it is another character
/// than a quotation mark. It would stay as it is, and end an attribute (WHATWG HTML §13.2.5.36 reads code points).
/// Mustache returns to its own escaping within a partial, so that partials are inserted as text before it sees them.
enum PageMarkup {
    /// Every page by its name; all are parsed at the first use, which is when the program starts.
    static let pages: [String: MustacheTemplate] = {
        var pages: [String: MustacheTemplate] = [:]
        for (name, markup) in markups {
            let page = template(markup)
            precondition(page != nil, "pages/\(name).mustache can't be parsed")
            pages[name] = page
        }
        return pages
    }()

    /// The markup of every page, partials included.
    static let markups = EmbeddedFiles.texts(in: "pages", ending: ".mustache").mapValues(expanded)

    private static let partials = EmbeddedFiles.texts(in: "pages/partials", ending: ".mustache")

    /// Returns the template of that markup; `nil` if it can't be parsed.
    static func template(_ markup: String) -> MustacheTemplate? {
        _ = registered
        return try? MustacheTemplate(string: "{{% CONTENT_TYPE:\(name)}}\n\(markup)")
    }

    /// Returns the markup without the comment at its top and the line break at its end, with its partials inserted.
    private static func expanded(_ markup: String) -> String {
        var body = EmbeddedFiles.trimmed(markup)
        if body.hasPrefix("{{!"), let end = body.firstRange(of: "}}\n") { body = String(body[end.upperBound...]) }
        return body.replacing(#/\{\{>([a-z-]+)\}\}/#) { tag in
            let partial = partials[String(tag.1)]
            precondition(partial != nil, "pages/partials/\(tag.1).mustache does not exist")
            return expanded(partial ?? "")
        }
    }

    private static let name = "PAGE"
    private static let registered: Void = MustacheContentTypes.register(Escaping(), named: name)

    /// Escapes the five characters that have a meaning in text and in quoted attributes.
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
