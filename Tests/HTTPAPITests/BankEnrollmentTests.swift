import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Settings
import Testing
import Wallet
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The way to a bank and back: out of an app, out of a browser, and what the app is told at its end.
struct BankEnrollmentTests {
    @Test func `the app sees the banks by their ids, and nothing of how the server gets in there`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let response = try await harness.send(.get, "/api/mobile/enrollment/banks", ada.bearer)
            #expect(response.status == .ok)
            let banks = try response.decode(BanksResponse.self).banks
            #expect(banks.map(\.bsimId) == ["eb", "ob"] && banks.map(\.name) == ["Example Bank", "Other Bank"])
            #expect(banks.map(\.logoUrl) == ["https://bank.example.com/logo.png", nil])
            #expect(!response.text.contains("token") && !response.text.contains("vestibule"))
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the app opens the bank's page, and is told that the cards are there`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInApp(ada)
            let answer = try link.response.decode(StartEnrollmentResponse.self)
            #expect(answer.bsimId == "eb" && answer.expiresIn == 600)
            #expect(link.authURL.hasPrefix(Harness.bankPage + "?") && link.query("response_type") == "code")
            #expect(link.query("client_id") == "vestibule" && link.query("scope") == "cards")
            let callback = harness.settings.publicURL + "/api/enrollment/callback/eb"
            #expect(link.query("redirect_uri") == callback && link.state.utf8.count == 43)
            let back = try await harness.comeBack(link)
            #expect(back.status == .seeOther && back.headers[.cacheControl] == "no-store")
            #expect(
                back.headers[.location]
                    == "mwsim://enrollment/callback?success=true&bsimId=eb&bankName=Example%20Bank&cardCount=2"
            )
            let redeemed = try #require(harness.bank.redeemed.first)
            #expect(redeemed.code == "bank-code-1" && redeemed.redirectURI == callback && redeemed.bankID == "eb")
            // RFC 7636 §4.6.
            let challenge = Base64URL.encode(Digest256(sha256: redeemed.verifier).bytes)
            #expect(link.query("code_challenge") == challenge && link.query("code_challenge_method") == "S256")
            let cards = try await harness.cards(ada)
            #expect(cards.map(\.lastFour).sorted() == ["1111", "4242"] && cards.map(\.isDefault) == [true, false])
            #expect(cards.allSatisfy { $0.bsimId == "eb" && $0.bankLogo == "https://bank.example.com/logo.png" })
        }
    }

    @Test func `a browser with its session comes back to a page, and with mobile=true to the app`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let link = try await harness.startInBrowser(ada.headers)
            let set = try #require(link.response.setCookie("vst_enroll="))
            #expect(set.contains("; HttpOnly") && set.contains("; SameSite=Lax") && set.contains("; Path=/;"))
            let page = try await harness.comeBack(link)
            #expect(page.status == .ok && page.text.contains("<h1>The bank was added</h1>"), "\(page.text)")
            #expect(page.text.contains("<dd dir=\"auto\">Example Bank</dd>") && page.text.contains(">2</dd>"))
            #expect(page.headers[.location] == nil && page.headers[.cacheControl] == "no-store")
            let again = try await harness.startInBrowser(
                .cookies(ada.cookie, link.cookie),
                "?mobile=true",
                at: "ob"
            )
            #expect(again.cookie == link.cookie, "two tabs don't take it from each other")
            let app = try await harness.comeBack(again, at: "ob")
            #expect(app.appOutcome?["success"] == "true" && app.appOutcome?["bankName"] == "Other Bank")
        }
    }

    @Test func `an enrolment started by token in a web view gets a cookie and returns to the app`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let link = try await harness.startInBrowser(ada.bearer, "?mobile=true")
            #expect(link.cookie != nil)
            #expect(try await harness.comeBack(link).appOutcome?["cardCount"] == "2")
        }
    }

    @Test func `who asks for JSON alone gets the bank's address, and an app with a token no cookie`() async throws {
        try await Harness.run { harness in
            let (ada, browser) = (try await harness.phone(), try await harness.signUp("eve"))
            let path = "\(Harness.enrollment)/start/eb?mobile=true"
            let app = try await harness.send(.get, path, ada.bearer.adding(.accept, "application/json"))
            #expect(app.status == .ok && app.setCookie("vst_enroll") == nil)
            let answer = try app.decode(StartEnrollmentResponse.self)
            let link = StartedBankLink(response: app, authURL: answer.authUrl, cookie: nil)
            #expect(try await harness.comeBack(link).appOutcome?["success"] == "true")
            let page = try await harness.send(.get, path, browser.headers.adding(.accept, "application/json"))
            #expect(page.status == .ok && page.setCookie("vst_enroll=") != nil)
            let mixed = ada.bearer.adding(.accept, "application/json, text/plain, */*")
            #expect(try await harness.send(.get, path, mixed).status == .seeOther)
        }
    }

    @Test(arguments: [
        ("error=access_denied", "user_cancelled"), ("error=server_error", "bank_unavailable"),
        ("error=temporarily_unavailable", "bank_unavailable"), ("error=invalid_scope", "bank_refused"),
    ])
    func `what the bank says is told in both dialects of the apps`(_ answer: String, _ code: String) async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let back = try await harness.comeBack(try await harness.startInApp(ada), answer)
            #expect(back.status == .seeOther)
            let outcome = try #require(back.appOutcome)
            #expect(outcome["success"] == "false" && outcome["error"] == code && outcome["bsimId"] == "eb")
            #expect(outcome["message"]?.isEmpty == false)
            #expect(harness.bank.redeemed.isEmpty)
            #expect(try await harness.cards(ada).isEmpty)
        }
    }

    @Test(arguments: [
        (BankError.unavailable(cause: "slow"), "bank_unavailable"),
        (BankError.unusable(cause: "no JSON"), "bank_unavailable"),
        (BankError.refused(cause: "invalid_grant"), "bank_refused"),
    ])
    func `a bank that fails leaves nothing behind, and the next try goes well`(
        _ fault: BankError,
        _ code: String
    )
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            harness.bank.fail(with: fault)
            let back = try await harness.comeBack(try await harness.startInApp(ada))
            #expect(back.appOutcome?["error"] == code && back.appOutcome?["success"] == "false")
            #expect(try await harness.cards(ada).isEmpty)
            harness.bank.fail(with: nil)
            try await harness.enroll(ada)
            #expect(try await harness.cards(ada).count == 2)
        }
    }

    @Test func `a bank without cards is added all the same`() async throws {
        try await Harness.run { harness in
            let (ada, eve) = (try await harness.phone(), try await harness.signUp("eve"))
            harness.bank.lists([])
            let back = try await harness.comeBack(try await harness.startInApp(ada))
            #expect(back.appOutcome?["success"] == "true" && back.appOutcome?["cardCount"] == "0")
            let summary = try await harness.send(.get, "/api/mobile/wallet/summary", ada.bearer)
            let banks = try summary.decode(WalletSummaryResponse.self).enrolledBanks
            #expect(banks.map(\.bsimId) == ["eb"] && banks.map(\.cardCount) == [0])
            let page = try await harness.comeBack(try await harness.startInBrowser(eve.headers))
            #expect(page.status == .ok && page.text.contains("has no card of yours yet"))
        }
    }

    @Test func `a return from the bank after ten minutes gets state_expired`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let (late, inTime) = (try await harness.startInApp(ada), try await harness.startInApp(ada))
            harness.time.advance(by: .seconds(599))
            #expect(try await harness.comeBack(inTime).appOutcome?["success"] == "true")
            harness.time.advance(by: .seconds(1))
            #expect(try await harness.comeBack(late).appOutcome?["error"] == "state_expired")
            #expect(harness.bank.redeemed.count == 1)
        }
    }

    @Test func `whoever signed out, or was disabled, while at the bank gets no card`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            let (first, second) = (try await harness.startInApp(ada), try await harness.startInApp(ada))
            #expect(try await harness.send(.post, "/api/mobile/auth/logout", ada.bearer).status == .ok)
            #expect(try await harness.comeBack(first).appOutcome?["error"] == "account_unavailable")
            let bob = try await harness.phone("bob@example.com", Harness.otherPhone)
            let link = try await harness.startInApp(bob)
            _ = try await harness.composition.accounts.disable("bob@example.com")
            #expect(try await harness.comeBack(link).appOutcome?["error"] == "account_unavailable")
            #expect(try await harness.comeBack(second).appOutcome?["error"] == "account_unavailable")
            #expect(harness.bank.redeemed.isEmpty)
        }
    }

    @Test func `an unknown bank gets 404, and an enrolment without a sign-in gets 401`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.phone()
            for path in ["/api/mobile/enrollment/start/nobank", "/api/mobile/enrollment/start/EB"] {
                try harness.expect(try await harness.post(path, "", ada.bearer), is: "bank_not_found", 404)
            }
            let browser = try await harness.send(.get, "\(Harness.enrollment)/start/nobank", ada.bearer)
            try harness.expect(browser, is: "bank_not_found", 404)
            let outsider = try await harness.send(.get, "\(Harness.enrollment)/start/eb?mobile=true")
            try harness.expect(outsider, is: "unauthorized", 401)
            #expect(outsider.headers[.location] == nil && outsider.setCookie("vst_enroll") == nil)
        }
    }

    // T-250
    @Test func `who begins without end is slowed down, and told for how long`() async throws {
        try await Harness.run { harness in
            let (ada, bob) = (try await harness.phone(), try await harness.phone("bob@example.com", Harness.otherPhone))
            for _ in 0..<20 { _ = try await harness.startInApp(ada) }
            let refused = try await harness.post("/api/mobile/enrollment/start/eb", "", ada.bearer)
            try harness.expect(refused, is: "rate_limited", 429)
            #expect(refused.headers[.retryAfter] == "30")
            _ = try await harness.startInApp(bob)
            harness.time.advance(by: .seconds(30))
            _ = try await harness.startInApp(ada)
        }
    }
}
