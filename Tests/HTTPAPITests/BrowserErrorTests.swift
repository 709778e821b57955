import HTTPTypes
import HummingbirdTesting
import NIOCore
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What browsers meet besides the pages: errors, icons and the addresses that they know by themselves.
struct BrowserErrorTests {
    private static let browser: HTTPFields = [
        .accept: "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
    ]

    @Test func `no route of an API answers a browser's request with a page`() async throws {
        try await Harness.run { harness in
            let method = try #require(HTTPRequest.Method("PROPFIND"))
            let prefixes = ["/api/", "/auth/", "/token", "/webhooks/", "/biometric/", "/.well-known/"]
            var (pages, programs) = (0, 0)
            for template in Set(harness.api.table.routes.map(\.template)) {
                let path = template.replacing("{operationId}", with: "x").replacing("{ticket}", with: "x")
                let answer = try await harness.send(method, path, Self.browser)
                #expect(answer.status == .methodNotAllowed, "\(template)")
                let isPage = answer.headers[.contentType] == "text/html; charset=utf-8"
                if isPage { pages += 1 } else { programs += 1 }
                if prefixes.contains(where: { template.hasPrefix($0) }) { #expect(!isPage, "\(template)") }
                #expect(answer.headers[.vary] == (isPage ? "Accept, Accept-Language" : nil), "\(template)")
            }
            #expect(pages >= 12 && programs >= 80)
        }
    }

    @Test func `an error of a page that a browser opens is a page with a way on`() async throws {
        try await Harness.run { harness in
            let page = try await harness.send(.get, "/no/such/page", Self.browser)
            #expect(page.status == .notFound && page.text.contains("<h1>There is no such page</h1>"))
            #expect(page.text.contains(#"<form method="get" action="/"><button type="submit">Go to the start page"#))
            #expect(try await harness.send(.get, "/", Self.browser).status == .ok, "where the button leads")
            try harness.expect(try await harness.send(.get, "/no/such/page"), is: "not_found", 404)
        }
        try await Harness.run {
            $0.surfaces["passkeys"]?.enabled = false
        } _: { harness in
            let page = try await harness.send(.get, "/", Self.browser)
            #expect(page.status == .notFound && !page.text.contains("<form"), "there is no start page")
        }
    }

    @Test func `password managers are led to pages of this server that are there`() async throws {
        try await Harness.run { harness in
            let answer = try await harness.send(.get, "/.well-known/change-password", Self.browser)
            let location = try #require(answer.headers[.location])
            let endpoints = try await harness.send(.get, "/.well-known/passkey-endpoints").json()
            let addresses = try [location] + ["enroll", "manage"].map { try #require(endpoints[$0] as? String) }
            for address in addresses {
                #expect(address.hasPrefix(harness.settings.publicURL + "/"), "\(address)")
                let path = address.dropFirst(harness.settings.publicURL.count).prefix { $0 != "#" }
                #expect(try await harness.send(.get, String(path), Self.browser).status.code < 400, "\(address)")
            }
        }
    }

    @Test func `every page names the icons, and its policy lets the browser load them`() async throws {
        try await Harness.run { harness in
            let login = try await harness.start()
            let paths =
                SitePage.rendered.map(\.path) + [
                    login.landingPath, "/go/x", "/mail/code/x", "/mail/address/x", "/device", "/oauth/logout",
                    "/oauth/authorize", "/oauth/sign-in/x", "/no/such/page",
                ]
            for path in paths {
                let page = try await harness.send(.get, path, Self.browser)
                let icons = page.text.matches(of: #/<link rel="(?:icon|apple-touch-icon)" href="([^"]+)"/#)
                #expect(icons.count == PageIcon.allCases.count, "\(path): \(page.text)")
                let policy = page.headers[.contentSecurityPolicy] ?? ""
                #expect(policy.contains("img-src 'self'"), "\(path): \(policy)")
                let up = String(repeating: "../", count: max(0, path.split(separator: "/").count - 1))
                for icon in icons.map({ String($0.1) }) {
                    #expect(icon.hasPrefix("/") || icon.hasPrefix(up), "\(path): \(icon)")
                    let address = icon.hasPrefix("/") ? icon : "/" + icon.dropFirst(up.count)
                    #expect(try await harness.send(.get, address).status == .ok, "\(path): \(icon)")
                }
            }
        }
    }

    @Test func `security.txt is served as the config says, and not without it`() async throws {
        try await Harness.run { harness in
            let file = try await harness.send(.get, "/.well-known/security.txt")
            #expect(file.text.hasPrefix("Contact: mailto:security@example.com\nExpires: "))
        }
        try await Harness.run {
            $0.securityText = nil
        } _: { harness in
            try harness.expect(try await harness.send(.get, "/.well-known/security.txt"), is: "not_found", 404)
        }
    }
}
