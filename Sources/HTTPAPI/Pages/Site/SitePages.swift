import HTTPTypes
import Hummingbird
import Mustache
import NIOCore

/// The site's pages, kept ready in every language: they are the same for everybody, and what is a person's own their
/// scripts ask the API for.
struct SitePages: Sendable {
    /// Nothing but files of our own, and no text that becomes markup or script (CSP Level 3, Trusted Types).
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    private struct Key: Hashable {
        let page: SitePage
        let language: String
    }

    private let rendered: [Key: ByteBuffer]

    init(_ settings: SiteSettings) {
        var rendered: [Key: ByteBuffer] = [:]
        // Our own text, which a test renders: it parses.
        let templates = settings.pages.map {
            ($0, PageMarkup.template(SiteTemplates.page($0.content)))
        }
        for texts in Texts.all {
            let version = SiteAssets.byLanguage[texts.language]?.version ?? ""
            for (page, template) in templates {
                let text = template?.render(Self.values(of: page, texts, settings, version)) ?? ""
                rendered[Key(page: page, language: texts.language)] = ByteBuffer(string: text)
            }
        }
        self.rendered = rendered
    }

    func render(_ page: SitePage, in texts: Texts) -> Response {
        var response = Response(
            status: .ok,
            headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: Self.policy],
            body: ResponseBody(byteBuffer: rendered[Key(page: page, language: texts.language)] ?? ByteBuffer())
        )
        response.say(in: texts)
        // The scan's page is opened from here: it gets no hand on this one, and no address.
        response.headers[our: .crossOriginOpenerPolicy] = "same-origin"
        response.headers[our: .referrerPolicy] = "same-origin"
        // Passkeys are for the page itself, never for a frame in it.
        response.headers[our: .permissionsPolicy] =
            "publickey-credentials-create=(self), publickey-credentials-get=(self), camera=(), microphone=()"
        return response
    }

    private static func values(
        of page: SitePage,
        _ texts: Texts,
        _ settings: SiteSettings,
        _ version: String
    ) -> [String: Any] {
        let words = texts.site.words
        let ways = settings.pages.compactMap { other in
            other.label.map { label -> [String: Any] in
                [
                    "path": other.link, "label": words[label.link] ?? "", "hint": words[label.hint] ?? "",
                    "name": words[other.title] ?? "", "isCurrent": other == page,
                ]
            }
        }
        return [
            "language": texts.language, "site": settings.name, "title": words[page.title] ?? "",
            "assets": "assets/\(version)", "script": page.script, "isHome": page == .home,
            "isWide": page == .home || page == .passkeys, "links": ways, "ways": ways, "rpID": settings.rpID,
            "listsUsers": settings.listsUsers, "offersFace": settings.offersFace,
            "say": Dictionary(uniqueKeysWithValues: words.map { ($0.key.rawValue, $0.value) }),
        ]
    }
}
