import HTTPTypes
import Hummingbird

/// The pages where people make passkeys, sign in with them or with their face, and see which they have.
package struct SiteAPI: Sendable {
    private let pages: SitePages
    private let paths: [SitePage]

    package init(_ settings: SiteSettings) {
        pages = SitePages(settings)
        paths = settings.pages
    }

    package var routes: [Route] {
        let assets = "/assets/{version}/{name}"
        var routes = [Route(.get, assets, access: .everybody, load), Route(.head, assets, access: .everybody, load)]
        for page in paths {
            let show = handler(of: page)
            routes.append(Route(.get, page.path, access: .everybody, show))
            routes.append(Route(.head, page.path, access: .everybody, show))
        }
        return routes
    }

    /// `GET|HEAD` of a page, under its own path alone: the router takes one with a slash behind it as well, from where the
    /// page's relative addresses would lead nowhere.
    private func handler(of page: SitePage) -> Route.Handler {
        { [pages] request, _ in
            guard request.uri.path == page.path else { throw Problem.notFound }
            return pages.render(page, in: AcceptedLanguage.texts(for: request))
        }
    }

    /// `GET|HEAD /assets/{version}/{name}`: a script, the style or the icon.
    @Sendable private func load(_ request: Request, _ context: APIContext) async throws -> Response {
        let (version, name) = (context.parameters.get("version") ?? "", context.parameters.get("name") ?? "")
        guard let response = pages.asset(name, of: version, for: request) else { throw Problem.notFound }
        return response
    }
}
