import Synchronization
import Web

/// The files that pages load, by version: those of the current languages and brands, and of the ones before.
///
/// The files of a version are built when the first of them is asked for. A change of a theme or a text keeps the files
/// of every version that it leaves as it is.
final class AssetRegistry: Sendable {
    /// The versions of the languages and brands of one time.
    private struct Edition: Sendable {
        let sources: [String: Source]
        /// The marks of the brands.
        let brands: Set<String>

        init(_ languages: Languages) {
            let clients: [String?] = [nil] + languages.brands.clients.keys.map { $0 }
            let versions = clients.flatMap { client in
                languages.all.map { texts in
                    (
                        WebAssets.version(in: texts.branded(for: client)),
                        Source(client: client, language: texts.language)
                    )
                }
            }
            sources = Dictionary(versions, uniquingKeysWith: { first, _ in first })
            brands = Set(languages.brands.all.map(\.mark))
        }
    }

    /// The brand and language of a version.
    private struct Source: Sendable {
        /// `nil` for the owner's brand.
        let client: String?
        let language: String
    }

    private struct State {
        /// The editions by ``Languages/mark``.
        var editions: [String: Edition] = [:]
        /// The built files by version.
        var files: [String: SiteAssets] = [:]
        /// The files that all languages of a brand share, by the brand's mark.
        var brands: [String: SiteAssets.BrandFiles] = [:]

        /// Drops what no edition has.
        mutating func prune() {
            let editions = editions.values
            files = files.filter { file in editions.contains { $0.sources[file.key] != nil } }
            brands = brands.filter { brand in editions.contains { $0.brands.contains(brand.key) } }
        }
    }

    private let state = Mutex(State())

    /// The versions whose files are built.
    var built: Set<String> { state.withLock { Set($0.files.keys) } }

    /// Returns the files of a version; `nil` if neither the current languages and brands have it nor those before.
    ///
    /// Two first requests at one moment may both build them.
    func files(_ version: String, of recent: [Languages]) -> SiteAssets? {
        for languages in recent {
            guard let source = edition(of: languages, among: recent).sources[version] else { continue }
            return files(version, of: source, in: languages)
        }
        return nil
    }

    private func files(_ version: String, of source: Source, in languages: Languages) -> SiteAssets? {
        if let files = state.withLock({ $0.files[version] }) { return files }
        guard let texts = languages[source.language]?.branded(for: source.client) else { return nil }
        let mark = texts.brand.mark
        let brand = state.withLock { $0.brands[mark] } ?? SiteAssets.BrandFiles(of: texts.brand)
        let files = SiteAssets(in: texts, sharing: brand)
        state.withLock { state in
            state.files[version] = files
            state.brands[mark] = brand
        }
        return files
    }

    private func edition(of languages: Languages, among recent: [Languages]) -> Edition {
        if let edition = state.withLock({ $0.editions[languages.mark] }) { return edition }
        let edition = Edition(languages)
        let kept = Set(recent.map(\.mark))
        state.withLock { state in
            state.editions = state.editions.filter { kept.contains($0.key) }
            state.editions[languages.mark] = edition
            state.prune()
        }
        return edition
    }
}
