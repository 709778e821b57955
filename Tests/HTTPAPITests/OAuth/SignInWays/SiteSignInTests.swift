import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The site's own sign-in, at the address of the published page.
struct SiteSignInTests {
    private static let form: HTTPFields = [
        .fetchSite: "same-origin", .contentType: "application/x-www-form-urlencoded",
    ]

    @Test(arguments: [true, false])
    func `the site's address leads to the sign-in page, and back home, with and without OAuth`(
        _ isOAuth: Bool
    ) async throws {
        try await Harness.run {
            $0.oauth.enabled = isOAuth
        } _: { harness in
            try await harness.register("eve@example.com")
            let sent = try await harness.send(.get, "/login.html")
            let page = "/" + (try #require(sent.headers[.location]))
            #expect(sent.status == .seeOther && page.hasPrefix("/oauth/sign-in/"))
            let cookie = try #require(sent.cookie("vst_oauth="))
            let shown = try await harness.send(.get, page, .cookies(cookie))
            #expect(shown.status == .ok && shown.text.contains("Sign in to \(harness.settings.relyingParty.name)"))
            let signedIn = try await harness.send(
                .post,
                page + "/password",
                Self.form.adding(.cookie, cookie),
                body: "email=eve%40example.com&password=" + Harness.password.replacing(" ", with: "+")
            )
            #expect(signedIn.status == .ok, "\(signedIn.text)")
            let session = try #require(signedIn.sessionCookies)
            let done = try await harness.send(.get, page, .cookies(cookie, session))
            let back = try #require(done.headers[.location].flatMap { URLComponents(string: $0) })
            #expect(back.path == "/login.html" && back.queryItems?.contains { $0.name == "code" } == true)
            let home = try await harness.send(
                .get,
                "/login.html?" + (back.percentEncodedQuery ?? ""),
                .cookies(session)
            )
            #expect(home.status == .seeOther && home.headers[.location] == "./")
            #expect(try await harness.who(session) != nil)
        }
    }

    @Test func `cancelling leads home, and an interaction that is over to a new one`() async throws {
        try await Harness.run { harness in
            let sent = try await harness.send(.get, "/login.html")
            let page = "/" + (try #require(sent.headers[.location]))
            let headers = Self.form.adding(.cookie, try #require(sent.cookie("vst_oauth=")))
            let cancelled = try await harness.send(.post, page + "/cancel", headers, body: "")
            #expect(cancelled.text.contains("/login.html?error=access_denied"), "\(cancelled.text)")
            let home = try await harness.send(.get, "/login.html?error=access_denied")
            #expect(home.headers[.location] == "./" && home.headers[.setCookie] == nil)
            let over = try await harness.send(.get, page, headers)
            #expect(over.status == .gone && over.text.contains(#"href="../../login.html""#))
        }
    }

    @Test func `the code of the site's sign-in is worth nothing at the token endpoint`() async throws {
        try await Harness.run { harness in
            for page in PageSignIn.Page.allCases {
                let body =
                    "grant_type=authorization_code&client_id=\(page.rawValue)&code=\(String(repeating: "A", count: 43))"
                let answer = try await harness.send(.post, "/oauth/token", Self.form, body: body)
                #expect(answer.status.code >= 400, "\(page)")
                let asked = try await harness.send(
                    .get,
                    "/oauth/authorize?response_type=code&client_id=\(page.rawValue)"
                )
                #expect(asked.headers[.location] == nil, "\(page)")
            }
        }
    }

    @Test(arguments: [(PageSignIn.Page.device, false), (.landing, false), (.site, true), (.account, true)])
    func `a page of this server says which ways are enough for it`(_ page: PageSignIn.Page, _ takesAny: Bool) {
        let rules = page.client(site: "Vestibule").authorization
        #expect(rules.acceptedWays == (takesAny ? Set(SignInWay.allCases) : [.face, .passkey]))
    }

    @Test func `production neither shows nor sends the settings of a new passkey`() async throws {
        try await Harness.run {
            $0.mode = .production
        } _: { harness in
            let text = try await harness.send(.get, "/signup.html").text
            let names = Set(text.matches(of: #/<(?:input|select)[^>]* name="(\w+)"/#).map { String($0.1) })
            #expect(names == ["username"] && !text.contains("<details>"))
        }
        try await Harness.run { harness in
            let text = try await harness.send(.get, "/signup.html").text
            #expect(text.contains("<details>") && text.contains(#"name="customRpID""#))
        }
    }
}
