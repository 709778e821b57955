import HTTPTypes
import HummingbirdCore
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import OAuth
import Operations
import Testing
import Web

@testable import Assembly
@testable import HTTPAPI

/// The page where people let devices in, and what is done to trick them there.
struct DevicePageTests {
    @Test(arguments: LocalizedStrings.builtIn.map(\.language))
    func `every page is in the language that was asked for`(_ language: String) throws {
        let texts = try #require(LocalizedStrings.builtIn.first { $0.language == language })
        let pages = DevicePages()
        let all = [
            pages.signIn("WDJB-MJHT", in: texts), pages.ask("", in: texts), pages.ask("X", isWrong: true, in: texts),
            pages.notice(.allowed("TV"), in: texts), pages.notice(.denied("TV"), in: texts),
            pages.notice(.busy, in: texts), pages.notice(.tooManyTries, in: texts), pages.notice(.crossSite, in: texts),
            pages.notice(.serverDown, in: texts),
            pages.notice(.serverFault, in: texts),
        ]
        for page in all {
            #expect(page.headers[.contentLanguage] == language)
            #expect(page.headers[.contentSecurityPolicy] == SitePages.policy)
        }
    }

    // O-018
    @Test func `the page works without scripts, and loads the site's style and icon alone`() async throws {
        try await DeviceFixture.run { fixture in
            let ada = try await fixture.harness.signUp("ada")
            let visits: [(String, String?)] = [("", nil), ("", ada.cookie), ("?user_code=WDJB-MJHT", ada.cookie)]
            for (query, cookie) in visits {
                let page = try await fixture.load(query, cookie)
                #expect(page.status == .ok && !page.text.contains("<script") && !page.text.contains("{{"))
                #expect(page.headers[.cacheControl] == "no-store" && page.headers[.referrerPolicy] == "same-origin")
                for file in page.text.matches(of: #/href="(assets\/[^"]+)"/#).map({ "/" + $0.1 }) {
                    #expect(try await fixture.harness.send(.get, file).status == .ok, "\(file)")
                }
                #expect(page.text.contains("they want to get into your account"), "the warning stands on each")
            }
            #expect(try await fixture.send(.get, "/device/", .cookies(ada.cookie)).status == .notFound)
            let head = try await fixture.send(.head, "/device")
            #expect(head.status == .ok && head.body.readableBytes == 0)
        }
    }

    // O-111, O-113
    @Test func `attack: the device page's link alone, with any query, allows no device`() async throws {
        try await DeviceFixture.run { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            for query in ["", "&decision=allow", "&decision=allow&as=\(codes.userCode)"] {
                let page = try await fixture.load("?user_code=\(codes.userCode)" + query, ada.cookie)
                #expect(page.status == .ok && !page.text.contains(#"id="allow""#), "it does not even look the code up")
            }
            #expect(try await fixture.refusal(codes) == "authorization_pending")
        }
    }

