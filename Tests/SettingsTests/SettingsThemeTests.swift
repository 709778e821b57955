import OAuth
import Operations
import SettingsFixture
import Testing
import Web

@testable import Settings

/// Brands and texts in the config.
struct SettingsThemeTests {
    private static let png: [UInt8] = {
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            [0, 0, 0, UInt8(data.count)] + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", [0, 0, 0, 2, 0, 0, 0, 1, 8, 6, 0, 0, 0])
            + chunk("IDAT", [0]) + chunk("IEND", [])
    }()

    private static func themed(_ theme: String) -> SettingsFixture {
        .minimal("theme:\n" + theme.split(separator: "\n").map { "  \($0)\n" }.joined())
    }

    private static func messages(_ fixture: SettingsFixture) -> [String] {
        fixture.faults().map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
    }

    @Test func `without a theme the look is Vestibule's, under the relying party's name`() throws {
        let settings = try SettingsFixture.minimal("passkeys: {rpName: Example}").load().settings
        #expect(settings.ownerName == "Example" && settings.theme == BrandSettings())
        let languages = settings.languages
        #expect(languages.brands.owner.style.isEmpty && languages.brands.owner.name == "Example")
        #expect(languages.brands.clients.isEmpty && languages.tags == LocalizedStrings.builtIn.map(\.language))
    }

    @Test func `mails lead to the account centre only where it is served`() throws {
        func page(_ oauth: Bool, _ surface: String) throws -> String? {
            let lines = "oauth: {enabled: \(oauth)}\nsurfaces: {\(surface): {enabled: true}}"
            let settings = try SettingsFixture.minimal(lines).load().settings
            return settings.accountPage?.replacing(settings.publicURL, with: "")
        }
        #expect(try page(true, "bbms") == "/account" && page(false, "passkeys") == "/account")
        #expect(try page(false, "bbms") == nil)
    }

    @Test func `the client of the owner's own pages goes by the owner's name, unless it has one`() throws {
        func names(_ client: String) throws -> [String: String] {
            let fixture = SettingsFixture.minimal(
                """
                theme: {name: The Owner}
                clients: {pages: \(client), other: {}}
                surfaces: {passkeys: {enabled: true, client: pages}}
                """
            )
            let settings = try fixture.load().settings
            let shown = try settings.clientDirectory.client(named: "pages", surface: nil).landing.clientName
            #expect(settings.clientNames["pages"] == shown)
            return settings.clientNames
        }
        #expect(try names("{}") == ["pages": "The Owner", "other": "other"])
        #expect(try names("{name: Pages}")["pages"] == "Pages")
    }

