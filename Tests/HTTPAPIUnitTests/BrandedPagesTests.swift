import Accounts
import CodeFlow
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import Testing
import Wallet

@testable import HTTPAPI
@testable import OAuth
@testable import Operations
@testable import Web

/// Every page under the brand of its client or of the owner, and of nobody else.
struct BrandedPagesTests {
    private static let hostile = #"<b onclick="x">"#

    private static func brand(_ name: String, logo: Bool = false) throws -> Brand {
        var settings = BrandSettings()
        settings.accent = BrandColour("#0b57d0")
        settings.links.help = "https://www.example.com/help?a=1&b=2"
        settings.footer = "\(name) Ltd \(hostile)"
        if logo { settings.logo = BrandLogo(path: "logo.png", image: try BrandImage(SamplePNG.bytes)) }
        return Brand(settings, name: name)
    }

    private static func languages() throws -> Languages {
        let clients = ["shop": try brand("Shop & Sons", logo: true), "bank": try brand("Other Bank")]
        return Languages(LocalizedStrings.builtIn, brands: Brands(owner: try brand("The Owner"), clients: clients))
    }

    @Test func `dark pages show the logo for them, and a brand without one has no such picture`()
        async throws
    {
        var settings = BrandSettings()
        settings.logo = BrandLogo(path: "logo.png", image: try BrandImage(SamplePNG.bytes))
        for dark in [nil, settings.logo] {
            settings.logoDark = dark
            let languages = Languages(LocalizedStrings.builtIn, brands: Brands(owner: Brand(settings, name: "Owner")))
            let texts = try #require(languages["en"])
            let page = LandingPages(scanOrigins: []).render(.over, in: texts)
            let text = String(decoding: try await page.bytes(), as: UTF8.self)
            let source = text.firstMatch(of: #/<picture><source srcset="[^"]+\/(logo-dark\.png)"[^>]+dark\)"><img/#)
            #expect((source != nil) == (dark != nil) && text.contains("</picture>") == (dark != nil))
            #expect(text.contains(#"<img class="logo" src=""#))
        }
    }

    private static let client = OAuthClient(
        id: "shop",
        name: "Shop & Sons",
        origin: .config,
        authentication: .none,
        access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet([]), audience: "shop")
    )

    private static func landing(_ texts: LocalizedStrings) -> [Response] {
        let pages = LandingPages(scanOrigins: ["https://scan.example.com"])
        let kinds: [OperationKind] = [.login, .enroll, .approve]
        let all = LandingPages.Page.allCases.flatMap { page in kinds.map { pages.render(page, of: $0, in: texts) } }
        let view = ScanView(hint: .created, timeLeft: .seconds(61), age: .zero, leadsToScan: true, isDeniable: true)
        let places = [true, false].map { LandingPages.Location(ticket: "t", isBelow: $0) }
        let questions = places.flatMap { at in
            LandingPages.Page.allCases.flatMap { page in
                kinds.map { pages.backToQuestion(page, of: $0, in: texts, at: at) }
            } + confirmViews.map { pages.confirm($0, at: at, in: texts) }
        }
        return all + questions + [
            pages.failed(.expired, in: texts), pages.progress(view, at: places[1], in: texts),
        ]
    }

    /// The question before a scan: plain, with a number, and with a passkey.
    private static let confirmViews: [ConfirmView] = {
        let origin = LoginOrigin(email: "a•••@example.com", address: "192.0.2.7", agent: "Firefox, Windows")
        func view(asksNumber: Bool) -> ConfirmView {
            ConfirmView(clientName: "Shop & Sons", origin: origin, age: .seconds(75), asksNumber: asksNumber)
        }
        var passkey = view(asksNumber: false)
        passkey.asksPasskey = true
        return [view(asksNumber: false), view(asksNumber: true), passkey]
    }()

    /// The questions and outcomes of the wallet and of devices.
    private static func questions(_ texts: LocalizedStrings) -> [Response] {
        let (enrolment, cards) = (
            EnrollmentPages(deepLinks: []), [BankCard(reference: "r", lastFour: "4242", network: "V")]
        )
        let device = DevicePages.Question(
            code: "WDJB-MJHT",
            client: client,
            access: RequestedAccess(clientID: "shop", scopes: ScopeSet(["films"]), resources: []),
            origin: .init(address: "192.0.2.7", agent: "Firefox, Windows"),
            isSameNetwork: false,
            age: .seconds(125),
            person: "ada",
            mark: "m"
        )
        return [cards, []].map { shown in
            enrolment.question(token: Secret("t"), owner: "a•••", bank: "A Bank", cards: shown, in: texts)
        } + [DevicePages().question(device, in: texts)]
    }

