import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Settings
import SoftwareAuthenticator
import Storage
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A device without a browser gets its tokens (RFC 8628).
struct DeviceFlowTests {
    @Test func `a device gets its codes, in an answer that nobody keeps`() async throws {
        try await DeviceFixture.run { fixture in
            let answer = try await fixture.ask()
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(answer.headers[.cacheControl] == "no-store" && answer.headers[.named("Pragma")] == "no-cache")
            let codes = try answer.decode(DeviceFixture.Codes.self)
            #expect(codes.deviceCode.utf8.count == 43 && codes.expiresIn == 600 && codes.interval == 5)
            let url = fixture.harness.settings.publicURL
            #expect(codes.verificationURI == "\(url)/device")
            #expect(codes.verificationURIComplete == "\(url)/device?user_code=\(codes.userCode)")
            #expect(codes.userCode.wholeMatch(of: #/[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/#) != nil)
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a person reads who asks for what, says yes, and the device gets its tokens once`(
        _ storage: HarnessStorage
    ) async throws {
        try await DeviceFixture.run(storage: storage) { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            #expect(try await fixture.refusal(codes) == "authorization_pending")
            let prefilled = try await fixture.load("?user_code=\(codes.userCode)", ada.cookie)
            #expect(prefilled.status == .ok && prefilled.text.contains(#"value="\#(codes.userCode)""#))
            let typed = codes.userCode.lowercased().replacing("-", with: " ")
            let page = try await fixture.press([("user_code", typed)], ada.cookie)
            #expect(page.status == .ok && page.text.contains(">\(codes.userCode)</p>"), "\(page.text)")
            #expect(page.text.contains("Let The tv &amp; more use your account?"))
            #expect(page.text.contains("use “films”") && page.text.contains("<dd dir=\"auto\">ada</dd>"))
            #expect(page.text.contains("less than a minute ago") && page.text.contains("is not run by the operator"))
            let done = try await fixture.press(DeviceFixture.fields(of: page) + [("decision", "allow")], ada.cookie)
            #expect(done.status == .ok && done.text.contains("The device is let in"), "\(done.text)")
            fixture.harness.time.advance(by: .seconds(5))
            let tokens = try await fixture.poll(codes.deviceCode).decode(TokensOfTest.self)
            #expect(tokens.scope == "films offline_access openid" && tokens.refreshToken != nil)
            let claims = try TokenFixture.claims(tokens.idToken)
            #expect(claims["acr"] as? String == "passkey" && claims["aud"] as? String == "tv")
            fixture.harness.time.advance(by: .seconds(5))
            #expect(try await fixture.refusal(codes) == "invalid_grant")
        }
    }

    @Test func `attack: a device code allowed by a sign-in that is disowned afterwards polls access_denied`()
        async throws
    {
        try await DeviceFixture.run { fixture in
            let (harness, owner) = (fixture.harness, try await fixture.harness.signIn())
            let outsider = try await harness.signIn()
            let held = try await harness.send(.post, "/api/auth/web-session", outsider.bearer)
            let browser = try #require(held.cookie("yapt.sid"))
            let (codes, other) = (try await fixture.begin(), try await fixture.begin())
            let done = try await fixture.decide(codes.userCode, "allow", browser)
            #expect(done.text.contains("The device is let in"), "\(done.text)")
            let own = try await harness.send(.post, "/api/auth/web-session", owner.bearer)
            _ = try await fixture.decide(other.userCode, "allow", try #require(own.cookie("yapt.sid")))
            #expect(try await harness.disown(harness.row(outsider.login), owner).status == .ok)
            for _ in 1...2 {
                #expect(try await fixture.refusal(codes) == "access_denied")
                harness.time.advance(by: .seconds(5))
            }
            #expect(try await fixture.refusal(other) == nil, "the owner's own stays")
        }
    }

    @Test func `a person says no, and the device gets nothing`() async throws {
        try await DeviceFixture.run { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            let done = try await fixture.decide(codes.userCode, "deny", ada.cookie)
            #expect(done.text.contains("The device is not let in"), "\(done.text)")
            #expect(try await fixture.refusal(codes) == "access_denied")
            let late = try await fixture.press([("user_code", codes.userCode)], ada.cookie)
            #expect(late.status == .badRequest && late.text.contains("No device waits with this code."))
        }
    }

    @Test func `who is not signed in does that first, at the page that needs no scripts, and comes back to the code`()
        async throws
    {
        try await DeviceFixture.run { fixture in
            let codes = try await fixture.begin()
            let page = try await fixture.load("?user_code=\(codes.userCode)", nil)
            #expect(page.status == .ok && page.text.contains(#"<form id="sign-in" method="post" action="device">"#))
            #expect(page.headers[.setCookie] == nil, "GET begins nothing")
            let sent = try await fixture.press([("user_code", codes.userCode)], nil)
            #expect(sent.status == .seeOther, "\(sent.text)")
            let place = try #require(sent.headers[.location])
            let cookie = try #require(sent.cookie("vst_oauth="))
            #expect(place.hasPrefix("oauth/sign-in/"))
            let choice = try await fixture.send(.get, "/" + place, [.cookie: cookie])
            #expect(choice.status == .ok && choice.text.contains(#"<form id="ask" method="post""#), "\(choice.text)")
            #expect(choice.text.contains("Sign in to Vestibule"))
        }
    }

    // O-112
    @Test func `attack: a user code is not in the database, also when its person has to sign in first`() async throws {
        try await DeviceFixture.run(storage: .sqlite) { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            let sent = try await fixture.press([("user_code", codes.userCode)], nil)
            let page = "/" + (try #require(sent.headers[.location]))
            let cookie = try #require(sent.cookie("vst_oauth="))
            let ownPage: HTTPFields = [.cookie: cookie, .fetchSite: "same-origin"]
            let options = try await fixture.form(page + "/passkey/options", [], ownPage)
            let shown = try fixture.harness.browser.get(options.text, with: ada.credential)
            let signedIn = try await fixture.send(
                .post,
                page + "/passkey",
                ownPage.adding(.contentType, "application/json"),
                body: shown
            )
            let session = try #require(signedIn.sessionCookies, "\(signedIn.text)")
            let back = try await fixture.send(.get, page, [.cookie: "\(cookie); \(session)"])
            let address = try #require(back.headers[.location], "\(back.text)")
            #expect(!address.contains(codes.userCode))

            // Interaction and code both hold the address that it came back by (RFC 8628 §5.1).
            let file = fixture.harness.settings.storage.sqlite.path
            let bytes = try Data(contentsOf: URL(filePath: file))
            let wal = (try? Data(contentsOf: URL(filePath: file + "-wal"))) ?? Data()
            let place = Data("/device?carried=".utf8)
            #expect(bytes.range(of: place) != nil || wal.range(of: place) != nil, "the test looks where it would stand")
            for text in [codes.userCode, codes.userCode.replacing("-", with: "")] {
                let needle = Data(text.utf8)
                #expect(bytes.range(of: needle) == nil && wal.range(of: needle) == nil)
            }

            let query = try #require(address.firstMatch(of: #/^[^?]*\/device(\?.*)$/#)).1
            let filled = try await fixture.load(String(query), "\(cookie); \(session)")
            #expect(filled.text.contains(#"required autofocus value="\#(codes.userCode)""#), "\(filled.text)")
            // In another browser it fills in nothing.
            let other = fixture.harness.composition.environment.newSecret().expose()
            let empty = try await fixture.load(String(query), "vst_oauth=\(other); \(session)")
            #expect(empty.status == .ok && !empty.text.contains(codes.userCode))
        }
    }

    // O-116, O-117
    @Test func `a client with a secret shows it, and its codes are nobody else's`() async throws {
        try await DeviceFixture.run { fixture in
            let unshown = try await fixture.ask([("client_id", "box"), ("scope", "openid")])
            #expect(unshown.status == .unauthorized)
            #expect(try unshown.json()["error"] as? String == "invalid_client")
            let (codes, ada) = (try await fixture.begin("own"), try await fixture.harness.signUp("ada"))
            _ = try await fixture.decide(codes.userCode, "allow", ada.cookie)
            for outsider in ["tv", "box"] {
                #expect(try await fixture.refusal(codes, as: outsider) == "invalid_grant", "\(outsider)")
            }
            #expect(try await fixture.refusal(codes, as: "own") == nil, "nobody burnt it")
        }
    }

    // O-119
    @Test(
        arguments: [
            ("unauthorized_client", [("client_id", "app")]),
            ("invalid_scope", [("client_id", "tv"), ("scope", "admin")]),
            ("invalid_target", [("client_id", "tv"), ("resource", "https://evil.example.net")]),
            ("invalid_client", [("client_id", "nobody")]),
            ("invalid_request", [("client_id", "tv"), ("client_id", "own")]),
        ] as [(String, [(String, String)])]
    )
    func `attack: a device authorization request beyond the client's rights is refused with the OAuth error`(
        _ code: String,
        _ fields: [(String, String)]
    ) async throws {
        try await DeviceFixture.run { fixture in
            let answer = try await fixture.ask(fields)
            #expect(answer.status == (code == "invalid_client" ? .unauthorized : .badRequest))
            #expect(try answer.json()["error"] as? String == code, "\(answer.text)")
        }
    }

    // MARK: Pace

    // O-118
    @Test func `a device that keeps its interval, give or take a fifth, is never told to slow down`() async throws {
        try await DeviceFixture.run { fixture in
            let codes = try await fixture.begin()
            var random = SeededRandom(seed: 28)
            for round in 0..<100 {
                #expect(try await fixture.refusal(codes) == "authorization_pending", "round \(round)")
                fixture.harness.time.advance(by: .milliseconds(4000 + random.below(2001)))
            }
        }
    }

    // O-118
    @Test func `a device that polls too fast is told so, and goes on as soon as it slows down`() async throws {
        try await DeviceFixture.run { fixture in
            let codes = try await fixture.begin()
            var told: [String?] = []
            for _ in 0..<10 {
                told.append(try await fixture.refusal(codes))
                fixture.harness.time.advance(by: .seconds(1))
            }
            #expect(told.contains("slow_down") && told.contains("authorization_pending"), "\(told)")
            fixture.harness.time.advance(by: .seconds(9))
            #expect(try await fixture.refusal(codes) == "authorization_pending")
            let ada = try await fixture.harness.signUp("ada")
            _ = try await fixture.decide(codes.userCode, "allow", ada.cookie)
            fixture.harness.time.advance(by: .seconds(10))
            #expect(try await fixture.refusal(codes) == nil)
        }
    }

    @Test func `attack: polls with another client or guessed device codes do not slow a device's own poll down`()
        async throws
    {
        try await DeviceFixture.run { fixture in
            let codes = try await fixture.begin()
            for number in 0..<50 {
                _ = try await fixture.refusal(codes, as: "own")
                _ = try await fixture.poll("guess-\(number)")
            }
            #expect(try await fixture.refusal(codes) == "authorization_pending")
        }
    }

    // O-117
    @Test func `attack: a hundred concurrent polls with one device code give one grant`() async throws {
        try await DeviceFixture.run { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            _ = try await fixture.decide(codes.userCode, "allow", ada.cookie)
            let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 { group.addTask { try await fixture.refusal(codes) == nil } }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(granted == 1)
        }
    }
}