    @Test func `a theme is read whole, and a client's own over the owner's`() throws {
        var fixture = SettingsFixture.minimal(
            """
            theme:
              name: Example
              logo: logo.png
              accent: "#0b57d0"
              radius: 4
              links: {help: "https://www.example.com/help", imprint: "https://www.example.com/imprint#top"}
              footer: Example Ltd
            clients:
              shop: {name: The Shop, theme: {accent: 7a1f5c}}
              other: {}
            """
        )
        fixture.images["/data/logo.png"] = Self.png
        let settings = try fixture.load().settings
        let brands = settings.languages.brands
        #expect(
            brands.owner.name == "Example" && brands.owner.logo?.bytes == Self.png
                && brands.owner.footer == "Example Ltd"
        )
        #expect(brands.owner.links.all.map(\.kind) == [.help, .imprint])
        #expect(Set(brands.clients.keys) == ["shop"])
        let shop = try #require(brands.clients["shop"])
        #expect(shop.name == "The Shop" && shop.logo == nil && shop.palette.light.hex == "#7a1f5c")
        #expect(shop.footer == "Example Ltd" && brands.brand(of: "other") == brands.owner)
    }

    @Test func `every fault of a theme is reported at once, with its line and its key`() {
        var fixture = Self.themed(
            """
            name: ""
            logo: logo.svg
            accent: "#ffcc00"
            accentDark: "#333333"
            radius: 99
            links: {help: "http://www.example.com/", terms: "javascript:alert(1)", privacy: "https://a@b.example.com"}
            footer: "two\\nlines"
            colour: red
            """
        )
        fixture.files["/data/logo.svg"] = ("<svg onload='x'/>", 0o644)
        #expect(
            fixture.faults() == [
                #"config/vestibule.yaml:4: theme.name: "" is not a name of at most 64 characters, on one line and without hidden characters"#,
                "config/vestibule.yaml:5: theme.logo: /data/logo.svg is an SVG file, which can contain scripts. Export it as PNG or WebP",
                ##"config/vestibule.yaml:6: theme.accent: "#ffcc00" has a contrast of 1.38:1 with the page's #f4f5f7, and text needs 4.5:1 (WCAG 2.2 AA). Choose a darker colour"##,
                ##"config/vestibule.yaml:7: theme.accentDark: "#333333" has a contrast of 1.28:1 with the page's #1b2128, and text needs 4.5:1 (WCAG 2.2 AA). Choose a lighter colour"##,
                #"config/vestibule.yaml:8: theme.radius: "99" is out of range. It takes 0 to 24"#,
                #"config/vestibule.yaml:9: theme.links.help: "http://www.example.com/" is not https. Links of a theme open pages of the web, and only over https"#,
                "config/vestibule.yaml:9: theme.links.privacy: contains a user name. Write the URL without it",
                #"config/vestibule.yaml:9: theme.links.terms: "javascript:alert(1)" is not https. Links of a theme open pages of the web, and only over https"#,
                #"config/vestibule.yaml:10: theme.footer: "two lines" is not a line of at most 200 characters, on one line and without hidden characters"#,
                "config/vestibule.yaml:11: theme.colour: unknown key. Known here: name, logo, logoDark, accent, accentDark, radius, links, footer",
            ]
        )
    }

    // T-163
    @Test func `a theme for a client of the database is held to the rules of the config`() throws {
        var fixture = SettingsFixture.minimal("theme: {footer: Example Ltd, accent: \"#0b57d0\"}")
        fixture.images["/data/brand/shop.png"] = Self.png
        let (settings, files) = (try fixture.load().settings, fixture.disk)
        let whole = ClientTheme(["name": "Shop", "logo": "brand/shop.png", "links.help": "https://www.example.com/"])
        #expect(settings.faults(of: whole, from: files).isEmpty)
        let brand = settings.brand(of: .init(name: "x", theme: whole), from: files).brand
        #expect(brand.name == "Shop" && brand.logo?.bytes == Self.png && brand.footer == "Example Ltd")
        #expect(brand.palette.light.hex == "#0b57d0" && brand.links.help == "https://www.example.com/")
        #expect(settings.languages(adding: ["shop": brand]).brands.brand(of: "shop") == brand)

        let faulty = ClientTheme([
            "accent": "#ffee00", "logo": "/data/brand/shop.png", "logoDark": "../shop.png", "a.b": "c", "radius": "99",
        ])
        #expect(
            settings.faults(of: faulty, from: files).map { $0.prefix { $0 != ":" } } == [
                "theme.a", "theme.accent", "theme.logo", "theme.logoDark", "theme.radius",
            ]
        )
        fixture.images = [:]
        let (left, faults) = settings.brand(of: .init(name: "x", theme: whole), from: fixture.disk)
        #expect(left.logo == nil && left.name == "Shop" && faults.count == 1, "only the file that is gone is left out")
    }

    @Test func `a logo for dark pages is checked like the other one, which it needs`() throws {
        var fixture = Self.themed("logo: logo.png\nlogoDark: dark.png")
        fixture.images["/data/logo.png"] = Self.png
        fixture.files["/data/dark.png"] = ("<svg/>", 0o644)
        #expect(fixture.faults().map { $0.contains("theme.logoDark: /data/dark.png is an SVG file") } == [true])
        var alone = Self.themed("logoDark: dark.png")
        alone.images["/data/dark.png"] = Self.png
        let needed = "theme.logoDark: needs theme.logo, which light pages show"
        #expect(alone.faults().map { $0.hasSuffix(needed) } == [true])
        alone = Self.themed("logo: logo.png\nlogoDark: dark.png")
        alone.images = ["/data/logo.png": Self.png, "/data/dark.png": Self.png]
        let brand = try alone.load().settings.languages.brands.owner
        #expect(brand.logo?.bytes == Self.png && brand.logoDark?.bytes == Self.png)
    }

    // T-226
    @Test(arguments: ["a\\r\\nBcc: b@example.com", "\\u202Eevil", "a\\u0000b", " ", "a\\u200Bb"])
    func `attack: a brand's name with control characters or hidden ones is refused`(_ name: String) {
        let fixture = Self.themed("name: \"\(name)\"")
        #expect(fixture.faults().count == 1 && fixture.faults()[0].contains("theme.name: "), "\(fixture.faults())")
    }

    @Test func `http is for links on this machine, in laptop mode alone`() {
        let theme = "theme: {links: {help: \"http://localhost:8000/help\"}}"
        #expect(SettingsFixture.minimal(theme).faults() == [])
        let faults = SettingsFixture.minimal("mode: production\n" + theme).faults()
        #expect(faults.contains { $0.contains("theme.links.help: ") })
    }

    @Test func `a client's theme is checked like the owner's`() {
        let fixture = SettingsFixture.minimal("clients: {shop: {theme: {accent: \"#ffffff\", logo: no.png}}}")
        let faults = fixture.faults()
        #expect(faults.contains { $0.contains("clients.shop.theme.accent: ") && $0.contains("1.00:1") })
        #expect(faults.contains { $0.contains("clients.shop.theme.logo: the file /data/no.png does not exist") })
    }

    // MARK: Texts

    private static func texted(_ files: [String: String]) -> SettingsFixture {
        var fixture = SettingsFixture.minimal("texts: texts")
        for (name, text) in files { fixture.files["/data/texts/\(name)"] = (text, 0o644) }
        return fixture
    }

    @Test func `texts replace built-in ones, and a new language is added with a word about what it lacks`() throws {
        let fixture = Self.texted([
            "en.json": #"{"signIn": {"allow": "Yes, allow"}, "letters": {"signInCode": {"subject": "Code for %"}}}"#,
            "pt.json": #"{"signIn": {"allow": "Permitir"}}"#, ".hidden": "not read",
        ])
        let loaded = try fixture.load()
        let languages = loaded.settings.languages
        #expect(languages.tags == ["en", "fr", "es", "sv", "de", "pt"])
        #expect(languages["en"]?[SignInKey.allow] == "Yes, allow" && languages["pt"]?[SignInKey.allow] == "Permitir")
        #expect(languages["en"]?.text("signInCode.subject", in: "letters") == "Code for %")
        let warning = try #require(loaded.warnings.first { $0.key == "texts" })
        let count = TextFile.builtInCount
        #expect(
            warning.description
                == "/data/texts/pt.json: texts: has not \(count - 1) of the \(count) texts, which are shown in English"
        )
    }

    @Test func `every fault of the texts is reported at once, with file, line and key`() {
        let fixture = Self.texted([
            "en.json": """
            {
              "signIn": {
                "alow": "Yes",
                "title": "Sign in",
                "account": "As # %"
              },
              "scripts": { "timeLeft": "{tme} left", "save": "" },
              "confirm": {
                "title": "a\\nb", "body": "\\u202Ehidden",
                "number": 7
              },
              "landing": ["a", {"b": "c"}],
              "mail": {
                "footer": {"more": null}
              },
              "site": true
            }
            """,
            "sv.json": #"{"signIn": {"allow": "Ja", "allow": "Nej"}}"#,
            "fr.json": """
            {
              "signIn": {
                "alow": "Oui",
                "title": "Connexion",
                "account": "Sous # %"
              },
              "scripts": { "timeLeft": "{tme} restant", "save": "" },
              "confirm": {
                "title": "a\\nb", "body": "\\u202Ecache"
              }
            }
            """, "portuguese.json": "{}", "pt.yaml": "a: b",
        ])
        #expect(
            Set(fixture.faults()) == [
                "/data/texts/en.json:3: signIn.alow: unknown text. Did you mean signIn.allow?",
                #"/data/texts/en.json:4: signIn.title: lacks %. The built-in text is "Sign in to %""#,
                #"/data/texts/en.json:5: signIn.account: must not have #, and must not have %. The built-in text is "Signed in as""#,
                #"/data/texts/en.json:7: scripts.timeLeft: lacks {time}, and must not have {tme}. The built-in text is "{time} left""#,
                "/data/texts/en.json:7: scripts.save: is not a text of 1 to 1000 characters",
                "/data/texts/en.json:9: confirm.title: has a line break, or a character that controls how others are shown",
                "/data/texts/en.json:9: confirm.body: has a line break, or a character that controls how others are shown",
                "/data/texts/en.json:10: confirm.number: is not a text",
                "/data/texts/en.json:12: landing: is not an object of texts",
                "/data/texts/en.json:14: mail.footer.more: is not a text",
                "/data/texts/en.json:16: site: is not an object of texts",
                #"/data/texts/sv.json: is not a JSON object of sections with texts, each once, like {"signIn": {"allow": "Yes"}}"#,
                "/data/texts/fr.json:3: signIn.alow: unknown text. Did you mean signIn.allow?",
                #"/data/texts/fr.json:4: signIn.title: lacks %. The built-in text is "Sign in to %""#,
                #"/data/texts/fr.json:5: signIn.account: must not have #, and must not have %. The built-in text is "Signed in as""#,
                #"/data/texts/fr.json:7: scripts.timeLeft: lacks {time}, and must not have {tme}. The built-in text is "{time} left""#,
                "/data/texts/fr.json:7: scripts.save: is not a text of 1 to 1000 characters",
                "/data/texts/fr.json:9: confirm.title: has a line break, or a character that controls how others are shown",
                "/data/texts/fr.json:9: confirm.body: has a line break, or a character that controls how others are shown",
                "/data/texts/portuguese.json: is not named like a language's file. Name it by the language's code, like pt.json",
                "/data/texts/pt.yaml: is not named like a language's file. Name it by the language's code, like pt.json",
            ]
        )
    }

    @Test func `a folder of texts that is not there is a fault`() {
        #expect(
            SettingsFixture.minimal("texts: nowhere").faults() == [
                "config/vestibule.yaml:3: texts: the folder /data/nowhere does not exist or may not be read"
            ]
        )
    }

    @Test func `lines of members are found whatever their strings hold`() {
        let text = """
            {"a": {"x{": "}, \\"q\\": {", "y": "1"},
             "b":
              {"c": {"d": "e"},
             "f": ["1", {"g": "2"}, "3"],
             "h": "4"}}
            """
        let lines = ["a": 1, "a.x{": 1, "a.y": 1, "b": 2, "b.c": 3, "b.c.d": 3, "b.f": 4, "b.f.g": 4, "b.h": 5]
        #expect(JSONLines.lines(in: text) == lines)
    }

    @Test func `a reload reads logos and texts again, and refuses faulty ones whole`() throws {
        var fixture = Self.texted(["en.json": #"{"signIn": {"allow": "One"}}"#])
        fixture.files["/srv/vestibule-test/config/vestibule.yaml"]?.text += "\ntheme: {logo: logo.png}\n"
        fixture.images["/data/logo.png"] = Self.png
        let settings = try fixture.load().settings
        fixture.files["/data/texts/en.json"]?.text = #"{"signIn": {"allow": "Two"}}"#
        let fresh = try settings.readingPresentation(from: fixture.disk)
        #expect(fresh.languages["en"]?[SignInKey.allow] == "Two")
        #expect(settings.languages["en"]?[SignInKey.allow] == "One")
        fixture.images["/data/logo.png"] = [1]
        fixture.files["/data/texts/en.json"]?.text = #"{"signIn": {"alow": "Three"}}"#
        do throws(SettingsErrors) {
            _ = try settings.readingPresentation(from: fixture.disk)
            Issue.record("faulty files are shown")
        } catch {
            #expect(Set(error.findings.map(\.key)) == ["theme.logo", "signIn.alow"])
        }
    }
}