    private static func behindLinks(_ texts: LocalizedStrings) -> [Response] {
        let service = NamedClient(id: "shop", name: "Shop & Sons")
        let mail: [MailPages.Page] = [
            .code("402913", minutes: 1, client: "shop"), .codeOver, .busy, .serverDown, .proven, .proofOver,
            .proof(asksPassword: true, signsOut: true, service: service), .wrongPassword(service: service),
        ]
        let answer = AuthorizationAnswer(
            redirectURI: "https://shop.example.com/back",
            responseMode: .formPost,
            parameters: []
        )
        return mail.map { MailPages().render($0, in: texts) }
            + LogoutPages.Page.allCases.map { LogoutPages().render($0, in: texts) } + [
                LogoutPages().ask("Shop & Sons", action: "a", leadingTo: nil, in: texts),
                AuthorizePages().refused(OAuthError(.invalidRequest, "No."), in: texts),
                AuthorizePages().fault(.storeUnavailable, in: texts), AnswerResponse.make(answer, in: texts),
                EnrollmentPages(deepLinks: []).refused(.unknown, in: texts),
                EnrollmentPages(deepLinks: []).crossSite(in: texts),
            ]
    }

    private static func signIn(_ texts: LocalizedStrings) -> [Response] {
        let (pages, at) = (SignInPages(), PageLocation(id: String(repeating: "a", count: 43), isBelow: true))
        let consent = SignInPages.Consent(scopes: ["s"], person: "p", address: "a", mark: "m")
        let wait = SignInPages.Wait(hint: .created, timeLeft: .seconds(61), scan: nil, number: "07")
        return [
            pages.wait(wait, of: client.name, at: at, in: texts),
            pages.failed(.expired, of: client.name, at: at, in: texts),
            pages.consent(consent, of: client, at: at, in: texts), pages.onward(to: "a", at: at, in: texts),
        ] + SignInNotice.allCases.map { pages.notice($0, at: at, in: texts) }
    }

    /// The pages of the ways to sign in.
    private static func ways(_ texts: LocalizedStrings) async throws -> [Response] {
        let (pages, at) = (SignInPages(), PageLocation(id: String(repeating: "a", count: 43), isBelow: true))
        let signIn = SignInTextTests.context(of: client, at: at, in: texts)
        let registration = SignInRegistration(takesPasskeys: true, passwords: nil)
        let code = pages.code(try await SignInForm(browser), opensAccount: true, of: signIn)
        return [
            pages.identifier(.init(typed: ""), .init(signIn: signIn, offersPasskey: true, opensAccounts: true)),
            pages.ways(SignInTextTests.everyWay(of: "a"), of: signIn), code,
            pages.offer(of: signIn, waits: true), pages.signUp(.init(), registration, of: signIn),
        ]
    }

    /// The pages that people open by themselves.
    private static func own(_ texts: LocalizedStrings) -> [Response] {
        let site = SiteSettings(
            rpID: "localhost",
            listsUsers: true,
            offersFace: true,
            offersAccount: true,
            showsSettings: true
        )
        let (account, at) = (AccountPages(), AccountLocation(isBelow: true))
        let link = AppLinkPage.onward(to: "app:/done", ending: .login, for: browser, in: texts)
        return SitePage.rendered.map { SitePages(settings: site).render($0, in: texts) }
            + AccountPageNotice.allCases.map { account.notice($0, at: at, in: texts) } + [
                account.render(AccountContent(title: "t"), at: at, in: texts), link,
                account.stronger(for: [], token: "t", lead: .strongerLead, at: at, in: texts),
                DevicePages().signIn("", in: texts), DevicePages().ask("", in: texts),
                DevicePages().notice(.allowed(client.name), in: texts),
            ]
    }

    /// A browser's request.
    private static let browser = Request(
        head: HTTPRequest(
            method: .get,
            scheme: "http",
            authority: "localhost",
            path: "/no/such/page",
            headerFields: [.accept: "text/html"]
        ),
        body: .init(buffer: ByteBuffer())
    )

    private static func all(_ texts: LocalizedStrings) async throws -> [Response] {
        try await landing(texts) + behindLinks(texts) + signIn(texts) + ways(texts) + own(texts)
            + questions(texts)
    }

    /// Templates that other tests show under their brands: the mails, the icon, and the operators' console.
    private static let shownElsewhere: Set = ["mail", "icon", "console"]
    /// Templates that consist of partials, in which nothing tells them from others.
    private static let withoutOwnMarkup: Set = ["answer", "app-link", "sign-in-notice", "sign-in-onward"]

