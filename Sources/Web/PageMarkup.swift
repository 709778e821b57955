import Mustache

/// Templates of pages, whose content is escaped scalar by scalar.
///
/// Mustache's own escaping works on characters. A quotation mark followed by a combining mark is a different
/// character, so Mustache would leave it unescaped. Browsers read code points (WHATWG HTML §13.2.5.36), so it would
/// end an attribute. Within a partial Mustache returns to its own escaping. So partials are inserted as text before
/// Mustache parses a page.
enum PageMarkup {
    /// Every page by its name, parsed at the first use, which is when the program starts.
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

    /// Returns the template for the markup, or `nil` if it can't be parsed.
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
