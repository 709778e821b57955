import HTTPTypes
import Hummingbird
import Web

/// The pages where people create passkeys, sign in with their face, and list their passkeys.
///
/// ``SiteSignInAPI`` serves the page where they sign in.
struct SiteAPI: Sendable {
    private let settings: SiteSettings
    private let pages: SitePages

    init(_ settings: SiteSettings) {
        self.settings = settings
        pages = SitePages(settings: settings)
    }

    var routes: [Route] {
        settings.pages.filter { $0 != .signIn }.flatMap { page in
            page.paths.flatMap { Route.document($0, access: .everybody, use: handler(of: page, at: $0)) }
        }
    }

    /// Answers `GET|HEAD` of a page, under that path alone.
    ///
    /// The router also accepts the path with a trailing slash, where the page's relative addresses would be wrong.
    private func handler(of page: SitePage, at path: String) -> Route.Handler {
        { [pages] request, context in
            guard request.uri.path == path else { throw APIError.notFound }
            return pages.render(page, in: context.language.texts(for: request))
        }
    }
}
