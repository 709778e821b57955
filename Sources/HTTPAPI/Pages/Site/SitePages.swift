import HTTPTypes
import Hummingbird
import NIOCore
import Web

/// The site's pages, in every language.
///
/// They are the same for every visitor: scripts request a person's own data from the API.
struct SitePages: Sendable {
    /// Allows only files of this server, and no text that becomes markup or script (CSP Level 3, Trusted Types).
    static let policy = [
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'",
        "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'", "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    ].joined(separator: "; ")

    /// Identifies a page that is rendered once.
    private struct Key: Hashable {
        let page: SitePage
        let look: LocalizedStrings.Look
        let settings: SiteSettings
    }

    private static let rendered = RenderedPages<Key>()

    let settings: SiteSettings

    func render(_ page: SitePage, in texts: LocalizedStrings) -> Response {
        let body = Self.rendered.body(for: Key(page: page, look: texts.look, settings: settings)) {
            Self.body(of: page, in: texts, settings)
        }
        // The page itself may use passkeys, but frames in it may not.
        return .sitePage(
            body,
            in: texts,
            permitting: "publickey-credentials-create=(self), publickey-credentials-get=(self)"
        )
    }

    private static func body(
        of page: SitePage,
        in texts: LocalizedStrings,
        _ settings: SiteSettings
    ) -> ByteBuffer {
        let frame = SiteFrame(assets: "assets/\(WebAssets.version(in: texts))")
        let template = PageTemplate<Content>(page.name)
        return ByteBuffer(string: template.render(content(of: page, texts, settings), in: texts, site: frame))
    }

    /// The content of a page of the site.
    struct Content: Sendable {
        let title: String
        let script: String
        let isHome: Bool
        let isWide: Bool
        /// The links to the other pages, in the bar at the top and on the home page.
        let links: [Link]
        let passkeys: Passkeys
        let listsUsers: Bool
        let showsSettings: Bool
    }

    /// What the pages that create or remove passkeys say of them.
    struct Passkeys: Sendable {
        let rpID: String
        let passkeyWait: PasskeyWait
    }

    struct Link: Sendable {
        let path: String
        let label: String
        let hint: String
        let name: String
        let isCurrent: Bool
    }

    private static func content(of page: SitePage, _ texts: LocalizedStrings, _ settings: SiteSettings) -> Content {
        let links = settings.pages.compactMap { other in
            other.label.map { label in
                Link(
                    path: other.link,
                    label: texts[label.link],
                    hint: texts[label.hint],
                    name: texts[other.title],
                    isCurrent: other == page
                )
            }
        }
        let account = Link(
            path: "account",
            label: texts[AccountKey.link],
            hint: texts[AccountKey.linkWay],
            name: texts[AccountKey.title],
            isCurrent: false
        )
        return Content(
            title: texts[page.title],
            script: page.script,
            isHome: page == .home,
            isWide: page == .home || page == .passkeys,
            links: links + (settings.offersAccount ? [account] : []),
            passkeys: Passkeys(
                rpID: settings.rpID,
                passkeyWait: PasskeyWait(texts[AccountKey.passkeysWaitLead], isHidden: true)
            ),
            listsUsers: settings.listsUsers,
            showsSettings: settings.showsSettings
        )
    }
}
