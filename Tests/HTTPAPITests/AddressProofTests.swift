import Accounts
import Audit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Sessions
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The link that proves an address.
struct AddressProofTests {
    private static let email = "casey@example.com"

    // T-081
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `the link asks, and its button proves the address`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let account = try await harness.addUnproven(Self.email)
            let path = try await Self.link(harness, account)
            for method in [HTTPRequest.Method.get, .head, .get] {
                #expect(try await harness.send(method, path, [.acceptLanguage: "sv"]).status == .ok)
            }
            let page = try await harness.send(.get, path)
            #expect(page.text.contains("Confirm your e\u{2011}mail address"))
            #expect(page.text.contains(#"<form method="post">"#))
            #expect(!page.text.contains("<script"))
            #expect(page.headers[.referrerPolicy] == "same-origin")
            #expect(try await !Self.isProven(harness), "looking proves nothing")
            let elsewhere = try await harness.send(.post, path, [.origin: "https://evil.example.com"])
            #expect(elsewhere.status == .forbidden && elsewhere.text.contains("origin_not_allowed"))
            #expect(try await !Self.isProven(harness), "no other site's page presses the button")
            for headers: HTTPFields in [[:], [.origin: harness.settings.publicURL]] {
                let answer = try await harness.send(.post, path, headers)
                #expect(answer.status == .ok && answer.text.contains("Your address is confirmed"))
                #expect(try await Self.isProven(harness))
            }
            let events = try await harness.composition.audit.newest(50).map(\.entry.event)
            #expect(events.filter { $0 == "account.address_proven" }.count == 1)
        }
    }

    // T-071, T-115
    @Test func `attack: proving an address from elsewhere ends the sessions of whoever opened the account`()
        async throws
    {
        try await Harness.run { harness in
            let account = try await harness.addUnproven(Self.email, password: true)
            let attacker = try await harness.signIn(Self.email)
            let path = try await Self.link(harness, account)
            let open = try await harness.start(Self.email)
            #expect(try await harness.send(.post, path).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", attacker.bearer), is: "unauthorized", 401)
            let refreshed = try await harness.send(.post, "/auth/refresh", .bearing(attacker.tokens.refreshToken))
            #expect(refreshed.status == .unauthorized)
            let record = try await harness.composition.accounts.show(Self.email)
            #expect(record.passwordHash == nil && record.enrolments.isEmpty)
            let poll = try await harness.poll(open, .cookies(open.cookie)).decode(PollLoginResponse.self)
            #expect(poll.status == .failed, "a login that was under way ends")
            let notice = try #require(try await harness.mails().last)
            #expect(notice.subject.hasPrefix("Earlier access to your ") && notice.to == Self.email)
            let events = try await harness.composition.audit.newest(50).map(\.entry.event)
            #expect(events.contains("account.earlier_access_removed"))
        }
    }

    @Test func `proving an address in the browser that opened the account keeps its session and password`() async throws
    {
        try await Harness.run { harness in
            let account = try await harness.addUnproven(Self.email, password: true)
            let owner = try await harness.signIn(Self.email)
            let path = try await Self.link(harness, account)
            #expect(try await harness.send(.post, path, .cookies(owner.device)).status == .ok)
            #expect(try await Self.isProven(harness))
            #expect(try await harness.send(.get, "/auth/me", owner.bearer).status == .ok)
            #expect(try await harness.composition.accounts.show(Self.email).passwordHash != nil)
        }
    }

    // T-115
    @Test(arguments: [false, true])
    func `attack: proving an address in another account's browser or by token alone ends the owner's session`(
        _ isBobs: Bool
    ) async throws {
        try await Harness.run { harness in
            let account = try await harness.addUnproven(Self.email)
            let (owner, bob) = (try await harness.signIn(Self.email), try await harness.signIn("bob@example.com"))
            let shown: HTTPFields = isBobs ? .cookies(bob.device) : owner.bearer
            #expect(try await harness.send(.post, try await Self.link(harness, account), shown).status == .ok)
            #expect(try await harness.send(.get, "/auth/me", owner.bearer).status == .unauthorized)
            #expect(try await harness.send(.get, "/auth/me", bob.bearer).status == .ok)
        }
    }

    @Test func `a phone that presents its credential keeps its session when it proves the address`() async throws {
        try await Harness.run { harness in
            for isLink in [true, false] {
                let email = isLink ? Self.email : "drew@example.com"
                let account = try await harness.addUnproven(email)
                let phone = try await harness.phone(email, isLink ? Harness.phone : Harness.otherPhone)
                let shown: HTTPFields = [.deviceCredential: phone.credential]
                if isLink {
                    #expect(try await harness.send(.post, try await Self.link(harness, account), shown).status == .ok)
                } else {
                    _ = try await harness.askForCode(email, on: phone.deviceID, shown)
                    let code = try #require(try await harness.mails().last).code
                    let name = #""email":"\#(email)""#
                    #expect(try await harness.typeCode(code, name, on: phone.deviceID, shown).status == .ok)
                }
                #expect(try await harness.composition.accounts.show(email).emails.allSatisfy(\.isVerified))
                #expect(try await harness.send(.get, "/auth/me", phone.bearer).status == .ok, "\(email)")
            }
        }
    }

    @Test func `proving an address with the account's password removes nothing, in whatever browser`() async throws {
        try await Harness.run { harness in
            let eve = try await harness.register("eve@example.com").decode(SignInResponse.self)
            let path = try #require(try await harness.mails().last).path
            let page = try await harness.send(.get, path)
            #expect(page.text.contains(#"type="password""#))
            let wrong = try await harness.submit(path, "password=something+else+again")
            #expect(wrong.status == .forbidden && wrong.text.contains("not the account’s password"))
            #expect(try await !harness.me(eve.accessToken).emailVerified, "nothing was done")
            #expect(try await harness.submit(path, "password=correct+horse+battery").status == .ok)
            #expect(try await harness.me(eve.accessToken).emailVerified)
            #expect(try await harness.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    // T-081
    @Test func `attack: the password form of a mailed link counts wrong passwords together with sign-ins`()
        async throws
    {
        try await Harness.run { harness in
            try await harness.register("eve@example.com")
            let path = try #require(try await harness.mails().last).path
            for _ in 1...2 { _ = try await harness.passwordSignIn("eve@example.com", "something else again") }
            for _ in 1...3 {
                #expect(try await harness.submit(path, "password=guess+guess+guess").status == .forbidden)
            }
            let sixth = try await harness.submit(path, "password=correct+horse+battery")
            #expect(sixth.status == .tooManyRequests && sixth.headers[.retryAfter] == "30")
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "rate_limited", 429)
            #expect(try await harness.submit(path, "password=").status == .ok, "the owner needs none")
        }
    }

    // T-081
    @Test func `attack: a link whose address another account has proved answers 410 and does not say confirmed`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            for _ in 1...2 { try await harness.register("eve@example.com") }
            let paths = try await harness.mails().map { try $0.path }
            try #require(paths.count == 2)
            #expect(try await harness.send(.post, paths[0]).status == .ok)
            let late = try await harness.send(.post, paths[1])
            #expect(late.status == .gone && !late.text.contains("confirmed"))
        }
    }

    @Test func `with the wallet's routes off a mailed code at login still signs in and sets a password`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
            $0.surfaces["mobile"]?.enabled = false
        } _: { harness in
            try await harness.register("eve@example.com")
            let path = try #require(try await harness.mails().last).path
            #expect(try await harness.submit(path, "password=").status == .ok)
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
            _ = try await harness.mails()
            let device = #""deviceId":"\#(Harness.mailPhone)""#
            let asked = try await harness.post("/auth/login/code", #"{"email":"eve@example.com",\#(device)}"#)
            #expect(asked.status == .ok, "\(asked.text)")
            let code = try #require(try await harness.mails().last).code
            let typed = try await harness.post(
                "/api/auth/login/code/verify",
                #"{"email":"eve@example.com",\#(device),"code":"\#(code)"}"#
            )
            #expect(typed.status == .ok && typed.cookie("vst_device") != nil, "\(typed.text)")
            let eve = try typed.decode(SignInResponse.self)
            #expect(try await harness.change(eve, from: nil, to: "a horse of another colour").status == .ok)
            #expect(try await harness.passwordSignIn("eve@example.com", "a horse of another colour").status == .ok)
        }
    }

    // T-081
    @Test func `attack: a link to prove an address is refused when changed, expired or of another account`()
        async throws
    {
        try await Harness.run { harness in
            let account = try await harness.addUnproven(Self.email)
            let path = try await Self.link(harness, account)
            let token = try #require(path.split(separator: "/").last)
            for place in stride(from: 0, to: token.count, by: 5) {
                var letters = Array(token)
                letters[place] = letters[place] == "A" ? "B" : "A"
                #expect(try await harness.send(.post, "/mail/address/" + String(letters)).status == .gone)
            }
            for other in ["", "x", String(token.dropLast()), "\(token)AAAA"] {
                #expect(try await harness.send(.post, "/mail/address/\(other)").status.code >= 400)
            }
            let bob = try await harness.composition.accounts.show("bob@example.com").account.id
            let foreign = try await Self.link(harness, bob)
            #expect(try await harness.send(.post, foreign).status == .gone, "it is for an address that is not his")
            harness.time.advance(by: AddressProofService.lifetime)
            #expect(try await harness.send(.get, path).status == .gone)
            #expect(try await harness.send(.post, path).status == .gone)
            #expect(try await !Self.isProven(harness))
        }
    }

    // T-115
    @Test func `a sign-in by a mailed code proves the address too, and puts others out`() async throws {
        try await Harness.run { harness in
            _ = try await harness.addUnproven(Self.email, password: true)
            let attacker = try await harness.signIn(Self.email)
            _ = try await harness.askForCode(Self.email)
            let code = try #require(try await harness.mails().first).code
            let answer = try await harness.typeCode(code, #""email":"\#(Self.email)""#)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await Self.isProven(harness))
            try harness.expect(try await harness.send(.get, "/auth/me", attacker.bearer), is: "unauthorized", 401)
            let fresh = try answer.decode(SignInResponse.self)
            #expect(try await harness.send(.get, "/auth/me", .bearing(fresh.accessToken)).status == .ok)
            #expect(try await harness.composition.accounts.show(Self.email).passwordHash == nil)
        }
    }

    /// The path of a link that was mailed to Casey's address as that account's.
    private static func link(_ harness: Harness, _ account: AccountID) async throws -> String {
        let address = try #require(EmailAddress(email))
        try await harness.composition.unitOfWork.run {
            [proofs = harness.composition.mailProofs.addresses] transaction in
            try proofs.send(
                to: address,
                of: account,
                requester: "en",
                client: "mwsim",
                turn: MailboxTurn { true },
                in: transaction
            )
        }
        return try #require(try await harness.mails().last).path
    }

    private static func isProven(_ harness: Harness) async throws -> Bool {
        try await harness.composition.accounts.show(email).emails.allSatisfy(\.isVerified)
    }
}