    /// Returns the longer pieces of markup of each template that no other file has.
    private static func ownMarkup() -> [String: [String]] {
        let files = EmbeddedFiles.texts(in: "pages", ending: ".mustache")
        let partials = EmbeddedFiles.texts(in: "pages/partials", ending: ".mustache").values
        return files.reduce(into: [:]) { found, file in
            let others = Array(files.filter { $0.key != file.key }.values) + Array(partials)
            let pieces = file.value.replacing(#/\{\{[^}]*\}\}+/#, with: "\n").split(separator: "\n")
            found[file.key] = pieces.map { $0.trimmingCharacters(in: .whitespaces) }.filter { piece in
                piece.count >= 12 && !others.contains { $0.contains(piece) }
            }
        }
    }

    @Test func `the pages of these tests are of every template`() async throws {
        let texts = try #require(try Self.languages()["en"]).branded(for: "shop")
        var shown = ""
        for page in try await Self.all(texts) { shown += String(decoding: try await page.bytes(), as: UTF8.self) }
        let own = Self.ownMarkup()
        #expect(Set(own.filter(\.value.isEmpty).keys) == Self.withoutOwnMarkup)
        for (name, pieces) in own where !Self.withoutOwnMarkup.union(Self.shownElsewhere).contains(name) {
            #expect(pieces.contains { shown.contains($0) }, "no page of \(name).mustache is shown")
        }
    }

    // T-038
    @Test func `every page has the name of its client in title and heading, and no other client's`() async throws {
        for texts in try Self.languages().all.map({ $0.branded(for: "shop") }) {
            for page in try await Self.all(texts) {
                let text = String(decoding: try await page.bytes(), as: UTF8.self)
                let title = try #require(text.firstMatch(of: #/<title>([^<]*)<\/title>/#)).1
                #expect(title.hasSuffix(" – Shop &amp; Sons"), "\(title)")
                #expect(text.contains(#"<span dir="auto">Shop &amp; Sons</span>"#), "\(title)")
                #expect(!text.contains("Other Bank") && !text.contains("The Owner") && !text.contains("Vestibule"))
                #expect(text.contains(#"href="https://www.example.com/help?a=1&amp;b=2" target="_blank""#))
                #expect(text.contains("Shop &amp; Sons Ltd &lt;b onclick=&quot;x&quot;&gt;"), "\(title)")
                #expect(!text.contains("<b "), "\(title)")
            }
        }
    }

    @Test func `a page for no client, or for one that the config does not have, is the owner's`() async throws {
        let english = try #require(try Self.languages()["en"])
        for texts in [english, english.branded(for: nil), english.branded(for: "registered")] {
            for page in try await Self.all(texts) {
                let text = String(decoding: try await page.bytes(), as: UTF8.self)
                #expect(text.contains(" – The Owner</title>") && text.contains(#"<span dir="auto">The Owner</span>"#))
                #expect(!text.contains("Other Bank") && !text.contains(#"class="logo""#))
            }
        }
    }

    @Test func `the page of an error is the owner's`() async throws {
        let server = ServerConfiguration.local(bodyLimit: 1024, showing: try Self.languages())
        let page = try #require(ErrorPages(server: server).answer(to: .notFound, of: Self.browser, id: "id"))
        let text = String(decoding: try await page.bytes(), as: UTF8.self)
        #expect(page.status == .notFound && text.contains(" – The Owner</title>") && !text.contains("Vestibule"))
        #expect(text.contains("--accent:#0b57d0"))
    }

    // T-039
    @Test func `a page's policy allows its own style and logo, and no inline style besides`() async throws {
        let texts = try #require(try Self.languages()["en"]).branded(for: "shop")
        for page in try await Self.all(texts) {
            let text = String(decoding: try await page.bytes(), as: UTF8.self)
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("default-src 'none'") && policy.contains("img-src 'self'"), "\(policy)")
            #expect(!policy.contains("unsafe") && !text.contains(" style="))
            guard let style = text.firstMatch(of: #/<style>([\s\S]*?)<\/style>/#)?.1 else {
                #expect(policy.contains("style-src 'self'"))
                continue
            }
            #expect(policy.contains("style-src \(LandingPages.hash(of: String(style)));"))
            #expect(style.contains("--accent:#0b57d0"))
        }
    }

    @Test func `a logo and a style are served for ever at the address that the page gives`() async throws {
        let languages = try Self.languages()
        let texts = try #require(languages["en"]).branded(for: "shop")
        let folder = "/assets/\(WebAssets.version(in: texts))"
        try await OpenServer.run(AssetAPI().routes, showing: languages) { server in
            let logo = try await server.send(.get, "\(folder)/logo.png")
            #expect(logo.status == .ok && logo.headers[.contentType] == "image/png")
            #expect(Array(logo.body.readableBytesView) == SamplePNG.bytes)
            #expect(logo.headers[.xContentTypeOptions] == "nosniff")
            #expect(logo.headers[.cacheControl] == "public, max-age=31536000, immutable")
            #expect(logo.headers[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
            #expect(try await server.send(.get, "\(folder)/style.css").text.contains("--accent:#0b57d0"))
            #expect(try await server.send(.get, "\(folder)/icon.svg").text.contains(##"fill="#0b57d0""##))
            let owners = "/assets/\(WebAssets.version(in: texts.branded(for: nil)))"
            #expect(try await server.send(.get, "\(owners)/logo.png").status == .notFound, "the owner has none")
            #expect(try await server.send(.get, "\(folder)/logo.webp").status == .notFound)
        }
    }

    @Test(arguments: [
        ("/", ""), ("/device", ""), ("/go/abc", "../"), ("/go/abc/", "../../"),
        ("/oauth/sign-in/abc/face", "../../../"),
    ])
    func `a page finds the server's root wherever a proxy mounts it`(_ path: String, _ root: String) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path + "?a=/b/c")
        let request = Request(head: head, body: .init(buffer: ByteBuffer()))
        #expect(AcceptedLanguage(languages: .builtIn).texts(for: request).root == root)
    }
}
