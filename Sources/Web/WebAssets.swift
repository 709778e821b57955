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
    /// The icon, an SVG image.
    package static let icon = PageTemplate<Void>("icon").render((), in: .english)

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
