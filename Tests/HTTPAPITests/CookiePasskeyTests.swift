import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Passkeys
import Sessions
import Settings
import SoftwareAuthenticator
import Storage
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Passkeys for clients whose ceremonies are tied together by the cookie `yapt.sid`, and what that cookie opens.
struct CookiePasskeyTests {
    private static let register = "/api/auth/register"
    private static let login = "/api/auth/login"

    /// Registers as the published site does; returns the passkey and the answer.
    private static func signUp(
        _ harness: Harness,
        _ name: String
    ) async throws -> (SoftwareAuthenticator.Credential, TestResponse) {
        let options = try await harness.post(register + "/generate-options", #"{"username":"\#(name)"}"#)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, response) = try harness.browser.create(options.text)
        let cookie = HTTPFields.cookies(options.sessionCookies)
        let answer = try await harness.post(register + "/verify", response, cookie)
        try #require(answer.status == .ok, "\(answer.text)")
        return (credential, answer)
    }

    @Test func `registering and signing in answer what the published app decodes`() async throws {
        try await Harness.run { harness in
            let options = try await harness.post(Self.register + "/generate-options", #"{"username":"ada"}"#)
            #expect(try options.json()["challengeId"] == nil && options.json()["challenge"] is String)
            let before = try #require(options.cookie("yapt.sid="))
            let (credential, response) = try harness.browser.create(options.text)
            let registered = try await harness.post(Self.register + "/verify", response, .cookies(before))
            let body = try registered.json()
            #expect(body["verified"] as? Bool == true)
            let user = try #require(body["user"] as? [String: Any])
            #expect(UUIDBits(try #require(user["id"] as? String)) != nil && user["isAdmin"] as? Bool == false)
            #expect(user["username"] as? String == "ada" && user["displayName"] as? String == "ada")
            let after = try #require(registered.cookie("yapt.sid="))
            #expect(before != after, "a new one at the sign-in")
            #expect(try await harness.who(before) == nil)
            #expect(try await harness.who(after) == "ada")

            let asked = try await harness.post(Self.login + "/generate-options", #"{"username":"ada"}"#)
            let descriptors = try #require(try asked.json()["allowCredentials"] as? [[String: Any]])
            #expect(descriptors.allSatisfy { $0["type"] as? String == "public-key" && $0["id"] is String })
            let answer = try harness.browser.get(asked.text, with: credential)
            let signedIn = try await harness.post(Self.login + "/verify", answer, .cookies(asked.cookie("yapt.sid=")))
            #expect(signedIn.status == .ok, "\(signedIn.text)")
            #expect(try await harness.who(signedIn.cookie("yapt.sid=")) == "ada")
        }
    }

    @Test func `the cookie is HttpOnly, Lax, for thirty days, and Secure where the address is https`() async throws {
        for (url, isSecure) in [("http://localhost:8080", false), ("https://localhost", true)] {
            try await Harness.run {
                $0.publicURL = url
            } _: { harness in
                let answer = try await Self.signUp(harness, "ada").1
                let companion = answer.setCookie("__Host-yapt.sid=")
                #expect((companion != nil) == isSecure)
                let own = try #require(answer.setCookie("yapt.sid="))
                for cookie in [own, companion].compactMap({ $0 }) {
                    #expect(cookie.contains("; HttpOnly") && cookie.contains("; SameSite=Lax"))
                    #expect(cookie.contains("; Path=/;") && !cookie.contains("Domain"))
                    #expect(cookie.contains("; Max-Age=2592000"))
                    #expect(cookie.contains("; Secure") == isSecure)
                    #expect(cookie.prefix { $0 != ";" }.drop { $0 != "=" }.utf8.count == 1 + 43)
                }
                #expect(companion == nil || companion == "__Host-" + own)
            }
        }
    }

    // T-046, T-129
    @Test func `attack: a passkey answer without its options' cookie, or with an invented one, is refused`()
        async throws
    {
        try await Harness.run { harness in
            let (credential, _) = try await Self.signUp(harness, "ada")
            let asked = try await harness.post(Self.login + "/generate-options", #"{"username":"ada"}"#)
            let answer = try harness.browser.get(asked.text, with: credential)
            let injected = "yapt.sid=" + String(repeating: "A", count: 43)
            for headers in [[:], .cookies(injected), .cookies("yapt.sid=x")] as [HTTPFields] {
                let refused = try await harness.post(Self.login + "/verify", answer, headers)
                try harness.expect(refused, is: "challenge_over", 400)
            }
            let fixed = try await harness.post(
                Self.login + "/generate-options",
                #"{"username":"ada"}"#,
                .cookies(injected)
            )
            #expect(try #require(fixed.cookie("yapt.sid=")) != injected, "never adopted")
            let own = try #require(asked.cookie("yapt.sid="))
            let again = try await harness.post(Self.login + "/generate-options", "{}", .cookies(own))
            #expect(again.setCookie("yapt.sid") == nil, "one that is ours goes on")
            #expect(try await harness.post(Self.login + "/verify", answer, .cookies(own)).status == .ok)
        }
    }

    // T-044
    @Test func `attack: two session cookies in one request sign in nobody, whichever comes first`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, attacker) = (try await harness.signUp("ada"), try await harness.signUp("eve"))
            for injected in [attacker.cookie, "yapt.sid=x", "yapt.sid="] {
                for both in [HTTPFields.cookies(injected, ada.cookie), .cookies(ada.cookie, injected)] {
                    for path in ["/api/auth/me", "/api/auth/devices"] {
                        let refused = try await harness.send(.get, path, both)
                        try harness.expect(refused, is: "unauthorized", 401)
                        #expect(refused.headers[.setCookie] == nil, "the injected one would stay, and count")
                    }
                    let adding = try await harness.send(.post, "/api/auth/add-device/generate-options", both)
                    try harness.expect(adding, is: "unauthorized", 401)
                }
            }
            #expect(try await harness.who(ada.cookie) == "ada")
        }
    }

    // T-044
    @Test func `attack: over https a session cookie set by a sibling domain is not accepted`()
        async throws
    {
        try await Harness.run {
            $0.publicURL = "https://localhost"
        } _: { harness in
            let (ada, attacker) = (try await harness.signUp("ada"), try await harness.signUp("eve"))
            #expect(try await harness.who(ada.cookie) == "ada")
            // A sibling can set the one for its whole domain, and never the twin.
            let injected = try #require(attacker.cookie.split(separator: ";").first.map(String.init))
            let own = try #require(ada.cookie.split(separator: ";").first.map(String.init))
            let companion = try #require(ada.cookie.split(separator: " ").last.map(String.init))
            #expect(
                injected.hasPrefix("yapt.sid=") && own.hasPrefix("yapt.sid=") && companion.hasPrefix("__Host-yapt.sid=")
            )
            for alone in [injected, own, companion, injected + "; " + companion, "yapt.sid=x; " + companion] {
                #expect(try await harness.who(alone) == nil, "\(alone)")
            }
            for both in [injected + "; " + ada.cookie, ada.cookie + "; " + injected] {
                #expect(try await harness.who(both) == "ada", "the browser is in its own account")
            }
            #expect(try await harness.who(ada.cookie + "; " + companion) == nil, "no browser has two")
            // Nor does a ceremony go on that a sibling began.
            let begun = try await harness.post(Self.login + "/generate-options", "{}")
            let response = try harness.browser.get(begun.text, with: ada.credential)
            let alone = try await harness.post(Self.login + "/verify", response, .cookies(begun.cookie("yapt.sid=")))
            try harness.expect(alone, is: "challenge_over", 400)
            let whole = try await harness.post(Self.login + "/verify", response, .cookies(begun.sessionCookies))
            #expect(whole.status == .ok, "\(whole.text)")
            let out = try await harness.send(.post, "/api/auth/logout", .cookies(injected))
            for name in ["yapt.sid=", "__Host-yapt.sid="] {
                #expect(try #require(out.setCookie(name)).contains("Max-Age=0"))
            }
            #expect(try await harness.who(attacker.cookie) == "eve", "nobody's session was ended")
        }
    }

