import Accounts
import Audit
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Sessions
import Settings
import Storage
import Testing
import Wire

@testable import HTTPAPI
@testable import Vestibule

/// The link that proves an address.
struct AddressProofTests {
    private static let email = "casey@example.com"

    @Test func `the link asks, and its button proves the address`() async throws {
        try await Bench.run { bench in
            let account = try await bench.addUnproven(Self.email)
            let path = try await Self.link(bench, account)
            for method in [HTTPRequest.Method.get, .head, .get] {
                #expect(try await bench.send(method, path, [.acceptLanguage: "sv"]).status == .ok)
            }
            let page = try await bench.send(.get, path)
            #expect(page.text.contains("Confirm your e\u{2011}mail address"))
            #expect(page.text.contains(#"<form method="post">"#))
            #expect(!page.text.contains("<script"))
            #expect(page.headers[.referrerPolicy] == "same-origin")
            #expect(try await !Self.isProven(bench), "looking proves nothing")
            let elsewhere = try await bench.send(.post, path, [.origin: "https://evil.example.com"])
            #expect(elsewhere.status == .forbidden && elsewhere.text.contains("origin_not_allowed"))
            #expect(try await !Self.isProven(bench), "no other site's page presses the button")
            for headers: HTTPFields in [[:], [.origin: bench.settings.publicURL]] {
                let answer = try await bench.send(.post, path, headers)
                #expect(answer.status == .ok && answer.text.contains("Your address is confirmed"))
                #expect(try await Self.isProven(bench))
            }
            let environment = try await bench.composition.audit.newest(50).map(\.entry.fact)
            #expect(environment.filter { $0 == "account.address_proven" }.count == 1)
        }
    }

    @Test func `attack: who opened the account first is out when the address is proven from elsewhere`() async throws {
        try await Bench.run { bench in
            let account = try await bench.addUnproven(Self.email, password: true)
            let attacker = try await bench.signIn(Self.email)
            let path = try await Self.link(bench, account)
            let open = try await bench.start(Self.email)
            #expect(try await bench.send(.post, path).status == .ok)
            try bench.expect(try await bench.send(.get, "/auth/me", attacker.bearer), is: "unauthorized", 401)
            let refreshed = try await bench.send(.post, "/auth/refresh", .bearing(attacker.tokens.refreshToken))
            #expect(refreshed.status == .unauthorized)
            let record = try await bench.composition.accounts.show(Self.email)
            #expect(record.passwordHash == nil && record.enrolments.isEmpty)
            let poll = try await bench.poll(open, .cookies(open.cookie)).decode(PollLoginResponse.self)
            #expect(poll.status == .failed, "a login that was under way ends")
            let notice = try #require(try await bench.mails().last)
            #expect(notice.subject.hasPrefix("Earlier access to your ") && notice.to == Self.email)
            let environment = try await bench.composition.audit.newest(50).map(\.entry.fact)
            #expect(environment.contains("account.earlier_access_removed"))
        }
    }

    @Test func `who proves it in the browser that opened the account stays signed in`() async throws {
        try await Bench.run { bench in
            let account = try await bench.addUnproven(Self.email, password: true)
            let owner = try await bench.signIn(Self.email)
            let path = try await Self.link(bench, account)
            #expect(try await bench.send(.post, path, .cookies(owner.device)).status == .ok)
            #expect(try await Self.isProven(bench))
            #expect(try await bench.send(.get, "/auth/me", owner.bearer).status == .ok)
            #expect(try await bench.composition.accounts.show(Self.email).passwordHash != nil)
        }
    }

    @Test(arguments: [false, true])
    func `attack: another account's browser is another device, and so is a token alone`(_ isBobs: Bool) async throws {
        try await Bench.run { bench in
            let account = try await bench.addUnproven(Self.email)
            let (owner, bob) = (try await bench.signIn(Self.email), try await bench.signIn("bob@example.com"))
            let shown: HTTPFields = isBobs ? .cookies(bob.device) : owner.bearer
            #expect(try await bench.send(.post, try await Self.link(bench, account), shown).status == .ok)
            #expect(try await bench.send(.get, "/auth/me", owner.bearer).status == .unauthorized)
            #expect(try await bench.send(.get, "/auth/me", bob.bearer).status == .ok)
        }
    }

    @Test func `a phone that shows its credential is the same device for the link and for a code`() async throws {
        try await Bench.run { bench in
            for isLink in [true, false] {
                let email = isLink ? Self.email : "drew@example.com"
                let account = try await bench.addUnproven(email)
                let phone = try await bench.phone(email, isLink ? Bench.phone : Bench.otherPhone)
                let shown: HTTPFields = [.deviceCredential: phone.credential]
                if isLink {
                    #expect(try await bench.send(.post, try await Self.link(bench, account), shown).status == .ok)
                } else {
                    _ = try await bench.askForCode(email, on: phone.deviceID, shown)
                    let code = try #require(try await bench.mails().last).code
                    let name = #""email":"\#(email)""#
                    #expect(try await bench.typeCode(code, name, on: phone.deviceID, shown).status == .ok)
                }
                #expect(try await bench.composition.accounts.show(email).emails.allSatisfy(\.isVerified))
                #expect(try await bench.send(.get, "/auth/me", phone.bearer).status == .ok, "\(email)")
            }
        }
    }

