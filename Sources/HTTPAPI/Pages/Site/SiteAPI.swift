import HTTPTypes
import Hummingbird
import Web

/// The pages where people create passkeys, sign in with passkeys or their face, and list their passkeys.
struct SiteAPI: Sendable {
    private let settings: SiteSettings
    private let pages: SitePages

    init(_ settings: SiteSettings) {
        self.settings = settings
        pages = SitePages(settings: settings)
    }

    var routes: [Route] {
        settings.pages.flatMap { page in
            page.paths.flatMap { Route.document($0, access: .everybody, use: handler(of: page, at: $0)) }
        }
    }

    /// Answers `GET|HEAD` of a page, under that path alone.
    ///
    /// The router also accepts the path with a trailing slash, where the page's relative addresses would be wrong.
    private func handler(of page: SitePage, at path: String) -> Route.Handler {
        { [pages] request, _ in
            guard request.uri.path == path else { throw APIError.notFound }
            return pages.render(page, in: AcceptedLanguage.texts(for: request))
        }
    }
}
