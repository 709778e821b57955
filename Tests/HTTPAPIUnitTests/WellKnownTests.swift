import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import Testing
import Web

@testable import HTTPAPI

/// The small files that browsers, password managers and people who report weaknesses look for.
struct WellKnownTests {
    private static let publicURL = "https://example.com/login"

    private static func addresses(_ pages: [String], servesPasskeys: Bool = true) -> [Route] {
        let routes = pages.map { Route(.get, $0, access: .everybody) { _, _ in .seeOther("/") } }
        return AccountAddressesAPI(publicURL: publicURL, among: routes, servesPasskeys: servesPasskeys).routes
    }

    @Test(
        arguments: [
            (["/account", "/passkeys", "/login.html"], "/account#password", "/account"),
            (["/login.html", "/passkeys"], "/passkeys", "/passkeys"),
            (["/login.html", "/account/x"], "/login.html", "/login.html"),
        ]
    )
    func `password managers are led to the best page that is served`(
        _ pages: [String],
        _ password: String,
        _ passkeys: String
    ) async throws {
        try await OpenServer.run(Self.addresses(pages)) { server in
            for method in [HTTPRequest.Method.get, .head] {
                let answer = try await server.send(method, "/.well-known/change-password")
                #expect(answer.status == .seeOther && answer.body.readableBytes == 0)
                #expect(answer.headers[.location] == Self.publicURL + password)
                #expect(answer.headers[.cacheControl] == "no-store")
            }
            let answer = try await server.send(.get, "/.well-known/passkey-endpoints")
            #expect(answer.status == .ok && answer.headers[.contentType] == "application/json")
            #expect(answer.headers[.cacheControl] == "public, max-age=3600")
            let body = try answer.json() as? [String: String]
            #expect(body == ["enroll": Self.publicURL + passkeys, "manage": Self.publicURL + passkeys])
        }
    }

    @Test func `without a page there is none for passwords, and passkeys have no addresses`() async throws {
        try await OpenServer.run(Self.addresses(["/face"])) { server in
            try server.expect(try await server.send(.get, "/.well-known/change-password"), is: "not_found", 404)
            #expect(try await server.send(.get, "/.well-known/passkey-endpoints").text == "{}")
        }
        #expect(Self.addresses([], servesPasskeys: false).isEmpty)
    }

    @Test func `an unknown well-known address is 404, as password managers require`() async throws {
        try await OpenServer.run(Self.addresses(["/account"])) { server in
            for name in ["resource-that-should-not-exist-whose-status-code-should-not-be-200", "", "change-password/x"]
            {
                for headers in [[:], ErrorPageTests.browser] {
                    let answer = try await server.send(.get, "/.well-known/\(name)", headers)
                    try server.expect(answer, is: "not_found", 404, "\(name)")
                }
            }
        }
    }

    @Test func `search engines are asked to leave, and learn no path`() async throws {
        try await OpenServer.run(RobotsAPI().routes) { server in
            let answer = try await server.send(.get, "/robots.txt")
            #expect(answer.text == "User-agent: *\nDisallow: /\n")
            #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "public, max-age=86400")
            let head = try await server.send(.head, "/robots.txt")
            #expect(head.status == .ok && head.body.readableBytes == 0)
        }
    }

    @Test(arguments: PageIcon.allCases)
    func `an icon is where browsers look, and may be kept`(_ icon: PageIcon) async throws {
        try await OpenServer.run(IconAPI().routes) { server in
            let answer = try await server.send(.get, "/\(icon.rawValue)")
            #expect(answer.status == .ok && answer.headers[.contentType] == icon.type)
            let bytes = icon.bytes(of: .builtIn)
            #expect(Array(answer.body.readableBytesView) == bytes && bytes.count > 100)
            #expect(answer.headers[.cacheControl] == "public, max-age=86400")
            #expect(answer.headers[.xContentTypeOptions] == "nosniff")
            let tag = try #require(answer.headers[.eTag])
            let again = try await server.send(.get, "/\(icon.rawValue)", [.ifNoneMatch: tag])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
            let head = try await server.send(.head, "/\(icon.rawValue)")
            #expect(head.headers[.contentLength] == String(bytes.count) && head.body.readableBytes == 0)
        }
    }

    // MARK: security.txt

    private static var whole: SecurityText {
        var content = SecurityText()
        content.contacts = ["mailto:security@example.com", "https://example.com/report"]
        content.expires = Instant(seconds: 1_800_000_000)
        content.policy = "https://example.com/policy"
        content.encryption = "https://example.com/key"
        content.acknowledgments = "https://example.com/thanks"
        content.hiring = "https://example.com/jobs"
        content.languages = ["en", "sv"]
        return content
    }

    @Test func `security.txt has each field in its line, contacts first`() {
        let text = Self.whole.text(at: Instant(seconds: 0), publicURL: "https://example.com")
        #expect(
            text == """
                Contact: mailto:security@example.com
                Contact: https://example.com/report
                Expires: 2027-01-15T08:00:00Z
                Encryption: https://example.com/key
                Acknowledgments: https://example.com/thanks
                Preferred-Languages: en, sv
                Canonical: https://example.com/.well-known/security.txt
                Policy: https://example.com/policy
                Hiring: https://example.com/jobs

                """
        )
        #expect(!Self.whole.text(at: Instant(seconds: 0), publicURL: "http://localhost").contains("Canonical"))
    }

    @Test(arguments: [0, 1, 86_399, 86_400, 1_750_000_123] as [Int64])
    func `a file without a written end always ends within a year, at midnight`(_ seconds: Int64) throws {
        var content = Self.whole
        content.expires = nil
        let now = Instant(seconds: seconds)
        let text = content.text(at: now, publicURL: Self.publicURL)
        let written = try #require(text.firstMatch(of: #/Expires: (\S+)\n/#)).1
        let end = try #require(InternetTimestamp.parse(String(written)))
        #expect(end > now && end - now <= SecurityText.lifetime && SecurityText.lifetime < .seconds(365 * 86_400))
        #expect(end.seconds % 86_400 == 0)
    }

    @Test func `security.txt is text that may be kept for an hour`() async throws {
        let api = SecurityTextAPI(
            content: Self.whole,
            publicURL: Self.publicURL,
            environment: VirtualTime().environment()
        )
        try await OpenServer.run(api.routes) { server in
            let answer = try await server.send(.get, SecurityTextAPI.path)
            #expect(answer.headers[.contentType] == "text/plain; charset=utf-8")
            #expect(answer.headers[.cacheControl] == "public, max-age=3600")
            #expect(answer.text.contains("Canonical: https://example.com/login/.well-known/security.txt\n"))
            let tag = try #require(answer.headers[.eTag])
            #expect(try await server.send(.get, SecurityTextAPI.path, [.ifNoneMatch: tag]).status == .notModified)
            #expect(try await server.send(.head, SecurityTextAPI.path).body.readableBytes == 0)
        }
    }
}
