import HTTPTypes
import Hummingbird
import Kernel
import Web

/// Chooses one of this server's languages for a request (RFC 9110 §12.5.4, RFC 4647 §3.4).
struct AcceptedLanguage: Sendable {
    /// The most language ranges that are read; further ones are ignored.
    private static let limit = 20

    let languages: Languages

    /// Returns the texts in the language in which the page was requested before (``LanguageCookie``).
    ///
    /// Without one, the request's preferred available language decides, and otherwise English. They have the owner's
    /// brand; a page for a client asks for that client's with `branded(for:)`.
    func texts(for request: Request) -> LocalizedStrings {
        at(request, LanguageCookie.texts(request, among: languages) ?? texts(for: request.headers[.acceptLanguage]))
    }

    /// Returns the texts in the first available language of a client's `ui_locales`, else those of the request.
    ///
    /// See OpenID Connect Core §3.1.2.1.
    func texts(for request: Request, asked uiLocales: String?) -> LocalizedStrings {
        for tag in uiLocales?.split(separator: " ").prefix(Self.limit) ?? [] {
            if let texts = languages[tag.prefix { $0 != "-" }.lowercased()] { return at(request, texts) }
        }
        return texts(for: request)
    }

    /// Returns the texts for a page whose address may have `ui_locales`.
    func textsOfAddress(_ request: Request) -> LocalizedStrings {
        texts(for: request, asked: FormBody.field("ui_locales", in: request.uri.query ?? ""))
    }

    /// Notes where the server's root is, seen from the request's page: a proxy may mount the pages anywhere.
    private func at(_ request: Request, _ texts: LocalizedStrings) -> LocalizedStrings {
        var texts = texts
        let depth = request.uri.path.utf8.count { $0 == UInt8(ascii: "/") }
        texts.root = String(repeating: "../", count: max(0, min(depth, 16) - 1))
        return texts
    }

    func texts(for header: String?) -> LocalizedStrings {
        guard let header else { return languages.standard }
        let ranges = header.split(separator: ",").prefix(Self.limit).compactMap { Range($0) }
        var best: (texts: LocalizedStrings, weight: Int, position: Int)?
        for texts in languages.all {
            guard let (weight, position) = Self.preference(of: texts.language, ranges), weight > 0 else { continue }
            if let held = best, (held.weight, -held.position) >= (weight, -position) { continue }
            best = (texts, weight, position)
        }
        return best?.texts ?? languages.standard
    }

    /// Returns the weight that the ranges give a language, and the position of that range in the list.
    ///
    /// A range that names the language has precedence over `*`.
    private static func preference(of language: String, _ ranges: [Range]) -> (weight: Int, position: Int)? {
        let named = ranges.enumerated().filter { $0.element.language == language }
        // In `fr-CA;q=0.4, fr;q=0.9` the larger weight counts.
        if let best = named.max(by: { $0.element.weight < $1.element.weight }) {
            return (best.element.weight, best.offset)
        }
        return ranges.enumerated().first { $0.element.language == "*" }.map { ($0.element.weight, $0.offset) }
    }

    /// One range like `fr-CA;q=0.8`: its primary language, and its weight in thousandths.
    private struct Range {
        let language: String
        let weight: Int

        init?(_ text: Substring) {
            let parts = text.split(separator: ";").map { $0.trimmedOfBlanks }
            guard let tag = parts.first, let primary = tag.split(separator: "-").first, primary.utf8.count <= 8 else {
                return nil
            }
            language = primary.lowercased()
            guard let quality = parts.dropFirst().first(where: { $0.lowercased().hasPrefix("q=") }) else {
                weight = 1000
                return
            }
            // RFC 9110 §12.4.2: at most three decimals. An invalid weight makes the range invalid.
            guard let value = Double(quality.dropFirst(2)), (0...1).contains(value) else { return nil }
            weight = Int((value * 1000).rounded())
        }
    }
}

extension Response {
    /// Declares the language of the answer, which depends on the request (RFC 9110 §8.5, §12.5.5).
    mutating func say(in texts: LocalizedStrings) {
        headers[.contentLanguage] = texts.language
        headers[.vary] = "Accept-Language"
    }
}