    // T-035, O-115
    @Test func `attack: a cross-site POST of the device page gets 403 and allows no device`() async throws {
        try await DeviceFixture.run { fixture in
            let (codes, ada) = (try await fixture.begin(), try await fixture.harness.signUp("ada"))
            let page = try await fixture.press([("user_code", codes.userCode)], ada.cookie)
            let fields = try DeviceFixture.fields(of: page) + [("decision", "allow")]
            for headers in [
                [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.example.net"],
                [.origin: "null"],
            ] as [HTTPFields] {
                #expect(try await fixture.press(fields, ada.cookie, headers).status == .forbidden, "\(headers)")
            }
            #expect(try await fixture.refusal(codes) == "authorization_pending")
            #expect(try await fixture.press(fields, ada.cookie).status == .ok)
        }
    }

    // T-035, O-115
    @Test func `attack: allowing a device without its page, or with another account's page, shows the page first`()
        async throws
    {
        try await DeviceFixture.run { fixture in
            let codes = try await fixture.begin()
            let (ada, eve) = (try await fixture.harness.signUp("ada"), try await fixture.harness.signUp("eve"))
            let page = try await fixture.press([("user_code", codes.userCode)], eve.cookie)
            let evil = try DeviceFixture.fields(of: page) + [("decision", "allow")]
            for fields in [evil, [("user_code", codes.userCode), ("decision", "allow")]] {
                let asked = try await fixture.press(fields, ada.cookie)
                #expect(asked.text.contains(#"id="allow""#) && asked.text.contains("<dd dir=\"auto\">ada</dd>"))
            }
            fixture.harness.time.advance(by: .seconds(5))
            #expect(try await fixture.refusal(codes) == "authorization_pending")
        }
    }

    // O-114
    @Test func `attack: a sign-in over ten minutes old allows no device and is sent to sign in again`() async throws {
        try await DeviceFixture.run { fixture in
            let ada = try await fixture.harness.signUp("ada")
            fixture.harness.time.advance(by: .seconds(599))
            let codes = try await fixture.begin()
            let page = try await fixture.press([("user_code", codes.userCode)], ada.cookie)
            let fields = try DeviceFixture.fields(of: page) + [("decision", "allow")]
            fixture.harness.time.advance(by: .seconds(1))
            let sent = try await fixture.press(fields, ada.cookie)
            #expect(sent.status == .seeOther && sent.headers[.location]?.hasPrefix("oauth/sign-in/") == true)
            #expect(try await fixture.load("", ada.cookie).text.contains(#"<form id="sign-in""#))
            #expect(try await fixture.refusal(codes) == "authorization_pending")
        }
    }

    // O-108
    @Test func `a right code costs no guess, however often its page is asked for, and a used one does`() async throws {
        try await DeviceFixture.run { fixture in
            let ada = try await fixture.harness.signUp("ada")
            let tries = DeviceFlowPolicy.triesPerAccount.burst
            for _ in 0..<2 {
                let codes = try await fixture.begin()
                var page = try await fixture.press([("user_code", codes.userCode)], ada.cookie)
                for _ in 0..<tries {
                    page = try await fixture.press([("user_code", codes.userCode)], ada.cookie)
                    #expect(page.status == .ok)
                }
                let word = try DeviceFixture.fields(of: page) + [("decision", "allow")]
                #expect(try await fixture.press(word, ada.cookie).status == .ok)
            }
            for _ in 0..<tries {
                #expect(try await fixture.press([("user_code", "BBBB-BBBB")], ada.cookie).status == .badRequest)
            }
            #expect(try await fixture.press([("user_code", "BBBB-BBBB")], ada.cookie).status == .tooManyRequests)
        }
    }

    // O-108
    @Test func `attack: an account that guesses user codes gets 429, also for a right one, until 150 seconds later`()
        async throws
    {
        try await DeviceFixture.run { fixture in
            let codes = try await fixture.begin()
            let eve = try await fixture.harness.signUp("eve")
            func guess(_ cookie: String) async throws -> TestResponse {
                try await fixture.press([("user_code", "BBBB-BBBB")], cookie)
            }
            for _ in 0..<DeviceFlowPolicy.triesPerAccount.burst {
                let answer = try await guess(eve.cookie)
                #expect(answer.status == .badRequest && answer.text.contains("No device waits with this code."))
            }
            let stopped = try await guess(eve.cookie)
            #expect(stopped.status == .tooManyRequests && stopped.headers[.retryAfter] == "150", "\(stopped.text)")
            #expect(stopped.text.contains("You have tried too many codes.") && !stopped.text.contains("sign-ins"))
            let right = try await fixture.press([("user_code", codes.userCode)], eve.cookie)
            #expect(right.status == .tooManyRequests, "the right one is told nothing else")
            let unlikely = try await fixture.press([("user_code", "AEIOU")], eve.cookie)
            #expect(unlikely.status == .badRequest, "what can't be a code is not counted")
            #expect(fixture.harness.composition.service.limiterRefusals["user_codes"] == 2)

            let ada = try await fixture.harness.signUp("ada")
            #expect(try await fixture.press([("user_code", codes.userCode)], ada.cookie).status == .ok)
            fixture.harness.time.advance(by: .seconds(150))
            #expect(try await guess(eve.cookie).status == .badRequest, "one more after a while")
        }
    }

    // O-108
    @Test func `attack: unknown, answered and expired user codes get the same page`() async throws {
        try await DeviceFixture.run { fixture in
            let (answered, expired) = (try await fixture.begin(), try await fixture.begin())
            let first = try await fixture.harness.signUp("ada")
            _ = try await fixture.decide(answered.userCode, "deny", first.cookie)
            fixture.harness.time.advance(by: .seconds(600))
            let eve = try await fixture.harness.signUp("eve")
            var pages: Set<String> = []
            for code in [answered.userCode, expired.userCode, "BBBB-BBBB"] {
                let page = try await fixture.press([("user_code", code)], eve.cookie)
                #expect(page.status == .badRequest)
                pages.insert(page.text.replacing(code, with: "CODE"))
            }
            #expect(pages.count == 1)
        }
    }

    // T-192
    @Test func `attack: the 61st device authorization request of an address gets 429 with Retry-After`() async throws {
        try await DeviceFixture.run { fixture in
            for _ in 0..<60 { _ = try await fixture.begin() }
            let refused = try await fixture.ask()
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "5", "\(refused.text)")
        }
    }

    // O-111
    @Test func `what a client calls itself is text on the page, and where it asks from is said beside it`() throws {
        let client = OAuthClient(
            id: "tv",
            name: #"<b>"&'{{code}}"#,
            origin: .registered,
            authentication: .none,
            access: OAuthClient.Access(grants: [.deviceCode], scopes: ScopeSet(["openid"]), audience: "tv")
        )
        func page(_ isSame: Bool?, _ address: String) -> String {
            let question = DevicePages.Question(
                code: "WDJB-MJHT",
                client: client,
                access: RequestedAccess(
                    clientID: "tv",
                    scopes: ScopeSet(["openid", "films"]),
                    resources: ["https://api.example.com"]
                ),
                origin: .init(address: address, agent: ""),
                isSameNetwork: isSame,
                age: .seconds(125),
                person: "<i>ada</i>",
                mark: "m"
            )
            return DevicePages().markup(of: question, in: .english)
        }
        let near = page(true, "192.0.2.7")
        #expect(!near.contains("<b>") && !near.contains("<i>") && near.contains("&lt;b&gt;"))
        #expect(near.contains("192.0.2.7, the network that you are on") && near.contains("2 min ago"))
        #expect(near.contains("act for you at https://api.example.com") && !near.contains("With</dt>"))
        #expect(page(false, "2001:db8::1").contains("2001:db8::1, not the network that you are on"))
        #expect(!page(nil, "").contains("Started from"), "an unknown place is left out")
        #expect(page(true, "192.168.1.20").contains("your local network"))
        #expect(page(false, "192.168.1.20").contains("192.168.1.20, not the network that you are on"))
    }
}
