import Kernel

/// The scripts, the styles and the icon that pages load or embed.
package enum WebAssets {
    /// The modules that are the same in every language, by the names that imports use.
    ///
    /// They are ECMAScript 2022 without a framework, each served as a separate file.
    package static let modules: [String: String] = {
        var modules: [String: String] = [:]
        for (name, text) in EmbeddedFiles.texts(in: "scripts", ending: ".js") where name != texts && name != submit {
            modules["\(name).js"] = text
        }
        return modules
    }()

    /// The style that single pages (opened from links) embed.
    package static let pageStyle = EmbeddedFiles.text(of: "styles/page.css")
    /// The style of the site's pages: ``pageStyle`` with additions for lists and longer forms.
    package static let siteStyle = pageStyle + "\n" + EmbeddedFiles.text(of: "styles/site.css")
    /// Returns the style of the operators' console, with the rules of a brand.
    package static func consoleStyle(of brand: Brand) -> String { styled(consoleStyle, brand) }

    private static let consoleStyle = siteStyle + "\n" + EmbeddedFiles.text(of: "styles/console.css")
    /// The module of the operators' console, which the site does not serve.
    package static let consoleScript = EmbeddedFiles.text(of: "scripts/console/console.js") + "\n"
    /// The icon, an SVG image in the colours of a brand.
    package static func icon(of brand: Brand) -> String {
        let colours = IconColours(ground: brand.palette.light.hex, mark: BrandPalette.text(on: brand.palette.light).hex)
        return iconTemplate.render(colours, in: .english)
    }

    private static let iconTemplate = PageTemplate<IconColours>("icon")

    /// The content of `pages/icon.mustache`.
    private struct IconColours: Sendable {
        let ground: String
        let mark: String
    }

    /// Returns the style that single pages embed, with the rules of a brand.
    package static func pageStyle(of brand: Brand) -> String { styled(pageStyle, brand) }

    /// Returns the style of the site's pages, with the rules of a brand.
    package static func siteStyle(of brand: Brand) -> String { styled(siteStyle, brand) }

    private static func styled(_ style: String, _ brand: Brand) -> String {
        brand.style.isEmpty ? style : style + "\n" + brand.style
    }

    /// Returns the version of the files that pages load, in that language and brand.
    ///
    /// It is a digest of them, so that browsers may keep them for ever, and all daemons of one config agree.
    package static func version(in strings: LocalizedStrings) -> String {
        BrandMark.of([programMark, strings.scriptsMark, strings.brand.mark])
    }

    /// The digest of the files that are the same in every language and brand.
    private static let programMark = BrandMark.of(
        modules.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }
            + [siteStyle, EmbeddedFiles.text(of: "pages/icon.mustache"), EmbeddedFiles.text(of: "scripts/texts.js")]
            + [favicon, touchIcon].map { BrandMark.of($0) }
    )

    /// The icon for browsers that show no SVG: three sizes in one file, in Vestibule's colours.
    package static let favicon = EmbeddedFiles.image("favicon.ico")
    /// The icon on a phone's home screen, without rounded corners, since phones round them.
    package static let touchIcon = EmbeddedFiles.image("apple-touch-icon.png")

    private static let texts = "texts"
    private static let submit = "submit-form"

    /// Returns the module `texts.js`, which has the texts of the scripts in one language.
    package static func textsModule(in strings: LocalizedStrings) -> String {
        let words = strings.sections["scripts", default: [:]].mapValues { JSONValue.string($0) }
        return EmbeddedFiles.text(of: "scripts/\(texts).js")
            .replacing("$words", with: JSONValue.object(words).text) + "\n"
    }

    /// Returns the script that submits a page's form once, without a click.
    ///
    /// When the browser restores the page from its history, the page waits for the button.
    package static func submitScript(afterMilliseconds delay: Int) -> String {
        EmbeddedFiles.text(of: "scripts/\(submit).js").replacing("$delay", with: "\(delay)")
    }
}
