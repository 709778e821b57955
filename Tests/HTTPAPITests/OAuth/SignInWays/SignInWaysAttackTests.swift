import Accounts
import Audit
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Settings
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What must not be had from the ways of the sign-in page.
struct SignInWaysAttackTests {
    /// Somebody with a face, somebody with a password alone, somebody with a mailbox alone, and nobody.
    private static let people = [
        "ada@example.com", "eve@example.com", "mia@example.com", "nobody@example.com",
    ]

    /// Runs `body` with these people, for a client that takes any way.
    private static func run(
        _ change: @Sendable (inout Settings) -> Void = { _ in },
        _ body: @Sendable (SignInFixture) async throws -> Void
    ) async throws {
        try await SignInFixture.run(change) { fixture in
            try await fixture.harness.register("eve@example.com")
            _ = try await fixture.harness.composition.accounts.add(NewAccount(email: "mia@example.com", name: "Mia"))
            try await body(fixture)
        }
    }

    /// A page without what is each browser's and each name's own.
    private static func bare(_ page: TestResponse, _ browser: SentBrowser, _ name: String) -> String {
        let text = page.text.replacing(browser.id, with: "ID").replacing(name, with: "NAME")
        return "\(page.status.code) \(page.headerNames) \(text)"
    }

    @Test func `attack: every address gets the same pages, whether it has an account or not, and with every way`()
        async throws
    {
        try await Self.run { fixture in
            for client in ["any", "own", "keyed", "faced"] {
                var seen: Set<String> = []
                for name in Self.people {
                    let browser = try await fixture.browser(fixture.request(of: client))
                    seen.insert(Self.bare(try await browser.identify(name), browser, name))
                }
                #expect(seen.count == 1, "\(client)")
            }
            let names = ["grace", "nobody at all"]
            _ = try await fixture.harness.signUp("grace")
            var seen: Set<String> = []
            for name in names {
                let browser = try await fixture.browser()
                seen.insert(Self.bare(try await browser.identify(name), browser, name))
            }
            #expect(seen.count == 1)
        }
    }

    // T-066
    @Test func `attack: wrong passwords get the same answers for every address, and lock alike`() async throws {
        try await Self.run { fixture in
            var seen: [String: [String]] = [:]
            for name in Self.people {
                let browser = try await fixture.browser(fixture.request(of: "any"))
                for _ in 1...7 {
                    let page = try await browser.sign(in: name, password: "correct horse batterx")
                    #expect(page.headers[.setCookie] == nil)
                    seen[name, default: []].append(Self.bare(page, browser, name))
                }
            }
            #expect(Set(seen.values).count == 1, "no oracle")
            let answers = try #require(seen["nobody@example.com"])
            #expect(answers.prefix(5).allSatisfy { $0.hasPrefix("400 ") && $0.contains("the password is wrong") })
            #expect(answers.suffix(2).allSatisfy { $0.hasPrefix("429 ") && $0.contains("too many tries. Wait 1 min") })
            let opened = try await fixture.harness.composition.audit.newest(50).filter {
                $0.entry.event == "session.opened"
            }
            #expect(opened.count == 1, "that of the registration")
        }
    }