    @Test func `the password says who proves it: then nothing is removed, in whatever browser`() async throws {
        try await Bench.run { bench in
            let eve = try await bench.register("eve@example.com").decode(SignInResponse.self)
            let path = try #require(try await bench.mails().last).path
            let page = try await bench.send(.get, path)
            #expect(page.text.contains(#"type="password""#))
            let wrong = try await bench.submit(path, "password=something+else+again")
            #expect(wrong.status == .forbidden && wrong.text.contains("isn’t the account’s password"))
            #expect(try await !bench.me(eve.accessToken).emailVerified, "nothing was done")
            #expect(try await bench.submit(path, "password=correct+horse+battery").status == .ok)
            #expect(try await bench.me(eve.accessToken).emailVerified)
            #expect(try await bench.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    @Test func `attack: the page of a link takes no more passwords than a sign-in, and counts them with those`()
        async throws
    {
        try await Bench.run { bench in
            try await bench.register("eve@example.com")
            let path = try #require(try await bench.mails().last).path
            for _ in 1...2 { _ = try await bench.passwordSignIn("eve@example.com", "something else again") }
            for _ in 1...3 { #expect(try await bench.submit(path, "password=guess+guess+guess").status == .forbidden) }
            let sixth = try await bench.submit(path, "password=correct+horse+battery")
            #expect(sixth.status == .tooManyRequests && sixth.headers[.retryAfter] == "30")
            try bench.expect(try await bench.passwordSignIn("eve@example.com"), is: "rate_limited", 429)
            #expect(try await bench.submit(path, "password=").status == .ok, "the owner needs none")
        }
    }

    @Test func `attack: an address that has become another's is not called confirmed`() async throws {
        try await Bench.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { bench in
            for _ in 1...2 { try await bench.register("eve@example.com") }
            let paths = try await bench.mails().map { try $0.path }
            try #require(paths.count == 2)
            #expect(try await bench.send(.post, paths[0]).status == .ok)
            let late = try await bench.send(.post, paths[1])
            #expect(late.status == .gone && !late.text.contains("confirmed"))
        }
    }

    @Test func `there is a way back where the wallet's routes are off: a mailed code, and a password by it`()
        async throws
    {
        try await Bench.run {
            $0.accounts.requireVerifiedEmail = true
            $0.surfaces["mobile"]?.enabled = false
        } _: { bench in
            try await bench.register("eve@example.com")
            let path = try #require(try await bench.mails().last).path
            #expect(try await bench.submit(path, "password=").status == .ok)
            try bench.expect(try await bench.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
            _ = try await bench.mails()
            let device = #""deviceId":"\#(Bench.mailPhone)""#
            let asked = try await bench.post("/auth/login/code", #"{"email":"eve@example.com",\#(device)}"#)
            #expect(asked.status == .ok, "\(asked.text)")
            let code = try #require(try await bench.mails().last).code
            let typed = try await bench.post(
                "/api/auth/login/code/verify",
                #"{"email":"eve@example.com",\#(device),"code":"\#(code)"}"#
            )
            #expect(typed.status == .ok && typed.cookie("vst_device") != nil, "\(typed.text)")
            let eve = try typed.decode(SignInResponse.self)
            #expect(try await bench.change(eve, from: nil, to: "a horse of another colour").status == .ok)
            #expect(try await bench.passwordSignIn("eve@example.com", "a horse of another colour").status == .ok)
        }
    }

    @Test func `attack: a link that was changed, is old, or is another account's proves nothing`() async throws {
        try await Bench.run { bench in
            let account = try await bench.addUnproven(Self.email)
            let path = try await Self.link(bench, account)
            let token = try #require(path.split(separator: "/").last)
            for place in stride(from: 0, to: token.count, by: 5) {
                var letters = Array(token)
                letters[place] = letters[place] == "A" ? "B" : "A"
                #expect(try await bench.send(.post, "/mail/address/" + String(letters)).status == .gone)
            }
            for other in ["", "x", String(token.dropLast()), "\(token)AAAA"] {
                #expect(try await bench.send(.post, "/mail/address/\(other)").status.code >= 400)
            }
            let bob = try await bench.composition.accounts.show("bob@example.com").account.id
            let foreign = try await Self.link(bench, bob)
            #expect(try await bench.send(.post, foreign).status == .gone, "it is for an address that is not his")
            bench.time.advance(by: AddressProofService.lifetime)
            #expect(try await bench.send(.get, path).status == .gone)
            #expect(try await bench.send(.post, path).status == .gone)
            #expect(try await !Self.isProven(bench))
        }
    }

    @Test func `a sign-in by a mailed code proves the address too, and puts others out`() async throws {
        try await Bench.run { bench in
            _ = try await bench.addUnproven(Self.email, password: true)
            let attacker = try await bench.signIn(Self.email)
            _ = try await bench.askForCode(Self.email)
            let code = try #require(try await bench.mails().first).code
            let answer = try await bench.typeCode(code, #""email":"\#(Self.email)""#)
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await Self.isProven(bench))
            try bench.expect(try await bench.send(.get, "/auth/me", attacker.bearer), is: "unauthorized", 401)
            let fresh = try answer.decode(SignInResponse.self)
            #expect(try await bench.send(.get, "/auth/me", .bearing(fresh.accessToken)).status == .ok)
            #expect(try await bench.composition.accounts.show(Self.email).passwordHash == nil)
        }
    }

    /// The path of a link that was mailed to Casey's address as that account's.
    private static func link(_ bench: Bench, _ account: AccountID) async throws -> String {
        let address = try #require(EmailAddress(email))
        try await bench.composition.unitOfWork.run { [proofs = bench.composition.mailProofs.addresses] transaction in
            try proofs.send(
                to: address,
                of: account,
                language: "en",
                client: "mwsim",
                turn: MailboxTurn { true },
                in: transaction
            )
        }
        return try #require(try await bench.mails().last).path
    }

    private static func isProven(_ bench: Bench) async throws -> Bool {
        try await bench.composition.accounts.show(email).emails.allSatisfy(\.isVerified)
    }
}
