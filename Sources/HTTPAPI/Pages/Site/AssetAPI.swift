import HTTPTypes
import Hummingbird
import Web

/// The files that pages load: those of the site, and those of a landing page that asks for a passkey.
struct AssetAPI: Sendable {
    private let registry = AssetRegistry()

    var routes: [Route] {
        Route.document("/assets/{version}/{name}", access: .everybody, use: load)
    }

    /// `GET|HEAD /assets/{version}/{name}`: a script, the style sheet, an icon or a logo; 404 for another version.
    private func load(_ request: Request, _ context: APIContext) async throws -> Response {
        let (version, name) = (context.parameters.get("version") ?? "", context.parameters.get("name") ?? "")
        guard let files = registry.files(version, of: context.recentLanguages),
            let response = files.answer(name, to: request)
        else { throw APIError.notFound }
        return response
    }
}
