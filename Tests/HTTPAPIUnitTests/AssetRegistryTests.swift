import Testing
import Web

@testable import HTTPAPI

/// Which files of pages are built, and which are kept when a theme changes.
struct AssetRegistryTests {
    /// Languages in which each of those clients has a theme with that radius, under its own name or one for all.
    private static func languages(_ radii: [String: Int], name: String? = nil) -> Languages {
        var clients: [String: Brand] = [:]
        for (client, radius) in radii {
            var settings = BrandSettings()
            settings.radius = radius
            clients[client] = Brand(settings, name: name ?? client)
        }
        return Languages(LocalizedStrings.builtIn, brands: Brands(owner: .builtIn, clients: clients))
    }

    private static func version(_ client: String?, _ languages: Languages, _ language: String = "en") -> String {
        WebAssets.version(in: languages.texts(tagged: language).branded(for: client))
    }

    @Test func `a change of one client's theme keeps the files of all others`() {
        let (registry, old) = (AssetRegistry(), Self.languages(["a": 4, "b": 4, "c": 4]))
        let (new, newest) = (Self.languages(["a": 9, "b": 4, "c": 4]), Self.languages(["a": 20, "b": 4, "c": 4]))
        let (owner, second) = (Self.version(nil, old), Self.version("b", old))
        let own = [old, new, newest].map { Self.version("a", $0) }
        #expect(Set(own + [owner, second]).count == 5)
        for version in [owner, second, own[0]] { #expect(registry.files(version, of: [old])?.version == version) }

        #expect(registry.files(own[1], of: [new, old])?.version == own[1])
        #expect(registry.built == [owner, second, own[0], own[1]], "pages that were loaded before still load theirs")

        #expect(registry.files(own[2], of: [newest, new])?.version == own[2])
        #expect(registry.built == [owner, second, own[1], own[2]])
        #expect(registry.files(own[0], of: [newest, new]) == nil)
    }

    @Test func `a theme that another client takes over is built with its files`() {
        let (registry, old, new) = (
            AssetRegistry(), Self.languages(["a": 4], name: "App"), Self.languages(["b": 4], name: "App")
        )
        #expect(registry.files(Self.version("a", old), of: [old]) != nil)
        let french = Self.version("b", new, "fr")
        #expect(french == Self.version("a", old, "fr"))
        #expect(registry.files(french, of: [new, old])?.version == french)
    }

    @Test func `the files of a theme and a language are built when they are first asked for`() {
        let (registry, languages) = (AssetRegistry(), Self.languages(["a": 4, "b": 9]))
        #expect(registry.files("unknown", of: [languages]) == nil && registry.built.isEmpty)
        let french = Self.version("b", languages, "fr")
        #expect(registry.files(french, of: [languages])?.version == french && registry.built == [french])
        for client in [nil, "a", "b"] {
            for language in languages.tags {
                let version = Self.version(client, languages, language)
                #expect(registry.files(version, of: [languages])?.version == version, "\(language)")
            }
        }
        #expect(registry.built.count == 3 * languages.all.count)
    }
}
