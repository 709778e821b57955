import Mustache

/// A page of `pages`, and the type of its content.
package struct PageTemplate<Content: Sendable>: Sendable {
    private let template: MustacheTemplate?

    /// - Parameter name: The file's name without its ending.
    package init(_ name: String) {
        template = PageMarkup.pages[name]
        precondition(template != nil, "pages/\(name).mustache does not exist")
    }

    /// Renders the page in a language.
    ///
    /// - Parameters:
    ///   - content: The value that the page calls `content`.
    ///   - strings: The language, which the page calls `language`, and its texts, which it calls `text.SECTION.KEY`.
    ///   - site: The value that the page calls `site`.
    /// - Returns: The page, an HTML document.
    package func render(_ content: Content, in strings: LocalizedStrings, site: SiteFrame? = nil) -> String {
        let page = Page(
            language: strings.language,
            text: strings.sections,
            style: WebAssets.pageStyle,
            site: site,
            content: content
        )
        return template?.render(page) ?? ""
    }

    private struct Page {
        let language: String
        let text: [String: [String: String]]
        let style: String
        let site: SiteFrame?
        let content: Content
    }
}

/// The values that every page in the site's style needs.
package struct SiteFrame: Sendable {
    /// The site's name.
    package let name: String
    /// The URL of the folder of scripts and styles, relative to the page.
    package let assets: String

    package init(name: String, assets: String) {
        self.name = name
        self.assets = assets
    }
}
