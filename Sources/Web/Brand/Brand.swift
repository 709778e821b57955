/// What pages and mails show of their owner, or of the client that they are shown for.
package struct Brand: Sendable, Equatable {
    package let name: String
    package let logo: BrandImage?
    /// The logo on dark pages; `nil` if it is ``logo``.
    package let logoDark: BrandImage?
    package let palette: BrandPalette
    package let links: BrandLinks
    /// A line at the end of each page.
    package let footer: String?
    /// The rules that follow the style of pages; empty for the built-in look.
    package let style: String
    /// Identifies everything of the brand.
    package let mark: String

    /// - Parameters:
    ///   - settings: The operator's words. What they leave out is that of the built-in look.
    ///   - name: The name, if `settings` has none.
    package init(_ settings: BrandSettings, name: String) {
        self.name = settings.name ?? name
        logo = settings.logo?.image
        logoDark = settings.logoDark?.image
        palette = settings.palette ?? .usual
        links = settings.links
        footer = settings.footer
        style = BrandStyle.rules(settings)
        let images = [logo, logoDark].map { $0?.mark ?? "" }
        mark = BrandMark.of(
            [self.name, style, footer ?? ""] + images + links.all.flatMap { ["\($0.kind)", $0.address] }
        )
    }

    /// Vestibule's own look.
    package static let builtIn = Brand(BrandSettings(), name: "Vestibule")
}

/// The operator's words about a brand, as the config has them.
package struct BrandSettings: Sendable, Equatable {
    package var name: String?
    package var logo: BrandLogo?
    /// The logo on dark pages; `nil` for the same one.
    package var logoDark: BrandLogo?
    /// The colour of buttons and links in light.
    package var accent: BrandColour?
    /// The same in dark; `nil` derives it from `accent`.
    package var accentDark: BrandColour?
    /// The radius of corners in pixels.
    package var radius: Int?
    package var links = BrandLinks()
    package var footer: String?

    package init() {}

    package var palette: BrandPalette? {
        guard accent != nil || accentDark != nil else { return nil }
        return BrandPalette(light: accent ?? .usualLight, dark: accentDark ?? (accent == nil ? .usualDark : nil))
    }

    /// Returns the settings of a client's brand, in which all but the name and the logos may be the owner's.
    ///
    /// The owner's logo beside the client's name would be the look of neither.
    package func completed(by owner: BrandSettings) -> BrandSettings {
        var whole = self
        if palette == nil { (whole.accent, whole.accentDark) = (owner.accent, owner.accentDark) }
        whole.radius = radius ?? owner.radius
        whole.links = links.completed(by: owner.links)
        whole.footer = footer ?? owner.footer
        return whole
    }
}

/// A logo, and the file that it was read from.
package struct BrandLogo: Sendable, Equatable {
    package let path: String
    package let image: BrandImage

    package init(path: String, image: BrandImage) {
        self.path = path
        self.image = image
    }
}

/// The addresses at the end of each page.
package struct BrandLinks: Sendable, Equatable {
    package var help: String?
    package var terms: String?
    package var privacy: String?
    package var imprint: String?

    package init() {}

    /// The links that are set, with the keys of their labels.
    package var all: [(kind: BrandKey, address: String)] {
        let links: [(kind: BrandKey, address: String?)] = [
            (.help, help), (.terms, terms), (.privacy, privacy), (.imprint, imprint),
        ]
        return links.compactMap { link in link.address.map { (link.kind, $0) } }
    }

    func completed(by owner: BrandLinks) -> BrandLinks {
        var whole = self
        whole.help = help ?? owner.help
        whole.terms = terms ?? owner.terms
        whole.privacy = privacy ?? owner.privacy
        whole.imprint = imprint ?? owner.imprint
        return whole
    }
}

/// Labels of a brand's links.
package enum BrandKey: String, LocalizationKey {
    package static var section: String { "brand" }

    case help, terms, privacy, imprint
}
