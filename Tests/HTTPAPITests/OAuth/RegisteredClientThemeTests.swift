import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import NIOCore
import Testing
import Web

@testable import Admin
@testable import Assembly
@testable import HTTPAPI
@testable import OAuth
@testable import Settings

/// The look of clients that registered themselves: the owner's, until the operator gives them one.
struct RegisteredClientThemeTests {
    private static func brand(_ settings: inout Settings) {
        settings.theme.name = "The Owner"
        for index in settings.clients.indices {
            var theme = BrandSettings()
            theme.name = "Brand of \(settings.clients[index].id)"
            settings.clients[index].theme = theme
        }
    }

    /// Registers a client that makes claims about its look, and returns its id.
    private static func register(_ name: String, _ harness: Harness) async throws -> String {
        let service = harness.composition.oauth.clients
        let token = try await service.openRegistration(uses: 1, lifetime: .seconds(60)).token.expose()
        let uris = ["logo_uri", "client_uri", "tos_uri", "policy_uri"]
        let claimed = uris.map { #""\#($0)":"https://evil.example.com/\#($0)""# }.joined(separator: ",")
        let body =
            #"{"client_name":"\#(name)","redirect_uris":["com.example.app:/done"],"token_endpoint_auth_method":"none",\#(claimed)}"#
        let registered = try await harness.client.execute(
            uri: "/oauth/register",
            method: .post,
            headers: [.contentType: "application/json", .authorization: "Bearer \(token)"],
            body: ByteBuffer(string: body)
        )
        #expect(registered.status == .created, "\(registered.text)")
        return String(try #require(registered.text.firstMatch(of: #/"client_id":"([^"]+)"/#)).1)
    }

    /// Returns the sign-in page of the client.
    private static func signInPage(of id: String, _ harness: Harness) async throws -> String {
        let challenge = String(repeating: "A", count: 43)
        let started = try await harness.send(
            .get,
            "/oauth/authorize?response_type=code&client_id=\(id)&redirect_uri=com.example.app%3A%2Fdone&scope=openid"
                + "&code_challenge=\(challenge)&code_challenge_method=S256&state=s"
        )
        let page = try #require(started.headers[.location], "\(started.text)")
        let cookies = started.headers[values: .setCookie].map { String($0.prefix { $0 != ";" }) }
        let shown = try await harness.send(.get, page, [.cookie: cookies.joined(separator: "; ")])
        #expect(shown.status == .ok && !shown.text.contains("evil.example.com"), "\(shown.text)")
        return shown.text
    }

    private static func owner(of page: String) throws -> String {
        String(try #require(page.firstMatch(of: #/<title>[^<]* – ([^<]*)<\/title>/#)).1)
    }

    private static func give(_ theme: [String]?, to id: String, _ harness: Harness) async throws -> ClientView {
        var change = SetClient.Change()
        change.theme = theme
        return try await harness.composition.administration.execute(SetClient(id: id, change: change))
    }

    // T-163
    @Test func `attack: nothing that a client says of its brand at its registration is on the sign-in page`()
        async throws
    {
        try await Harness.run {
            Self.brand(&$0)
        } _: { harness in
            let id = try await Self.register("App", harness)
            let page = try await Self.signInPage(of: id, harness)
            #expect(page.contains("Sign in to App") && !page.contains("Brand of"))
            #expect(try Self.owner(of: page) == "The Owner")
        }
    }

    // T-163
    @Test func `the operator's theme of a registered client is on its pages, and on no other client's`()
        async throws
    {
        try await Harness.run(storage: .sqlite) {
            Self.brand(&$0)
        } _: { harness in
            try FileManager.default.createDirectory(
                atPath: harness.folder.path + "/brand",
                withIntermediateDirectories: true
            )
            try Data(WebAssets.touchIcon).write(to: URL(filePath: harness.folder.path + "/brand/app.png"))
            let (app, other) = (
                try await Self.register("App", harness), try await Self.register("Other", harness)
            )
            let theme = [
                "name=The & App", "accent=#7a1f5c", "logo=brand/app.png", "links.terms=https://app.example.com/terms",
            ]
            let view = try await Self.give(theme, to: app, harness)
            #expect(view.theme?["links.terms"] == "https://app.example.com/terms")
            #expect(view.lines.contains { $0.hasPrefix("theme: accent=#7a1f5c ") })

            let page = try await Self.signInPage(of: app, harness)
            #expect(try Self.owner(of: page) == "The &amp; App")
            #expect(page.contains(#"href="https://app.example.com/terms""#) && !page.contains("Brand of"))
            let logo = try #require(page.firstMatch(of: #/(assets\/[^"]+\/logo\.png)"/#)).1
            let image = try await harness.send(.get, "/\(logo)")
            #expect(image.status == .ok && image.headers[.contentType] == "image/png")
            let style = try #require(page.firstMatch(of: #/(assets\/[^"]+\/style\.css)"/#)).1
            #expect(try await harness.send(.get, "/\(style)").text.contains("--accent:#7a1f5c"))

            for shown in [
                try await Self.signInPage(of: other, harness), try await harness.send(.get, "/").text,
                try await harness.send(.get, "/no/such/page", [.accept: "text/html"]).text,
            ] {
                #expect(try Self.owner(of: shown) == "The Owner")
                #expect(!shown.contains("The &amp; App") && !shown.contains("app.example.com"))
            }
            let mail = harness.api.server.localization.current.texts(tagged: "en").branded(for: app).brand
            #expect(mail.name == "The & App", "mails take the same brand")

            // A reload and a restart keep it.
            try harness.composition.reloadPresentation()
            #expect(try Self.owner(of: try await Self.signInPage(of: app, harness)) == "The &amp; App")
            _ = try await harness.composition.oauth.clients.load()
            #expect(try Self.owner(of: try await Self.signInPage(of: app, harness)) == "The &amp; App")

            #expect(try await Self.give([], to: app, harness).theme == nil)
            #expect(try Self.owner(of: try await Self.signInPage(of: app, harness)) == "The Owner")
        }
    }

    // T-163
    @Test(arguments: [
        (["accent=#ffee00"], "theme.accent"), (["links.help=http://app.example.com/"], "theme.links.help"),
        (["links.help=javascript:alert(1)"], "theme.links.help"), (["logo=/etc/passwd"], "theme.logo: is not a path"),
        (["logo=brand/../../x.png"], "theme.logo: is not a path"), (["logo=missing.png"], "does not exist"),
        (["colour=red"], "theme.colour: unknown key"), (["accent"], "--theme takes KEY=VALUE"),
        (["a.a.a=1"], "unknown key"), (["links=x"], "unknown key"), (["logo=link.png"], "theme.logo: is not a path"),
        (["name=A", "name=B"], "--theme takes KEY=VALUE"), (["name=two\nlines"], "theme.name"),
    ])
    func `a theme that the config would refuse is refused, and the client keeps its look`(
        _ theme: [String],
        _ fault: String
    ) async throws {
        try await Harness.run(storage: .sqlite) {
            Self.brand(&$0)
        } _: { harness in
            let id = try await Self.register("App", harness)
            // A picture elsewhere, to which a link in the data folder leads.
            let picture = NSTemporaryDirectory() + "/\(id).png"
            try Data(WebAssets.touchIcon).write(to: URL(filePath: picture))
            defer { try? FileManager.default.removeItem(atPath: picture) }
            let link = harness.folder.path + "/link.png"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: picture)
            let error = await #expect(throws: AdminError.self) { _ = try await Self.give(theme, to: id, harness) }
            #expect(error?.message.contains(fault) == true, "\(error?.message ?? "")")
            #expect(harness.composition.oauth.clients.directory.client(id)?.appearance.theme == nil)
        }
    }
}