    @Test func `names that are taken, short or none are refused, as the published site says it`() async throws {
        try await Harness.run { harness in
            _ = try await Self.signUp(harness, "ada")
            func begin(_ body: String) async throws -> TestResponse {
                try await harness.post(Self.register + "/generate-options", body)
            }
            try harness.expect(try await begin(#"{"username":"Ada"}"#), is: "username_taken", 409)
            let short = try await begin(#"{"username":"al"}"#)
            try harness.expect(short, is: "invalid_username", 400)
            #expect(short.text.contains("3 to 64"), "the app shows it: \(short.text)")
            try harness.expect(try await begin("{}"), is: "invalid_request", 400)
        }
    }

    @Test func `invalid and taken user names do not use up the five registrations of an address`() async throws {
        try await Harness.run { harness in
            _ = try await harness.signUp("ada")
            func begin(_ name: String) async throws -> TestResponse {
                try await harness.post(Self.register + "/generate-options", #"{"username":"\#(name)"}"#)
            }
            for _ in 1...4 {
                try harness.expect(try await begin("al"), is: "invalid_username", 400)
                try harness.expect(try await begin("a/b/c"), is: "invalid_username", 400)
                try harness.expect(try await begin("ada"), is: "username_taken", 409)
            }
            for number in 1...5 { #expect(try await begin("person \(number)").status == .ok, "\(number)") }
            try harness.expect(try await begin("person 6"), is: "rate_limited", 429)
            try harness.expect(try await begin("al"), is: "rate_limited", 429)
        }
    }

    // T-074
    @Test func `attack: after sixty requests for registration options an address gets 429`() async throws {
        try await Harness.run { harness in
            let body = #"{"username":"al"}"#
            for _ in 1...60 { _ = try await harness.post(Self.register + "/generate-options", body) }
            try harness.expect(
                try await harness.post(Self.register + "/generate-options", body),
                is: "rate_limited",
                429
            )
        }
    }

    @Test func `a session sees, names, adds and removes its passkeys, and no other's`() async throws {
        try await Harness.run { harness in
            let (_, answer) = try await Self.signUp(harness, "ada")
            let (ada, bob) = (HTTPFields.cookies(answer.cookie("yapt.sid=")), try await harness.signUp("bob").headers)
            func devices(_ headers: HTTPFields) async throws -> [OwnedPasskeyView] {
                try await harness.send(.get, "/api/auth/devices", headers).decode(OwnedPasskeysResponse.self).devices
            }
            let first = try #require(try await devices(ada).first)
            #expect(first.name.isEmpty && first.deviceType == "multiDevice" && first.backedUp)
            #expect(first.transports == ["internal", "hybrid"] && first.lastUsedAt == nil)
            let path = "/api/auth/devices/\(first.id)"
            try harness.expect(try await harness.send(.delete, path, ada), is: "last_passkey", 400)
            try harness.expect(try await harness.send(.delete, path, bob), is: "passkey_not_found", 404)
            let rename = HTTPFields.cookies(answer.cookie("yapt.sid=")).adding(.contentType, "application/json")
            let named = try await harness.send(.patch, path, rename, body: #"{"name":"Ada’s phone"}"#)
            #expect(named.status == .ok, "\(named.text)")
            let empty = try await harness.send(.patch, path, rename, body: #"{"name":""}"#)
            try harness.expect(empty, is: "invalid_passkey_name", 400)

            harness.time.advance(by: .seconds(1))
            let options = try await harness.send(.post, "/api/auth/add-device/generate-options", ada)
            #expect(options.status == .ok, "\(options.text)")
            let (second, response) = try harness.browser.create(options.text)
            let refused = try await harness.post("/api/auth/add-device/verify", response, bob)
            try harness.expect(refused, is: "challenge_over", 400)
            let added = try await harness.post("/api/auth/add-device/verify", response, ada)
            #expect(added.status == .ok, "\(added.text)")
            #expect(try added.decode(PasskeyAddedResponse.self).device.credentialId == second.idText)
            #expect(try await devices(ada).map(\.name) == ["Ada’s phone", ""])
            #expect(try await harness.send(.delete, path, ada).status == .ok)
            #expect(try await devices(ada).map(\.credentialId) == [second.idText])
            harness.time.advance(by: .seconds(601))
            for (method, path) in [
                (.post, "/api/auth/add-device/generate-options"), (.delete, path),
            ] as [(HTTPRequest.Method, String)] {
                try harness.expect(try await harness.send(method, path, ada), is: "step_up_required", 403)
            }
            #expect(try await devices(ada).count == 1, "looking needs no fresh sign-in")
        }
    }

    @Test func `the sample is for whoever is signed in, by cookie or by token`() async throws {
        try await Harness.run { harness in
            let path = "/api/portfolio/summary"
            try harness.expect(try await harness.send(.get, path), is: "unauthorized", 401)
            let ada = try await harness.signUp("ada")
            let summary = try await harness.send(.get, path, ada.headers).decode(PortfolioSummaryResponse.self)
            #expect(summary.user.username == "ada" && summary.passkeys == 1)
            let tokens = try await harness.signIn(ada.credential, query: "?tokens=true")
            let token = try #require(try tokens.decode(PasskeySignInResponse.self).accessToken)
            #expect(try await harness.send(.get, path, .bearing(token)).status == .ok)
        }
    }

    @Test func `a token wins over a cookie, and the two of different accounts are refused`() async throws {
        try await Harness.run { harness in
            let (ada, bob) = (try await harness.signUp("ada"), try await harness.signUp("bob"))
            let tokens = try await harness.signIn(ada.credential, query: "?tokens=true")
            let token = try #require(try tokens.decode(PasskeySignInResponse.self).accessToken)
            for (method, path) in [(.get, "/api/auth/me"), (.post, "/api/auth/logout")]
                as [(HTTPRequest.Method, String)]
            {
                let both = try await harness.send(method, path, bob.headers.bearing(token))
                try harness.expect(both, is: "invalid_request", 400)
                #expect(try await harness.who(bob.cookie) == "bob")
            }
            let own = try await harness.send(.get, "/api/auth/me", ada.headers.bearing(token))
            #expect(own.status == .ok)
            let stale = try await harness.send(.get, "/api/auth/me", ada.headers.bearing("x.y.z"))
            try harness.expect(stale, is: "unauthorized", 401)
        }
    }

    // T-104
    @Test func `signing out ends the session and takes the cookie, with nothing in the body or nothing at all`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let other = try await harness.signIn(ada.credential)
            let out = try await harness.post("/api/auth/logout", "", ada.headers)
            #expect(try out.status == .ok && out.json()["message"] is String)
            #expect(try #require(out.setCookie("yapt.sid")).contains("Max-Age=0"))
            #expect(try await harness.who(ada.cookie) == nil)
            let cookie = try #require(other.cookie("yapt.sid="))
            #expect(try await harness.who(cookie) == "ada", "another browser's session stands")
            let third = try #require(try await harness.signIn(ada.credential).cookie("yapt.sid="))
            let everywhere = try await harness.send(.post, "/api/auth/logout?revokeAll=true", .cookies(cookie))
            #expect(everywhere.status == .ok)
            #expect(try await harness.who(third) == nil)
            #expect(try await harness.send(.post, "/api/auth/logout").status == .ok, "without a session too")
        }
    }

    // T-104
    @Test func `a browser's session ends when it is idle, and at its end however busy it is`() async throws {
        try await Harness.run { settings in
            settings.passkeys.sessions.idle = .seconds(3600)
            settings.passkeys.sessions.lifetime = .seconds(9000)
        } _: { harness in
            let ada = try await harness.signUp("ada")
            for _ in 0..<4 {
                harness.time.advance(by: .seconds(2000))
                #expect(try await harness.who(ada.cookie) == "ada")
            }
            harness.time.advance(by: .seconds(1001))
            #expect(try await harness.who(ada.cookie) == nil, "2 h 30 min since the sign-in")
            let idle = try #require(try await harness.signIn(ada.credential).cookie("yapt.sid="))
            harness.time.advance(by: .seconds(3600))
            #expect(try await harness.who(idle) == nil)
        }
    }

    // T-209
    @Test func `attack: the database holds no session cookie, challenge or challenge id in clear`() async throws {
        try await Harness.run(storage: .sqlite) { harness in
            let ada = try await harness.signUp("ada")
            let secret = String(ada.cookie.dropFirst("yapt.sid=".count))
            let options = try await harness.signInOptions("ada")
            let challenge = try #require(try options.json()["challenge"] as? String)
            let id = try #require(try options.json()["challengeId"] as? String)
            let bytes = try Data(contentsOf: URL(filePath: harness.settings.storage.sqlite.path))
            let wal = (try? Data(contentsOf: URL(filePath: harness.settings.storage.sqlite.path + "-wal"))) ?? Data()
            for text in [secret, challenge, id] {
                let needles = [Data(text.utf8), Data(Base64URL.decode(text) ?? [])].filter { !$0.isEmpty }
                for needle in needles {
                    #expect(bytes.range(of: needle) == nil && wal.range(of: needle) == nil)
                }
            }
        }
    }
}
