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

/// The question whose wallet it is, which stands between a link that was sent to somebody and their cards (RFC 9700 §4.7).
struct EnrollmentQuestionTests {
    private static func run(_ body: @Sendable (Harness) async throws -> Void) async throws {
        try await Harness.run {
            $0.wallet.confirmEnrollment = true
        } _: { harness in
            try await body(harness)
        }
    }

    // T-151
    @Test func `an app's enrolment asks first, and says whose wallet it is and which cards`() async throws {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let page = try await harness.comeBack(try await harness.startInApp(ada))
            #expect(page.status == .ok && page.headers[.location] == nil)
            #expect(page.text.contains("a•••@example.com") && !page.text.contains("ada@example.com"))
            #expect(page.text.contains("<h1>Add the cards of Example Bank to this wallet?</h1>"))
            #expect(page.text.contains("VISA •••• 4242") && page.text.contains("Mastercard •••• 1111"))
            #expect(page.text.contains("If somebody sent you here") && !page.text.contains("ref-1"))
            #expect(!page.text.contains("<script") && !page.text.contains("{{"))
            #expect(try await harness.cards(ada).isEmpty, "nothing before the press")
            let back = try await harness.press(try #require(page.questionToken))
            #expect(back.status == .seeOther && back.appOutcome?["cardCount"] == "2")
            #expect(try await harness.cards(ada).count == 2)
        }
    }

    // Chromium applies the page's `form-action` to where its form is redirected to (CSP Level 3 §6.4.1).
    @Test func `the enrolment question's form-action allows the apps' deep links and itself alone`() async throws {
        try await Harness.run {
            $0.wallet.confirmEnrollment = true
            $0.wallet.deepLinks = ["mwsim://enrollment/callback", "https://app.example.com/banks"]
        } _: { harness in
            let page = try await harness.comeBack(try await harness.startInApp(try await harness.phone()))
            let policy = try #require(page.headers[.contentSecurityPolicy])
            #expect(policy.contains("; form-action 'self' https://app.example.com mwsim:; "), "\(policy)")
            #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
            #expect(policy.hasSuffix("; frame-ancestors 'none'; base-uri 'none'"))
            // With `no-referrer` browsers would send the form with `Origin: null` (Fetch §3.1).
            #expect(page.headers[.referrerPolicy] == "same-origin" && page.headers[.cacheControl] == "no-store")
            #expect(page.text.contains(#"action="../confirm""#))
        }
    }

    @Test func `an enrolment begun in the same browser is added without a question`() async throws {
        try await Self.run { harness in
            let eve = try await harness.signUp("eve")
            let page = try await harness.comeBack(try await harness.startInBrowser(eve.headers))
            #expect(page.status == .ok && page.questionToken == nil && page.text.contains("The bank was added"))
        }
    }