    // T-065
    @Test func `attack: a locked password refuses the right one too, and takes it when the delay is over`() async throws
    {
        try await Self.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            for _ in 1...5 {
                #expect(
                    try await browser.sign(in: "eve@example.com", password: "wrong horse battery").status == .badRequest
                )
            }
            let locked = try await browser.sign(in: "eve@example.com")
            #expect(locked.status == .tooManyRequests && locked.headers[.retryAfter] == "30")
            #expect(locked.ways.contains("mail"), "another way is at hand")
            #expect(try await browser.proven() == nil)
            await fixture.harness.pass(.seconds(31))
            #expect(try await browser.sign(in: "eve@example.com").status == .ok)
            #expect(try await browser.comeBack()["code"] != nil)
        }
    }

    // T-079
    @Test(arguments: [true, false])
    func `attack: mailed codes get the same pages for every address, and a mail only where they lead somewhere`(
        _ opensAccounts: Bool
    ) async throws {
        try await Self.run {
            for name in $0.surfaces.keys { $0.surfaces[name]?.registration = opensAccounts }
        } _: { fixture in
            _ = try await fixture.harness.mails()
            var seen: [String: [String]] = [:]
            for name in Self.people {
                let browser = try await fixture.browser(fixture.request(of: "any"))
                seen[name, default: []].append(Self.bare(try await browser.askForCode(name), browser, name))
                for code in ["000000", "12", ""] {
                    seen[name, default: []].append(Self.bare(try await browser.type(code, name), browser, name))
                }
                for _ in 1...5 {
                    seen[name, default: []].append(Self.bare(try await browser.askForCode(name), browser, name))
                }
            }
            #expect(Set(seen.values).count == 1, "no oracle")
            #expect(seen["nobody@example.com"]?.last?.hasPrefix("429 ") == true, "five codes an hour")
            let told = Set(try await fixture.harness.mails().map(\.to))
            // Eve has opened her account herself, if she could.
            let newcomers: Set<String> = opensAccounts ? ["eve@example.com", "nobody@example.com"] : []
            #expect(told == newcomers.union(["ada@example.com", "mia@example.com"]))
        }
    }

    // T-076
    @Test func `attack: five wrong codes end a mailed code`() async throws {
        try await Self.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            let code = try await browser.mailedCode()
            for _ in 1...5 {
                let page = try await browser.type(code.otherCode)
                #expect(page.status == .badRequest && page.text.contains("This code is wrong"))
            }
            let late = try await browser.type(code)
            #expect(late.status != .ok && late.headers[.setCookie] == nil)
            #expect(try await browser.proven() == nil)
        }
    }

    // T-077
    @Test func `attack: a mailed code signs nobody in on another sign-in page or in an app, and works once`()
        async throws
    {
        try await Self.run { fixture in
            let (victim, attacker) = (
                try await fixture.browser(fixture.request(of: "any")),
                try await fixture.browser(fixture.request(of: "any"))
            )
            let code = try await victim.mailedCode()
            #expect(try await attacker.type(code).status == .badRequest)
            let app = try await fixture.harness.typeCode(code)
            try fixture.harness.expect(app, is: "unauthorized", 401)
            #expect(try await victim.type(code).status == .ok)
            #expect(try await attacker.type(code).status == .badRequest)
            #expect(try await attacker.proven() == nil && attacker.session == nil)
        }
    }

    // O-025
    @Test(arguments: ["own", "keyed", "faced"])
    func `attack: a password or a mailed code alone gets no code from a client that requires more`(
        _ client: String
    ) async throws {
        try await Self.run { fixture in
            for isMail in [true, false] {
                let browser = try await fixture.browser(fixture.request(of: client))
                let done =
                    isMail
                    ? try await browser.type(try await browser.mailedCode("mia@example.com"), "mia@example.com")
                    : try await browser.sign(in: "eve@example.com")
                #expect(done.status == .ok)
                for below in ["", "?offer=1", "?other=1"] {
                    let page = try await browser.load(below)
                    #expect(page.status == .ok && page.headers[.location] == nil, "\(below)")
                }
                let silent = try await fixture.browser(fixture.request(of: client, prompts: [.none]), jar: browser.jar)
                #expect(try await silent.comeBack()["error"] == "login_required")
            }
        }
    }

    @Test func `attack: a passkey's options for one sign-in page store none on another, nor for another person`()
        async throws
    {
        try await Self.run { fixture in
            let (first, second) = (try await fixture.browser(), try await fixture.browser())
            for browser in [first, second] { #expect(try await browser.sign(in: "eve@example.com").status == .ok) }
            let options = try await first.call("/passkey/new/options", "{}")
            let (_, made) = try fixture.harness.browser.create(options.text)
            try fixture.harness.expect(try await second.call("/passkey/new", made), is: "challenge_over", 400)
            let code = try await first.mailedCode("mia@example.com")
            #expect(try await first.type(code, "mia@example.com").status == .ok)
            try fixture.harness.expect(try await first.call("/passkey/new", made), is: "challenge_over", 400)
        }
    }

    @Test func `attack: nobody who has not signed in adds a passkey or a face to an account`() async throws {
        try await Self.run { fixture in
            let browser = try await fixture.browser()
            let taken = try await browser.call("/passkey/new/options", "{}")
            try fixture.harness.expect(taken, is: "invalid_request", 400)
            let enrolled = try await browser.press("/enroll")
            #expect(enrolled.status == .ok && enrolled.text.contains(#"content="0;url=../\#(browser.id)""#))
            #expect(fixture.harness.composition.service.cache.cards { _ in true }.isEmpty)
        }
    }

    @Test func `attack: an enrolment of the sign-in page replaces no face`() async throws {
        try await Self.run { fixture in
            let browser = try await fixture.browser(fixture.request(of: "faced"))
            let page = try await browser.follow(try await browser.type(try await browser.mailedCode()))
            #expect(page.ways == ["face"], "Ada's face is what is asked for: \(page.ways)")
            let refused = try await browser.press("/enroll")
            #expect(refused.headers[.location] != "wait", "\(refused.text)")
        }
    }

    // T-065
    @Test func `attack: sign-ins on the page count against the address's limit, mails and passwords together`()
        async throws
    {
        try await SignInFixture.run {
            $0.limits.rates.accounts.signInsPerAddress.burst = 3
        } _: { fixture in
            let browser = try await fixture.browser(fixture.request(of: "any"))
            #expect(try await browser.askForCode("a@example.com").status == .ok)
            #expect(try await browser.sign(in: "b@example.com").status == .badRequest)
            #expect(try await browser.type("000000", "a@example.com").status == .badRequest)
            for name in ["a@example.com", "ada@example.com"] {
                #expect(try await browser.askForCode(name).status == .tooManyRequests)
                #expect(try await browser.sign(in: name).status == .tooManyRequests)
            }
        }
    }
}
