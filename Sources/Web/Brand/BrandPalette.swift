/// The accent colour of a brand in light and in dark, each with the colour of text on it.
package struct BrandPalette: Sendable, Hashable {
    /// The contrast that text needs (WCAG 2.2, success criterion 1.4.3, level AA).
    package static let textContrast = 4.5

    package let light: BrandColour
    package let dark: BrandColour

    /// The colour of text on buttons, in light.
    package var onLight: BrandColour { Self.text(on: light) }

    /// Without a colour for dark, the light one is lightened until it is legible there.
    package init(light: BrandColour, dark: BrandColour?) {
        self.light = light
        self.dark = dark ?? Self.lightened(light)
    }

    /// The colours without a brand.
    package static let usual = BrandPalette(light: .usualLight, dark: .usualDark)

    /// A half of a palette, for light or for dark.
    package enum Scheme: Sendable, CaseIterable {
        case light, dark

        /// The colours of cards and of the page, on which links are written, as in `styles/page.css`.
        private var grounds: [BrandColour] {
            switch self {
            case .light: [.white, BrandColour("#f4f5f7")].compactMap(\.self)
            case .dark: [BrandColour("#181e26"), BrandColour("#0e1217")].compactMap(\.self)
            }
        }

        /// The opacity of the accent behind messages, in 255ths, as in `styles/site.css`.
        var tint: Int {
            switch self {
            case .light: 0x14
            case .dark: 0x1F
            }
        }

        /// Returns the lowest contrast of links in that colour, and the background that gives it.
        ///
        /// Buttons need no check of their own: their text is white or nearly black, and one of the two has a contrast
        /// of 4.5 with any colour.
        package func weakest(of accent: BrandColour) -> (contrast: Double, ground: BrandColour) {
            let tinted = grounds.prefix(1).map { accent.over($0, opacity: tint) }
            let all = (grounds + tinted).map { (contrast: accent.contrast(with: $0), ground: $0) }
            return all.min { $0.contrast < $1.contrast } ?? (contrast: 1, ground: accent)
        }
    }

    /// Returns the colour of text on a button of that colour.
    static func text(on accent: BrandColour) -> BrandColour {
        [BrandColour.white, .night].first { $0.contrast(with: accent) >= textContrast } ?? .black
    }

    private static func lightened(_ colour: BrandColour) -> BrandColour {
        for share in stride(from: 0, through: 255, by: 5) {
            let lighter = BrandColour.white.over(colour, opacity: share)
            if Scheme.dark.weakest(of: lighter).contrast >= textContrast { return lighter }
        }
        return .white
    }
}