    // T-151
    @Test func `attack: an app's enrolment started as JSON has no cookie, and its callback asks for confirmation`()
        async throws
    {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let headers = ada.bearer.adding(.accept, "application/json")
            let started = try await harness.send(.get, "\(Harness.enrollment)/start/eb?mobile=true", headers)
            let url = try started.decode(StartEnrollmentResponse.self).authUrl
            let link = StartedBankLink(response: started, authURL: url, cookie: nil)
            #expect(try await harness.comeBack(link).questionToken != nil)
        }
    }

    @Test func `who says no gets nothing, and the app is told`() async throws {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let page = try await harness.comeBack(try await harness.startInApp(ada))
            let token = try #require(page.questionToken)
            let back = try await harness.press(token, "cancel")
            #expect(back.appOutcome?["error"] == "user_cancelled" && back.appOutcome?["success"] == "false")
            #expect(try await harness.press(token).appOutcome?["error"] == "state_used")
            #expect(try await harness.cards(ada).isEmpty)
        }
    }

    // T-035
    @Test func `attack: a second press of the confirmation and a second callback add no cards`() async throws {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInApp(ada)
            let token = try #require(try await harness.comeBack(link).questionToken)
            #expect(try await harness.comeBack(link).questionToken == nil, "the question is asked once")
            #expect(try await harness.press(token).appOutcome?["success"] == "true")
            let cards = try await harness.cards(ada)
            for card in cards {
                let path = "/api/mobile/wallet/cards/\(card.id)"
                #expect(try await harness.send(.delete, path, ada.bearer).status == .ok)
            }
            #expect(try await harness.press(token).appOutcome?["error"] == "state_used")
            #expect(try await harness.cards(ada).isEmpty)
            #expect(cards.count == 2 && harness.bank.redeemed.count == 1)
        }
    }

    // T-035
    @Test func `attack: the enrolment question refuses a cross-site press and a press without its token`() async throws
    {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let token = try #require(try await harness.comeBack(try await harness.startInApp(ada)).questionToken)
            for headers in [
                [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.example.net"],
                [.origin: "null"],
            ] as [HTTPFields] {
                #expect(try await harness.press(token, "add", headers).status == .forbidden, "\(headers)")
            }
            for (typed, decision) in [
                (String(repeating: "A", count: 43), "add"), ("", "add"), (token, ""), (token, "yes"),
                (String(repeating: "A", count: 2000), "add"),
            ] {
                let page = try await harness.press(typed, decision)
                #expect(page.status == .badRequest && page.headers[.location] == nil, "\(typed) \(decision)")
            }
            let query = "\(Harness.enrollment)/confirm?token=\(token)&decision=add"
            #expect(try await harness.send(.get, query).status == .methodNotAllowed)
            #expect(try await harness.post(query, "{}", [.fetchSite: "same-origin"]).status == .badRequest)
            #expect(try await harness.cards(ada).isEmpty)
            #expect(try await harness.press(token).appOutcome?["success"] == "true")
        }
    }

    // T-035
    @Test func `reloading the enrolment question shows it again, and it is answered once`() async throws {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInApp(ada)
            let page = try await harness.comeBack(link)
            let token = try #require(page.questionToken)
            let set = try #require(page.setCookie("vst_question="))
            #expect(set.hasSuffix("; Path=/; Max-Age=600; HttpOnly; SameSite=Lax"), "\(set)")
            for _ in 1...2 {
                let again = try await harness.comeBack(link, with: .cookies(page.cookie("vst_question=")))
                #expect(again.status == .ok && again.text == page.text)
            }
            #expect(harness.bank.redeemed.count == 1, "the bank's code is good once")
            #expect(try await harness.press(token).appOutcome?["cardCount"] == "2")
            let after = try await harness.comeBack(link, with: .cookies(page.cookie("vst_question=")))
            #expect(after.appOutcome?["error"] == "state_used")
            #expect(try await harness.cards(ada).count == 2)
        }
    }

    // RFC 9700 §4.7: whoever began has the page's address by heart, and would press the button themselves.
    // T-151
    @Test func `attack: the enrolment question's page is not shown without its own cookie`() async throws {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInApp(ada)
            let page = try await harness.comeBack(link)
            let other = try await harness.comeBack(try await harness.startInApp(ada))
            let own = try #require(page.cookie("vst_question="))
            let foreign = try #require(other.cookie("vst_question="))
            #expect(own != foreign)
            let guess = "vst_question=" + String(repeating: "A", count: 43)
            // Of two of a name, one injected by a site beside this one, neither counts.
            for cookies in [[], [foreign], [guess], ["vst_question=\(link.state)"], [own, guess]] {
                let again = try await harness.comeBack(link, with: [.cookie: cookies.joined(separator: "; ")])
                #expect(again.appOutcome?["error"] == "state_used" && again.questionToken == nil, "\(cookies)")
            }
            #expect(try await harness.comeBack(link, with: .cookies(own)).questionToken != nil, "it stands")
        }
    }

    // T-151
    @Test func `over https the question's cookie has a companion, and counts with it alone`() async throws {
        try await Harness.run {
            $0.wallet.confirmEnrollment = true
            $0.publicURL = "https://localhost"
        } _: { harness in
            let link = try await harness.startInApp(try await harness.phone())
            let page = try await harness.comeBack(link)
            let (own, twin) = (page.cookie("vst_question="), page.cookie("__Host-vst_question="))
            #expect(page.setCookie("__Host-vst_question=")?.hasSuffix("; HttpOnly; SameSite=Lax; Secure") == true)
            let alone = try await harness.comeBack(link, with: .cookies(own))
            #expect(alone.appOutcome?["error"] == "state_used")
            let both = try await harness.comeBack(link, with: .cookies(own, twin))
            #expect(both.questionToken == page.questionToken)
        }
    }

    @Test func `the enrolment question expires after ten minutes, and with its session`() async throws {
        try await Self.run { harness in
            let ada = try await harness.phone()
            let late = try #require(try await harness.comeBack(try await harness.startInApp(ada)).questionToken)
            harness.time.advance(by: .seconds(600))
            #expect(try await harness.press(late).appOutcome?["error"] == "state_expired")
            let orphan = try #require(try await harness.comeBack(try await harness.startInApp(ada)).questionToken)
            #expect(try await harness.send(.post, "/api/mobile/auth/logout", ada.bearer).status == .ok)
            #expect(try await harness.press(orphan).appOutcome?["error"] == "account_unavailable")
        }
    }
}
