import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Operations
import Settings
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// The owner's brand and those of clients, over the daemon's routes.
struct BrandRouteTests {
    private static func brand(_ settings: inout Settings) {
        settings.theme.name = "The Owner"
        settings.theme.links.privacy = "https://www.example.com/privacy"
        for index in settings.clients.indices {
            var theme = BrandSettings()
            theme.accent = BrandColour("#0b57d0")
            theme.name = "Brand of \(settings.clients[index].id)"
            settings.clients[index].theme = theme
        }
        settings.faceLogin.landing = .confirm
    }

    private static func owner(of page: String) throws -> String {
        String(try #require(page.firstMatch(of: #/<title>[^<]* – ([^<]*)<\/title>/#)).1)
    }

    @Test func `a page behind a login's link has its client's brand, and one without a login the owner's`() async throws
    {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let login = try await harness.start()
            let page = try await harness.send(.get, login.landingPath)
            #expect(try Self.owner(of: page.text) == "Brand of bbms")
            #expect(page.text.contains("--accent:#0b57d0") && page.text.contains("https://www.example.com/privacy"))
            let ours = HTTPFields().adding(.fetchSite, "same-origin")
            let denied = try await harness.send(.post, "\(login.landingPath)/not-me", ours)
            #expect(try Self.owner(of: denied.text) == "Brand of bbms")
            for path in ["/go/x", "/go/sign-in-again", "/mail/code/x", "/mail/address/x", "/oauth/authorize"] {
                let answer = try await harness.send(.get, path)
                #expect(try Self.owner(of: answer.text) == "The Owner", "\(path)")
                #expect(!answer.text.contains("Brand of") && !answer.text.contains("Vestibule"), "\(path)")
            }
        }
    }

    @Test func `the site is the owner's, and its files are there`() async throws {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            for path in ["/", "/signup.html", "/passkeys", "/face", "/device"] {
                let page = try await harness.send(.get, path, [.acceptLanguage: "de"])
                #expect(page.headers[.contentLanguage] == "de")
                #expect(try Self.owner(of: page.text) == "The Owner" && !page.text.contains("Brand of"), "\(path)")
                for file in page.text.matches(of: #/(?:src|href)="(assets\/[^"]+)"/#) {
                    #expect(try await harness.send(.get, "/\(file.1)").status == .ok, "\(file.1)")
                }
            }
        }
    }

    @Test func `the sign-in page of the site, the account centre and errors are the owner's`() async throws {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            for path in ["/login.html", "/account"] {
                let sent = try await harness.send(.get, path)
                let page = "/" + (try #require(sent.headers[.location]))
                let cookie = try #require(sent.cookie("vst_oauth="))
                let shown = try await harness.send(.get, page, .cookies(cookie))
                #expect(try Self.owner(of: shown.text) == "The Owner" && !shown.text.contains("Brand of"), "\(path)")
                #expect(shown.text.contains("Sign in to The Owner") && !shown.text.contains("Vestibule"), "\(path)")
            }
            let error = try await harness.send(.get, "/no/such/page", [.accept: "text/html"])
            #expect(error.status == .notFound)
            #expect(try Self.owner(of: error.text) == "The Owner" && !error.text.contains("Vestibule"))
            let icon = try await harness.send(.get, "/icon.svg").text
            #expect(icon.contains(##"fill="#1f5eff""##), "the owner has no colours of its own")
        }
    }

    @Test func `icons at the addresses that browsers guess show the owner's colour and logo`() async throws {
        for logo in [nil, BrandLogo(path: "logo.png", image: try BrandImage(WebAssets.touchIcon))] {
            try await Harness.run {
                $0.theme.accent = BrandColour("#7a1f5c")
                $0.theme.logo = logo
            } _: { harness in
                let touch = try await harness.send(.get, "/apple-touch-icon.png")
                #expect(touch.status == .ok && touch.headers[.contentType] == "image/png")
                #expect((Array(touch.body.readableBytesView) == WebAssets.touchIcon) == (logo != nil))
                let icon = try await harness.send(.get, "/favicon.ico")
                #expect(icon.status == .ok && Array(icon.body.readableBytesView) != WebAssets.favicon)
                let page = try await harness.send(.get, "/").text
                let linked = try #require(page.firstMatch(of: #/<link rel="apple-touch-icon" href="([^"]+)"/#)).1
                let shown = try await harness.send(.get, "/\(linked)")
                #expect(shown.status == .ok && shown.headers[.contentType] == "image/png", "\(linked)")
            }
        }
    }

    @Test func `a code's mail and its page have the client's brand`() async throws {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let body = #"{"email":"ada@example.com","deviceId":"\#(Harness.tablet)"}"#
            let headers: HTTPFields = [
                .contentType: "application/json", .userAgent: "Mozilla/5.0 (Windows) Firefox/140.0",
            ]
            let asked = try await harness.client.execute(
                uri: "/auth/login/code",
                method: .post,
                headers: headers,
                body: .init(string: body)
            )
            #expect(asked.status == .ok, "\(asked.text)")
            let mail = try #require(try await harness.mails().first)
            #expect(mail.text.contains("With: Firefox, Windows") && mail.text.contains("When: "))
            #expect(mail.raw.contains("Brand of bbms") && !mail.raw.contains("The Owner"))
            let page = try await harness.send(.get, mail.path)
            #expect(try Self.owner(of: page.text) == "Brand of bbms")
        }
    }

    @Test func `an operator's texts and languages are on pages, in the metadata and in what clients may ask for`()
        async throws
    {
        try await Harness.run { settings in
            settings.texts = TextsFolder(
                path: "/texts",
                files: [
                    TextFile(language: "en", sections: ["site": ["homeTitle": "Come in"]]),
                    TextFile(language: "da", sections: ["site": ["homeTitle": "Kom ind"]]),
                ]
            )
        } _: { harness in
            let metadata = try await harness.send(.get, "/.well-known/openid-configuration").text
            #expect(metadata.contains(#""ui_locales_supported":["en","fr","es","sv","de","da"]"#), "\(metadata)")
            for (language, title) in [("en", "Come in"), ("da-DK", "Kom ind"), ("pt", "Come in")] {
                let page = try await harness.send(.get, "/", [.acceptLanguage: language])
                #expect(
                    page.text.contains("<h1>\(title)</h1>") && page.text.contains("<title>\(title) – Vestibule</title>")
                )
            }
        }
    }

    @Test func `a reload shows new texts at once, and pages of before still find their files`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let before = try await harness.send(.get, "/").text
            let file = try #require(before.firstMatch(of: #/href="(assets\/[^"]+style\.css)"/#)).1
            let texts = TextFile(
                language: "en",
                sections: ["site": ["homeTitle": "Come in"], "scripts": ["save": "Keep"]]
            )
            harness.api.server.localization.replace(with: Languages(adding: [texts], brands: .builtIn))
            let after = try await harness.send(.get, "/").text
            #expect(after.contains("<h1>Come in</h1>") && !after.contains(file))
            #expect(try await harness.send(.get, "/\(file)").status == .ok)
        }
    }
}
