import CodeFlow
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Settings
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI

/// What is done to bring cards into the wrong wallet, and browsers to the wrong place.
struct BankEnrollmentAttackTests {
    /// A page that leads nowhere, and says so.
    private static func expectPage(
        _ response: TestResponse,
        _ code: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status == .badRequest, sourceLocation: sourceLocation)
        #expect(response.headers[.location] == nil, sourceLocation: sourceLocation)
        #expect(response.pageCode == code, "\(response.text)", sourceLocation: sourceLocation)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8", sourceLocation: sourceLocation)
    }

    // RFC 8252 §8.1, RFC 9700 §4.1.3: addresses are compared whole.
    // T-034
    @Test(arguments: [
        "mwsim://enrollment/callback.evil", "mwsim://enrollment/callback/../evil", "mwsim://enrollment/callback/",
        "mwsim://enrollment/callback?x=1", "mwsim://enrollment/callback#x", "mwsim://enrollment/callback%00",
        "mwsim://evil/callback", "mwsim://evil@enrollment/callback", "mwsim://enrollment:1/callback",
        "MWSIM://enrollment/callback", "mwsim://enrollment/Callback", "mwsim:/enrollment/callback",
        "mwsim://enrollment",
        " mwsim://enrollment/callback", "mwsim://enrollment/callback ", "https://evil.example.net/enrollment/callback",
        "javascript:alert(1)//mwsim://enrollment/callback", "evil://enrollment/callback", "", "*",
    ])
    func `attack: an enrolment refuses a deep link that the config does not list`(_ link: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let path = "/api/mobile/enrollment/start/eb"
            let refused = try await harness.post(path, #"{"deepLink":"\#(link)"}"#, ada.bearer)
            try harness.expect(refused, is: "deep_link_not_allowed", 400)
            #expect(!refused.text.contains("bank.example.com"))
        }
    }

    @Test func `an enrolment returns to the listed deep link that was named, or to the first`() async throws {
        try await Harness.run {
            $0.wallet.deepLinks = ["mwsim://enrollment/callback", "com.example.wallet://banks"]
        } _: { harness in
            let ada = try await harness.phone()
            let named = try await harness.startInApp(ada, deepLink: "com.example.wallet://banks")
            let back = try await harness.comeBack(named, "error=access_denied")
            #expect(back.headers[.location]?.hasPrefix("com.example.wallet://banks?success=false&") == true)
            let usual = try await harness.comeBack(try await harness.startInApp(ada))
            #expect(usual.appOutcome?["success"] == "true")
        }
    }

    // T-034
    @Test func `attack: an enrolment callback with an unknown state shows a page and follows no deep link`()
        async throws
    {
        try await Harness.run { harness in
            let path = "\(Harness.enrollment)/callback/eb"
            let guess = String(repeating: "A", count: 43)
            for query in [
                "", "?code=c", "?state=", "?state=\(guess)", "?code=c&state=\(guess)", "?error=access_denied&state=x",
                "?error=access_denied", "?code=c&state=\(guess)&deepLink=mwsim://enrollment/callback",
                "?code=c&state=\(String(repeating: "A", count: 5000))",
            ] {
                Self.expectPage(try await harness.send(.get, path + query), "unknown")
            }
            #expect(harness.bank.redeemed.isEmpty)
        }
    }

    // RFC 9700 §4.4: what one bank was asked no other one answers.
    // T-152, T-153
    @Test func `attack: a callback at another bank uses up the state and redeems no code`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInApp(ada)
            Self.expectPage(try await harness.comeBack(link, at: "ob"), "other_bank")
            #expect(try await harness.comeBack(link).appOutcome?["error"] == "state_used")
            #expect(harness.bank.redeemed.isEmpty)
            #expect(try await harness.cards(ada).isEmpty)
        }
    }

    // RFC 9207 §2.4.
    // T-153
    @Test func `attack: a callback with a missing or another issuer redeems no code`() async throws {
        try await Harness.run {
            $0.banks["eb"]?.server.issuer = "https://bank.example.com"
        } _: { harness in
            let ada = try await harness.phone()
            for issuer in ["", "&iss=https%3A%2F%2Fevil.example.net", "&iss=https%3A%2F%2Fbank.example.com%2F"] {
                let link = try await harness.startInApp(ada)
                Self.expectPage(try await harness.comeBack(link, "code=c\(issuer)"), "other_issuer")
            }
            #expect(harness.bank.redeemed.isEmpty)
            let good = try await harness.startInApp(ada)
            let back = try await harness.comeBack(good, "code=c&iss=https%3A%2F%2Fbank.example.com")
            #expect(back.appOutcome?["success"] == "true")
        }
    }

    // RFC 9700 §4.7.
    // T-151
    @Test func `attack: an enrolment link opened in another browser adds no cards and uses up its state`() async throws
    {
        try await Harness.run { harness in
            let eve = try await harness.signUp("eve")
            let other = try await harness.startInBrowser(eve.headers)
            let guess = "vst_enroll=" + String(repeating: "A", count: 43)
            for cookie in [nil, guess] as [String?] {
                let link = try await harness.startInBrowser(eve.headers, "?mobile=true")
                Self.expectPage(try await harness.comeBack(link, with: .cookies(cookie)), "other_browser")
                let after = try await harness.comeBack(link)
                #expect(after.appOutcome?["error"] == "state_used", "it was in the wrong hands")
            }
            let link = try await harness.startInBrowser(eve.headers, "?mobile=true")
            Self.expectPage(try await harness.comeBack(link, with: .cookies(other.cookie)), "other_browser")
            // Two of a name, one injected by a site beside this one: neither counts.
            let twice = try await harness.startInBrowser(eve.headers)
            Self.expectPage(try await harness.comeBack(twice, with: .cookies(twice.cookie, guess)), "other_browser")
            #expect(harness.bank.redeemed.isEmpty)
        }
    }

    // RFC 9700 §4.7: the victim's browser is signed in to the victim's own account.
    // T-151
    @Test func `attack: an enrolment's callback in a browser with another account's session adds no cards`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, victim) = (try await harness.phone(), try await harness.signUp("victim"))
            let link = try await harness.startInApp(ada)
            Self.expectPage(try await harness.comeBack(link, with: victim.headers), "other_account")
            #expect(try await harness.comeBack(link).appOutcome?["error"] == "state_used")
            let eve = try await harness.signUp("eve")
            let own = try await harness.startInBrowser(eve.headers)
            let back = try await harness.comeBack(own, with: .cookies(own.cookie, victim.cookie))
            Self.expectPage(back, "other_account")
            #expect(harness.bank.redeemed.isEmpty)
            let good = try await harness.startInBrowser(eve.headers)
            #expect(try await harness.comeBack(good, with: .cookies(good.cookie, eve.cookie)).status == .ok)
        }
    }

    // T-047
    @Test func `attack: a cross-site page can't send a signed-in browser to a bank`() async throws {
        try await Harness.run { harness in
            let (eve, ada) = (try await harness.signUp("eve"), try await harness.phone())
            let path = "\(Harness.enrollment)/start/eb?mobile=true"
            for site in ["cross-site", "same-site"] {
                let refused = try await harness.send(.get, path, eve.headers.adding(.fetchSite, site))
                #expect(refused.status == .forbidden && refused.headers[.location] == nil)
                #expect(refused.setCookie("vst_enroll") == nil && refused.text.contains("Another site sent you here"))
                // A token no browser adds by itself.
                let app = try await harness.send(.get, path, ada.bearer.adding(.fetchSite, site))
                #expect(app.status == .seeOther)
            }
            for site in ["same-origin", "none"] {
                let sent = try await harness.send(.get, path, eve.headers.adding(.fetchSite, site))
                #expect(sent.status == .seeOther)
            }
        }
    }

    // T-152
    @Test func `attack: a second callback redeems no code, and of eight concurrent callbacks one redeems`() async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInApp(ada)
            #expect(try await harness.comeBack(link).appOutcome?["success"] == "true")
            let again = try await harness.comeBack(link, "code=stolen")
            #expect(again.appOutcome?["error"] == "state_used" && again.appOutcome?["success"] == "false")
            #expect(harness.bank.redeemed.map(\.code) == ["bank-code-1"])
            let raced = try await harness.startInApp(ada, at: "ob")
            let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let back = try await harness.comeBack(raced, "code=raced-\(number)", at: "ob")
                        return back.appOutcome?["error"] ?? back.appOutcome?["success"]
                    }
                }
                var outcomes: [String] = []
                for try await outcome in group { outcomes.append(outcome ?? "-") }
                return outcomes.sorted()
            }
            #expect(outcomes == Array(repeating: "state_used", count: 7) + ["true"])
            #expect(harness.bank.redeemed.count == 2)
            #expect(try await harness.cards(ada).count == 4)
        }
    }

    // T-152
    @Test func `attack: a callback sent by another account adds the cards to the account that started the enrolment`()
        async throws
    {
        try await Harness.run { harness in
            let (ada, bob) = (try await harness.phone(), try await harness.phone("bob@example.com", Harness.otherPhone))
            let link = try await harness.startInApp(ada)
            let back = try await harness.comeBack(link, with: bob.bearer)
            #expect(back.appOutcome?["success"] == "true")
            #expect(try await harness.cards(bob).isEmpty)
            #expect(try await harness.cards(ada).count == 2)
        }
    }

    // T-217
    @Test(arguments: HarnessStorage.databases)
    func `attack: the log contains no bank code, state or bank token, also after failures`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) {
            $0.log.access = true
            $0.wallet.confirmEnrollment = true
        } _: { harness in
            let ada = try await harness.phone()
            let (good, bad, late) = (
                try await harness.startInApp(ada), try await harness.startInApp(ada), try await harness.startInApp(ada)
            )
            let page = try await harness.comeBack(good, "code=secret-code-1")
            let token = try #require(page.questionToken)
            #expect(try await harness.press(token).appOutcome?["success"] == "true")
            harness.bank.fail(with: .refused(cause: "invalid_grant"))
            try await harness.comeBack(bad, "code=secret-code-2")
            try harness.composition.stores.upkeep.close()
            let down = try await harness.comeBack(late, "code=secret-code-3")
            #expect(down.status.kind == .serverError && down.text.contains("<h1>"))
            let verifiers = harness.bank.redeemed.map(\.verifier)
            let secrets = [
                "secret-code-1", "secret-code-2", "secret-code-3", good.state, bad.state, late.state, token,
                "bank-access-", "bank-refresh-",
            ]
            #expect(verifiers.count == 2)
            let callbacks = harness.log.requests.filter { $0.text.contains("/api/enrollment/callback/{bsimId}") }
            #expect(callbacks.count == 3)
            for line in harness.log.lines {
                for secret in secrets + verifiers { #expect(!line.text.contains(secret), "\(line.text)") }
            }
        }
    }

    // T-156
    @Test func `attack: a bank's card list with a card number as its reference is refused, and not kept or logged`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            try await harness.enroll(ada)
            let number = "4000056655665556"
            harness.bank.lists([BankCard(reference: number, lastFour: "5556", network: "VISA")])
            let synced = try await harness.post("/api/mobile/wallet/banks/eb/sync", "", ada.bearer)
            try harness.expect(synced, is: "bank_unavailable", 502)
            let back = try await harness.comeBack(try await harness.startInApp(ada, at: "ob"), at: "ob")
            #expect(back.appOutcome?["error"] == "bank_unavailable")
            #expect(try await harness.cards(ada).map(\.lastFour).sorted() == ["1111", "4242"])
            let told = harness.log.lines.filter { $0.text.contains("a card number in the place of a token reference") }
            #expect(told.count == 2)
            for line in harness.log.lines { #expect(!line.text.contains(number), "\(line.level)") }
        }
    }

    // T-152, T-250
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: after 200 callbacks with guessed states an address gets a page with 429 and Retry-After`()
        async throws
    {
        try await Harness.run { harness in
            let path = "\(Harness.enrollment)/callback/eb?code=c&state="
            for number in 0..<200 { try await harness.send(.get, path + "\(number)") }
            let busy = try await harness.send(.get, path + "x")
            #expect(busy.status == .tooManyRequests && busy.headers[.retryAfter] == "1")
            #expect(busy.headers[.contentType] == "text/html; charset=utf-8")
            harness.time.advance(by: .seconds(1))
            Self.expectPage(try await harness.send(.get, path + "x"), "unknown")
        }
    }
}
