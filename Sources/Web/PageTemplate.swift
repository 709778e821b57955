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
    ///   - strings: The language, which the page calls `language`, its texts, which it calls `text.SECTION.KEY`, and the
    ///     brand, which it calls `brand`.
    ///   - site: The value that the page calls `site`.
    ///   - root: The URL of the folder of icons, with a slash at its end, for a page without a `site`;
    ///     `nil` for those at the server's root.
    /// - Returns: The page, an HTML document.
    package func render(
        _ content: Content,
        in strings: LocalizedStrings,
        site: SiteFrame? = nil,
        root: String? = nil
    ) -> String {
        let page = Page(
            language: strings.language,
            text: strings.sections,
            style: WebAssets.pageStyle(of: strings.brand),
            brand: BrandFrame(strings, assets: site?.assets),
            icons: site.map { $0.assets + "/" } ?? root ?? strings.root,
            site: site,
            content: content
        )
        return template?.render(page) ?? ""
    }

    private struct Page {
        let language: String
        let text: [String: [String: String]]
        let style: String
        let brand: BrandFrame
        /// The beginning of the icons' addresses.
        let icons: String
        let site: SiteFrame?
        let content: Content
    }
}

/// The brand of a page, as its partials show it.
struct BrandFrame: Sendable {
    /// The name of the owner, or of the client that the page is for.
    let name: String
    let logo: Logo?
    let links: [Link]
    let footer: String?

    /// Whether the page ends with links or a line of the brand.
    let hasFooter: Bool

    struct Logo: Sendable {
        let address: String
        let type: String
        let width: Int
        let height: Int
        /// The picture in dark; `nil` if it is the same one.
        let dark: Picture?

        init(_ image: BrandImage, dark: BrandImage?, in folder: String) {
            address = "\(folder)/\(image.fileName(.usual))"
            type = image.mediaType
            width = image.header.width
            height = image.header.height
            self.dark = dark.map { dark in
                Picture(
                    address: "\(folder)/\(dark.fileName(.dark))",
                    type: dark.mediaType,
                    width: dark.header.width,
                    height: dark.header.height
                )
            }
        }
    }

    struct Picture: Sendable {
        let address: String
        let type: String
        let width: Int
        let height: Int
    }

    struct Link: Sendable {
        let address: String
        let label: String
    }

    /// - Parameters:
    ///   - strings: The texts and the brand.
    ///   - assets: The relative address of the page's files; `nil` derives it from the page's own address.
    init(_ strings: LocalizedStrings, assets: String?) {
        let brand = strings.brand
        name = brand.name
        logo = brand.logo.map { image in
            let folder = assets ?? "\(strings.root)assets/\(WebAssets.version(in: strings))"
            return Logo(image, dark: brand.logoDark, in: folder)
        }
        links = brand.links.all.map { Link(address: $0.address, label: strings[$0.kind]) }
        footer = brand.footer
        hasFooter = !links.isEmpty || footer != nil
    }
}

/// The values that every page in the site's style needs besides its brand.
package struct SiteFrame: Sendable {
    /// The URL of the folder of scripts and styles, relative to the page.
    package let assets: String

    package init(assets: String) { self.assets = assets }
}
