import HTTPTypes
import Hummingbird

/// The files that pages load: those of the site, and those of a landing page that asks for a passkey.
struct AssetAPI: Sendable {
    private let assets: [SiteAssets]

    init() { assets = Array(SiteAssets.byLanguage.values) }

    var routes: [Route] {
        Route.document("/assets/{version}/{name}", access: .everybody, use: load)
    }

    /// `GET|HEAD /assets/{version}/{name}`: a script, the style sheet or the icon; 404 for another version.
    private func load(_ request: Request, _ context: APIContext) async throws -> Response {
        let (version, name) = (context.parameters.get("version") ?? "", context.parameters.get("name") ?? "")
        guard let files = assets.first(where: { $0.version == version }),
            let response = files.answer(name, to: request)
        else { throw APIError.notFound }
        return response
    }
}
