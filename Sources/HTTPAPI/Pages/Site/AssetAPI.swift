import HTTPTypes
import Hummingbird
import Synchronization
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

/// The files by version, of each edition of languages and brands.
///
/// They are built when the first of an edition is asked for, and kept while the edition is current or the one before.
private final class AssetRegistry: Sendable {
    /// The files of one edition by their version.
    private typealias Edition = [String: SiteAssets]

    /// The editions by ``Languages/mark``.
    private let editions = Mutex<[String: Edition]>([:])

    func files(_ version: String, of recent: [Languages]) -> SiteAssets? {
        for languages in recent {
            if let files = edition(of: languages, among: recent)[version] { return files }
        }
        return nil
    }

    private func edition(of languages: Languages, among recent: [Languages]) -> Edition {
        if let edition = editions.withLock({ $0[languages.mark] }) { return edition }
        let files = SiteAssets.all(of: languages)
        let edition = Edition(files.map { ($0.version, $0) }, uniquingKeysWith: { first, _ in first })
        editions.withLock { editions in
            let kept = Set(recent.map(\.mark))
            editions = editions.filter { kept.contains($0.key) }
            editions[languages.mark] = edition
        }
        return edition
    }
}
