import HTTPTypes
import Hummingbird
import Web

/// The pages where people make passkeys, sign in with them or with their face, and see which they have.
package struct SiteAPI: Sendable {
    private let pages: SitePages
    private let paths: [SitePage]

    package init(_ settings: SiteSettings) {
        pages = SitePages(settings)
        paths = settings.pages
    }

    package var routes: [Route] {
        paths.flatMap { page in
            page.paths.flatMap { Route.document($0, access: .everybody, use: handler(of: page, at: $0)) }
        }
    }

    /// `GET|HEAD` of a page, under that path alone: the router takes one with a slash behind it as well, from where the
    /// page's relative addresses would lead nowhere.
    private func handler(of page: SitePage, at path: String) -> Route.Handler {
        { [pages] request, _ in
            guard request.uri.path == path else { throw APIError.notFound }
            return pages.render(page, in: AcceptedLanguage.texts(for: request))
        }
    }
}
