import Testing

@testable import Web

/// Brands: their colours, their style and whom they are for.
struct BrandTests {
    private static func colour(_ hex: String) throws -> BrandColour { try #require(BrandColour(hex)) }

    /// Ratios of the examples that accessibility checkers agree on, in hundredths.
    @Test(arguments: [
        ("#000000", "#ffffff", 2100), ("#ffffff", "#ffffff", 100), ("#767676", "#ffffff", 454),
        ("#777777", "#ffffff", 447), ("#0000ff", "#ffffff", 859), ("#ff0000", "#ffffff", 399),
        ("#1f5eff", "#ffffff", 511), ("#7aa2ff", "#181e26", 673),
    ])
    func `contrast is that of WCAG`(_ one: String, _ two: String, _ hundredths: Int) throws {
        let (one, two) = (try Self.colour(one), try Self.colour(two))
        #expect(Int(one.contrast(with: two) * 100 + 0.000_001) == hundredths)
        #expect(one.contrast(with: two) == two.contrast(with: one))
    }

    @Test(arguments: ["", "#", "#12345", "#1234567", "red", "#12345g", "#１２３４５６", "rgb(1,2,3)", "#12 456", "##12345"])
    func `anything but six digits is no colour`(_ text: String) { #expect(BrandColour(text) == nil) }

    @Test func `Vestibule's own colours are legible, and so is each colour that is derived`() throws {
        for (scheme, colour) in [
            (BrandPalette.Scheme.light, BrandPalette.usual.light), (.dark, BrandPalette.usual.dark),
        ] {
            #expect(scheme.weakest(of: colour).contrast >= BrandPalette.textContrast)
        }
        for red in stride(from: 0, through: 255, by: 51) {
            for green in stride(from: 0, through: 255, by: 51) {
                for blue in stride(from: 0, through: 255, by: 51) {
                    let digits = [red, green, blue].map {
                        $0 < 16 ? "0\(String($0, radix: 16))" : String($0, radix: 16)
                    }
                    let accent = try Self.colour(digits.joined())
                    let palette = BrandPalette(light: accent, dark: nil)
                    #expect(BrandPalette.Scheme.dark.weakest(of: palette.dark).contrast >= BrandPalette.textContrast)
                    let text = BrandPalette.text(on: accent)
                    #expect(text.contrast(with: accent) >= BrandPalette.textContrast, "\(accent.hex)")
                }
            }
        }
    }

    @Test func `a brand's style is values of the pages' own variables`() throws {
        #expect(Brand.builtIn.style.isEmpty, "Vestibule's look is that of the style sheets")
        var settings = BrandSettings()
        settings.accent = try Self.colour("#0B57D0")
        settings.radius = 6
        settings.name = "</style><script>"
        settings.footer = "}body{display:none"
        let brand = Brand(settings, name: "x")
        #expect(brand.style.hasPrefix(":root{--accent:#0b57d0;--on-accent:#ffffff;--tint:#0b57d014}"))
        #expect(brand.style.hasSuffix(":root{--radius:6px;--radius-card:10px}"))
        #expect(!brand.style.contains("script") && !brand.style.contains("body"))
        let used = WebAssets.pageStyle + WebAssets.siteStyle
        for name in brand.style.matches(of: #/--([\w-]+):/#).map({ String($0.1) }) {
            #expect(used.contains("var(--\(name))"), "\(name) does something")
        }
        #expect(WebAssets.siteStyle(of: brand).hasSuffix(brand.style))
    }

    @Test func `a client's brand is the owner's where it says nothing, but for name and logo`() throws {
        var owner = BrandSettings()
        owner.name = "Owner"
        owner.logo = BrandLogo(path: "logo.webp", image: try BrandImage(Self.image))
        owner.logoDark = BrandLogo(path: "dark.webp", image: try BrandImage(Self.image))
        owner.accent = try Self.colour("#0b57d0")
        owner.links.help = "https://www.example.com/help"
        owner.footer = "Owner Ltd"
        var client = BrandSettings()
        client.links.terms = "https://www.example.com/terms"
        let brand = Brand(client.completed(by: owner), name: "Shop")
        #expect(brand.name == "Shop" && brand.logo == nil && brand.logoDark == nil)
        #expect(brand.palette.light.hex == "#0b57d0" && brand.footer == "Owner Ltd")
        #expect(brand.links.all.map(\.kind) == [.help, .terms])
        client.accentDark = try Self.colour("#a8c7fa")
        #expect(client.completed(by: owner).accent == nil, "half of a palette is not mixed with another's")
    }

    private static let image: [UInt8] = {
        let frame: [UInt8] = Array("WEBPVP8L".utf8) + [5, 0, 0, 0, 0x2F, 0, 0, 0, 0, 0]
        return Array("RIFF".utf8) + [UInt8(frame.count), 0, 0, 0] + frame
    }()

    @Test func `only a client with a brand of its own shows it, and the texts are shown under it`() {
        let brands = Brands(
            owner: Brand(BrandSettings(), name: "Owner"),
            clients: ["shop": Brand(BrandSettings(), name: "Shop")]
        )
        let texts = Languages(LocalizedStrings.builtIn, brands: brands).texts(tagged: "fr-CA")
        #expect(texts.language == "fr" && texts.brand.name == "Owner")
        #expect(texts.branded(for: "shop").brand.name == "Shop")
        for stranger in ["Shop", "registered", "", nil] { #expect(texts.branded(for: stranger).brand.name == "Owner") }
        #expect(texts.branded(for: "shop").branded(for: nil).brand.name == "Owner")
        #expect(texts.look != texts.branded(for: "shop").look)
        #expect(WebAssets.version(in: texts) != WebAssets.version(in: texts.branded(for: "shop")))
    }

    @Test func `an operator's texts replace single ones, and an added language is English where it is silent`() throws {
        let german = TextFile(language: "de", sections: ["signIn": ["allow": "Ja"]])
        let danish = TextFile(language: "da", sections: ["signIn": ["allow": "Tillad"]])
        let english = TextFile(language: "en", sections: ["signIn": ["refuse": "No way"]])
        let languages = Languages(adding: [german, danish, english], brands: .builtIn)
        #expect(languages.tags == ["en", "fr", "es", "sv", "de", "da"])
        let texts = try #require(languages["de"])
        #expect(texts[SignInKey.allow] == "Ja" && texts[SignInKey.proceed] == "Weiter")
        let added = try #require(languages["da"])
        #expect(added[SignInKey.allow] == "Tillad" && added[SignInKey.proceed] == "Continue")
        #expect(added.text("refuse", in: "signIn") == "No way", "the operator's English is what it falls back to")
        #expect(languages["xx"] == nil && languages.texts(tagged: "xx").language == "en")
        #expect(languages.mark != Languages.builtIn.mark)
        #expect(Languages(adding: [], brands: .builtIn).mark == Languages.builtIn.mark)
    }

    // T-038
    @Test func `every page names its owner in its title and on it, and nothing of a brand is raw`() {
        // The console is the operators' own, and no page of this server.
        for (name, markup) in PageMarkup.markups where !["icon", "mail", "console"].contains(name) {
            #expect(markup.contains("<title>{{content.title}} – {{brand.name}}</title>"), "\(name)")
            #expect(markup.contains(#"<span dir="auto">{{brand.name}}</span>"#), "\(name)")
            #expect(markup.contains("{{#brand.hasFooter}}"), "\(name)")
            #expect(!markup.contains("{{{brand") && !markup.contains("{{&brand"), "\(name)")
        }
        #expect(PageMarkup.markups["mail"]?.contains("{{brandName}}") == true)
        #expect(PageMarkup.markups["mail"]?.contains("<img") == false, "opening a mail informs nobody")
    }
}
