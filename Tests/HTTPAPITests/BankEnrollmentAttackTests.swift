import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Settings
import Storage
import Testing
import Wallet
import Wire

@testable import HTTPAPI
@testable import Vestibule

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
    @Test(arguments: [
        "mwsim://enrollment/callback.evil", "mwsim://enrollment/callback/../evil", "mwsim://enrollment/callback/",
        "mwsim://enrollment/callback?x=1", "mwsim://enrollment/callback#x", "mwsim://enrollment/callback%00",
        "mwsim://evil/callback", "mwsim://evil@enrollment/callback", "mwsim://enrollment:1/callback",
        "MWSIM://enrollment/callback", "mwsim://enrollment/Callback", "mwsim:/enrollment/callback",
        "mwsim://enrollment",
        " mwsim://enrollment/callback", "mwsim://enrollment/callback ", "https://evil.example.net/enrollment/callback",
        "javascript:alert(1)//mwsim://enrollment/callback", "evil://enrollment/callback", "", "*",
    ])
    func `attack: no other address than a listed one is led to`(_ link: String) async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            let path = "/api/mobile/enrollment/start/eb"
            let refused = try await bench.post(path, #"{"deepLink":"\#(link)"}"#, ada.bearer)
            try bench.expect(refused, is: "deep_link_not_allowed", 400)
            #expect(!refused.text.contains("bank.example.com"))
        }
    }

    @Test func `a listed address is led to, the first one where none is named`() async throws {
        try await Bench.run {
            $0.wallet.deepLinks = ["mwsim://enrollment/callback", "com.example.wallet://banks"]
        } _: { bench in
            let ada = try await bench.phone()
            let named = try await bench.startInApp(ada, deepLink: "com.example.wallet://banks")
            let back = try await bench.comeBack(named, "error=access_denied")
            #expect(back.headers[.location]?.hasPrefix("com.example.wallet://banks?success=false&") == true)
            let usual = try await bench.comeBack(try await bench.startInApp(ada))
            #expect(usual.appOutcome?["success"] == "true")
        }
    }

    @Test func `attack: a state that nobody remembers leads to a page, whatever comes with it`() async throws {
        try await Bench.run { bench in
            let path = "\(Bench.enrollment)/callback/eb"
            let guess = String(repeating: "A", count: 43)
            for query in [
                "", "?code=c", "?state=", "?state=\(guess)", "?code=c&state=\(guess)", "?error=access_denied&state=x",
                "?error=access_denied", "?code=c&state=\(guess)&deepLink=mwsim://enrollment/callback",
                "?code=c&state=\(String(repeating: "A", count: 5000))",
            ] {
                Self.expectPage(try await bench.send(.get, path + query), "unknown")
            }
            #expect(bench.bank.redeemed.isEmpty)
        }
    }

    // RFC 9700 §4.4: what one bank was asked no other one answers.
    @Test func `attack: another bank's callback uses the state up, and redeems nothing`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            let visit = try await bench.startInApp(ada)
            Self.expectPage(try await bench.comeBack(visit, at: "ob"), "other_bank")
            #expect(try await bench.comeBack(visit).appOutcome?["error"] == "state_used")
            #expect(bench.bank.redeemed.isEmpty)
            #expect(try await bench.cards(ada).isEmpty)
        }
    }

    // RFC 9207 §2.4.
    @Test func `attack: an answer in the name of another issuer, or of none, redeems nothing`() async throws {
        try await Bench.run {
            $0.banks["eb"]?.issuer = "https://bank.example.com"
        } _: { bench in
            let ada = try await bench.phone()
            for issuer in ["", "&iss=https%3A%2F%2Fevil.example.net", "&iss=https%3A%2F%2Fbank.example.com%2F"] {
                let visit = try await bench.startInApp(ada)
                Self.expectPage(try await bench.comeBack(visit, "code=c\(issuer)"), "other_issuer")
            }
            #expect(bench.bank.redeemed.isEmpty)
            let good = try await bench.startInApp(ada)
            let back = try await bench.comeBack(good, "code=c&iss=https%3A%2F%2Fbank.example.com")
            #expect(back.appOutcome?["success"] == "true")
        }
    }

    // RFC 9700 §4.7.
    @Test func `attack: the link of an enrolment in one browser adds nothing out of another`() async throws {
        try await Bench.run { bench in
            let eve = try await bench.signUp("eve")
            let other = try await bench.startInBrowser(eve.headers)
            let guess = "vst_enroll=" + String(repeating: "A", count: 43)
            for cookie in [nil, guess] as [String?] {
                let visit = try await bench.startInBrowser(eve.headers, "?mobile=true")
                Self.expectPage(try await bench.comeBack(visit, with: .cookies(cookie)), "other_browser")
                let after = try await bench.comeBack(visit)
                #expect(after.appOutcome?["error"] == "state_used", "it was in the wrong hands")
            }
            let visit = try await bench.startInBrowser(eve.headers, "?mobile=true")
            Self.expectPage(try await bench.comeBack(visit, with: .cookies(other.cookie)), "other_browser")
            // Two of a name, one planted by a site beside this one: neither counts.
            let twice = try await bench.startInBrowser(eve.headers)
            Self.expectPage(try await bench.comeBack(twice, with: .cookies(twice.cookie, guess)), "other_browser")
            #expect(bench.bank.redeemed.isEmpty)
        }
    }

    // RFC 9700 §4.7: the victim's browser is signed in to the victim's own account.
    @Test func `attack: an enrolment of one account adds nothing out of a browser of another's session`() async throws {
        try await Bench.run { bench in
            let (ada, victim) = (try await bench.phone(), try await bench.signUp("victim"))
            let visit = try await bench.startInApp(ada)
            Self.expectPage(try await bench.comeBack(visit, with: victim.headers), "other_account")
            #expect(try await bench.comeBack(visit).appOutcome?["error"] == "state_used")
            let eve = try await bench.signUp("eve")
            let own = try await bench.startInBrowser(eve.headers)
            let back = try await bench.comeBack(own, with: .cookies(own.cookie, victim.cookie))
            Self.expectPage(back, "other_account")
            #expect(bench.bank.redeemed.isEmpty)
            let good = try await bench.startInBrowser(eve.headers)
            #expect(try await bench.comeBack(good, with: .cookies(good.cookie, eve.cookie)).status == .ok)
        }
    }

    @Test func `attack: no other site's page sends a signed-in browser to a bank`() async throws {
        try await Bench.run { bench in
            let (eve, ada) = (try await bench.signUp("eve"), try await bench.phone())
            let path = "\(Bench.enrollment)/start/eb?mobile=true"
            for site in ["cross-site", "same-site"] {
                let refused = try await bench.send(.get, path, eve.headers.adding(.fetchSite, site))
                #expect(refused.status == .forbidden && refused.headers[.location] == nil)
                #expect(refused.setCookie("vst_enroll") == nil && refused.text.contains("Another site sent you here"))
                // A token no browser adds by itself.
                let app = try await bench.send(.get, path, ada.bearer.adding(.fetchSite, site))
                #expect(app.status == .seeOther)
            }
            for site in ["same-origin", "none"] {
                let sent = try await bench.send(.get, path, eve.headers.adding(.fetchSite, site))
                #expect(sent.status == .seeOther)
            }
        }
    }

    @Test func `attack: a second callback redeems no second code, and eight at once redeem one`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            let visit = try await bench.startInApp(ada)
            #expect(try await bench.comeBack(visit).appOutcome?["success"] == "true")
            let again = try await bench.comeBack(visit, "code=stolen")
            #expect(again.appOutcome?["error"] == "state_used" && again.appOutcome?["success"] == "false")
            #expect(bench.bank.redeemed.map(\.code) == ["bank-code-1"])
            let raced = try await bench.startInApp(ada, at: "ob")
            let outcomes = try await withThrowingTaskGroup(of: String?.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let back = try await bench.comeBack(raced, "code=raced-\(number)", at: "ob")
                        return back.appOutcome?["error"] ?? back.appOutcome?["success"]
                    }
                }
                var outcomes: [String] = []
                for try await outcome in group { outcomes.append(outcome ?? "-") }
                return outcomes.sorted()
            }
            #expect(outcomes == Array(repeating: "state_used", count: 7) + ["true"])
            #expect(bench.bank.redeemed.count == 2)
            #expect(try await bench.cards(ada).count == 4)
        }
    }

    @Test func `attack: who holds the state of somebody's enrolment can end it, and gets nothing for it`() async throws
    {
        try await Bench.run { bench in
            let (ada, bob) = (try await bench.phone(), try await bench.phone("bob@example.com", Bench.otherPhone))
            let visit = try await bench.startInApp(ada)
            let back = try await bench.comeBack(visit, with: bob.bearer)
            #expect(back.appOutcome?["success"] == "true")
            #expect(try await bench.cards(bob).isEmpty)
            #expect(try await bench.cards(ada).count == 2)
        }
    }

    @Test func `attack: neither code nor state nor the bank's tokens are in the log, whatever happens`() async throws {
        try await Bench.run {
            $0.log.access = true
            $0.wallet.confirmEnrollment = true
        } _: { bench in
            let ada = try await bench.phone()
            let (good, bad, late) = (
                try await bench.startInApp(ada), try await bench.startInApp(ada), try await bench.startInApp(ada)
            )
            let page = try await bench.comeBack(good, "code=secret-code-1")
            let token = try #require(page.questionToken)
            #expect(try await bench.press(token).appOutcome?["success"] == "true")
            bench.bank.fail(with: .refused(cause: "invalid_grant"))
            try await bench.comeBack(bad, "code=secret-code-2")
            try bench.composition.database.close()
            let down = try await bench.comeBack(late, "code=secret-code-3")
            #expect(down.status.kind == .serverError && down.text.contains("<h1>"))
            let verifiers = bench.bank.redeemed.map(\.verifier)
            let secrets = [
                "secret-code-1", "secret-code-2", "secret-code-3", good.state, bad.state, late.state, token,
                "bank-access-", "bank-refresh-",
            ]
            #expect(verifiers.count == 2)
            let callbacks = bench.log.requests.filter { $0.text.contains("/api/enrollment/callback/{bsimId}") }
            #expect(callbacks.count == 3)
            for line in bench.log.lines {
                for secret in secrets + verifiers { #expect(!line.text.contains(secret), "\(line.text)") }
            }
        }
    }

    @Test func `attack: a card's number in the place of its reference is neither kept nor logged`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.phone()
            try await bench.enroll(ada)
            let number = "4000056655665556"
            bench.bank.lists([BankCard(reference: number, lastFour: "5556", network: "VISA")])
            let synced = try await bench.post("/api/mobile/wallet/banks/eb/sync", "", ada.bearer)
            try bench.expect(synced, is: "bank_unavailable", 502)
            let back = try await bench.comeBack(try await bench.startInApp(ada, at: "ob"), at: "ob")
            #expect(back.appOutcome?["error"] == "bank_unavailable")
            #expect(try await bench.cards(ada).map(\.lastFour).sorted() == ["1111", "4242"])
            let told = bench.log.lines.filter { $0.text.contains("a card number in the place of a token reference") }
            #expect(told.count == 2)
            for line in bench.log.lines { #expect(!line.text.contains(number), "\(line.level)") }
        }
    }

    @Test func `attack: an address that tries states out is slowed down, on a page`() async throws {
        try await Bench.run { bench in
            let path = "\(Bench.enrollment)/callback/eb?code=c&state="
            for number in 0..<200 { try await bench.send(.get, path + "\(number)") }
            let busy = try await bench.send(.get, path + "x")
            #expect(busy.status == .tooManyRequests && busy.headers[.retryAfter] == "1")
            #expect(busy.headers[.contentType] == "text/html; charset=utf-8")
            bench.time.advance(by: .seconds(1))
            Self.expectPage(try await bench.send(.get, path + "x"), "unknown")
        }
    }
}
