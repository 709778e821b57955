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
        return paths.flatMap { page in
            let show: Route.Handler = { request, _ in
                pages.render(page, in: AcceptedLanguage.texts(for: request))
            }
            return [
                Route(.get, page.path, access: .everybody, show), Route(.head, page.path, access: .everybody, show),
            ]
        } + [Route(.get, assets, access: .everybody, load), Route(.head, assets, access: .everybody, load)]
    }

    /// `GET|HEAD /assets/{version}/{name}`: a script, the style or the icon.
    @Sendable private func load(_ request: Request, _ context: APIContext) async throws -> Response {
        let (version, name) = (context.parameters.get("version") ?? "", context.parameters.get("name") ?? "")
        guard let response = pages.asset(name, of: version, for: request) else { throw Problem.notFound }
        return response
    }
}
