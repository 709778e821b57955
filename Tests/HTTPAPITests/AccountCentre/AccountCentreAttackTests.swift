import Accounts
import Devices
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Testing
import Wallet

@testable import Assembly
@testable import HTTPAPI

/// What must not get into anybody's account centre.
struct AccountCentreAttackTests {
    // T-035
    @Test func `attack: a form of another site, or without the session's token, changes nothing`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let other = try await harness.accountBrowser()
            let (token, foreign) = (try await ada.token(), try await other.token())
            #expect(token != foreign, "each session has its own")
            let id = ("id", other.session.description)
            for headers in [
                [.fetchSite: "cross-site"], [.fetchSite: "same-site"], [.origin: "https://evil.example.net"],
                [.origin: "null"],
            ] as [HTTPFields] {
                let refused = try await ada.press("end", [id, ("token", token)], headers)
                #expect(refused.status == .forbidden, "\(headers)")
            }
            for wrong in ["", "x", foreign] {
                let refused = try await ada.press("end", [id, ("token", wrong)])
                #expect(refused.status == .forbidden && refused.text.contains("out of date"), "\(wrong)")
            }
            #expect(try await other.isSignedIn())
            #expect(try await ada.press("end", [id, ("token", token)]).status == .seeOther)
        }
    }

    @Test func `attack: no GET changes anything, whatever its query`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            let other = try await harness.accountBrowser()
            let token = try await ada.token()
            for page in AccountPage.allCases {
                let query =
                    "?id=\(other.session)&token=\(token)&do=remove&name=ada%40example.com&new=a+horse+of+another"
                _ = try await ada.load("/\(page.rawValue)\(query)")
            }
            #expect(try await other.isSignedIn())
            #expect(try await ada.isSignedIn())
            #expect(try await harness.isEnrolled("ada@example.com"))
        }
    }

    @Test func `attack: a thing of another account gets the answer of an unknown one`() async throws {
        try await Harness.run { harness in
            let eve = try await harness.passkeyBrowser("eve")
            let ada = try await harness.accountBrowser()
            try await harness.enroll(try await harness.phone())
            let login = try harness.row(try await harness.start())
            let card = try #require(try await harness.composition.wallet.cards.cards(of: ada.account).first).id
            let device = try #require(
                try await harness.api.services.devices.owned.list(of: ada.account, client: nil).first
            ).device.id
            let bobs = try await harness.passkeyBrowser("bobby")
            let passkey = try #require(try await harness.api.services.passkeys.owned.list(of: bobs.account).first).id
            try await harness.consent(ada.account, to: "shop")
            let unknown = "00000000-0000-7000-8000-000000000000"
            let things: [(String, String)] = [
                ("end", "\(ada.session)"), ("session", "\(ada.session)"), ("login", login), ("device", "\(device)"),
                ("passkey", "\(passkey)"), ("passkey-removal", "\(passkey)"), ("card", "\(card)"), ("app", "shop"),
            ]
            for (page, id) in things {
                let answers = [
                    try await eve.press(page, [("id", id), ("name", "x")]),
                    try await eve.press(page, [("id", unknown), ("name", "x")]),
                ]
                #expect(answers.map(\.status) == [.notFound, .notFound], "\(page): \(answers[0].text)")
                #expect(answers[0].text == answers[1].text, "\(page)")
                guard AccountPage(rawValue: page)?.isShown == true else { continue }
                let shown = [try await eve.load("/\(page)?id=\(id)"), try await eve.load("/\(page)?id=\(unknown)")]
                #expect(shown.map(\.status) == [.notFound, .notFound] && shown[0].text == shown[1].text, "\(page)")
            }
            #expect(try await ada.isSignedIn())
            #expect(try await harness.api.services.accounts.owner.consents.list(of: ada.account).count == 1)
        }
    }

    // T-106
    @Test func `attack: a passkey that a password has just added proves no more than the password`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            try await harness.giveAccountPassword(ada.account)
            let thief = try await harness.accountBrowser(by: .password)
            _ = try await harness.addPasskey(by: .cookies(thief.cookie))
            let passkey = try #require(
                try await harness.api.services.passkeys.owned.list(of: ada.account).first
            ).id
            let proof = AuthenticationProof.passkey(passkey, isSynced: false, isUserVerified: true)
            let young = try await harness.accountBrowser(by: proof)
            for page in ["face", "data", "close", "password-removal"] {
                #expect(try await young.load("/\(page)").status == .forbidden, "\(page)")
                let fields = [("do", "remove"), ("name", "ada@example.com")]
                #expect(try await young.press(page, fields).status == .forbidden, "\(page)")
            }
            #expect(try await harness.isEnrolled("ada@example.com"))
            #expect(try await harness.count(of: "account.closed") == 0)
            harness.time.advance(by: CoolingOff.period)
            let old = try await harness.accountBrowser(by: proof)
            #expect(try await old.load("/close").status == .ok, "after a day it counts")
        }
    }

    // T-106
    @Test func `attack: a password does not remove a passkey by disowning the sign-in that made it`() async throws {
        try await Harness.run { harness in
            let grace = try await harness.passkeyBrowser()
            try await harness.giveAccountPassword(grace.account)
            let thief = try await harness.accountBrowser(of: grace.account, by: .password)
            let id = ("id", grace.session.description)
            #expect(try await thief.load("/session?id=\(grace.session)").status == .forbidden)
            #expect(try await thief.press("session", [id]).status == .forbidden)
            #expect(try await harness.api.services.passkeys.owned.list(of: grace.account).count == 1)
            #expect(try await grace.isSignedIn())
            #expect(try await grace.press("session", [("id", thief.session.description)]).status == .seeOther)
            #expect(try await !thief.isSignedIn(), "the owner can")
        }
    }

    // T-106
    @Test func `attack: a password or an old cookie disowns no sign-in by way of its login, but stops a login`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.addPasskey(by: ada.bearer)
            let done = try harness.row(ada.login)
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            try await harness.giveAccountPassword(account)
            let attacker = try await harness.accountBrowser(by: .password)
            #expect(try await attacker.load("/login?id=\(done)").status == .forbidden)
            #expect(try await attacker.press("login", [("id", done)]).status == .forbidden)

            let owner = try await harness.accountBrowser(by: .face)
            harness.time.advance(by: .seconds(601))
            #expect(try await owner.press("login", [("id", done)]).isSentToSignIn)
            let pending = try harness.row(try await harness.start())
            #expect(try await owner.press("login", [("id", pending)]).target == "../account?done=disowned#status")
            #expect(try await harness.api.services.passkeys.owned.list(of: account).count == 1)

            let again = try await harness.accountBrowser(by: .face)
            #expect(try await again.press("login", [("id", done)]).target == "../account?done=disowned#status")
            #expect(try await harness.api.services.passkeys.owned.list(of: account).isEmpty)
        }
    }

    @Test func `attack: an access token opens no page, and a listed origin's scripts read none`() async throws {
        try await Harness.run { settings in
            settings.listen.corsOrigins = ["https://app.example.com"]
        } _: { harness in
            let person = try await harness.signIn()
            #expect(try await harness.send(.get, "/account", person.bearer).isSentToSignIn)
            let ada = try await harness.accountBrowser()
            let read = try await ada.load("", [.origin: "https://app.example.com"])
            #expect(read.headers[.accessControlAllowOrigin] == nil)
            let pressed = try await ada.press("others", [], [.origin: "https://app.example.com"])
            #expect(pressed.status == .forbidden)
        }
    }

    @Test func `attack: a return address after a sign-in leads to this server's own pages alone`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.accountBrowser()
            for to in ["https://evil.example.net", "//evil.example.net", "../oauth/logout", "end"] {
                #expect(try await ada.press("again", [("to", to), ("id", "x")]).isSentToSignIn, "\(to)")
            }
            let odd = try await harness.send(.get, "/account/passkey?id=%22%3E%3Cscript%3E")
            #expect(odd.isSentToSignIn)
            let shown = try await ada.load("/session?id=%22%3E%3Cscript%3E")
            #expect(shown.status == .notFound && !shown.text.contains("<script"))
        }
    }

    @Test func `attack: requests beyond a session's limit get a page that says so`() async throws {
        try await Harness.run {
            $0.limits.rates.accounts.ownerViewsPerSession = RateLimit(burst: 3, every: .seconds(1))
        } _: { harness in
            let ada = try await harness.accountBrowser()
            for _ in 0..<3 { #expect(try await ada.load().status == .ok) }
            let refused = try await ada.load()
            #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] == "1")
            #expect(refused.text.contains("<h1>"))
        }
    }

    @Test func `the routes for apps end a session and withdraw a consent, and nothing of another account`() async throws
    {
        try await Harness.run { harness in
            let (ada, bob) = (try await harness.signIn(), try await harness.signIn("bob@example.com"))
            let other = try await harness.accountBrowser()
            try await harness.consent(other.account, to: "shop/one+two")
            let path = "/auth/sessions/\(other.session)"
            try harness.expect(try await harness.send(.delete, path, bob.bearer), is: "session_not_found", 404)
            try harness.expect(
                try await harness.send(.delete, "/auth/sessions/x", ada.bearer),
                is: "session_not_found",
                404
            )
            for prefix in ["", "/api"] {
                #expect(try await harness.send(.delete, prefix + path, ada.bearer).status == .ok)
            }
            #expect(try await other.load().isSentToSignIn)
            let consent = "/auth/consents/shop%2Fone+two"
            try harness.expect(try await harness.send(.delete, consent, bob.bearer), is: "consent_not_found", 404)
            let listed = try await harness.send(.get, "/auth/consents", ada.bearer)
            #expect(try listed.decode(OwnedConsentsResponse.self).consents.map(\.scopes) == [["email", "openid"]])
            #expect(try await harness.send(.get, "/auth/consents", bob.bearer).text == #"{"consents":[]}"#)
            #expect(try await harness.send(.delete, consent, ada.bearer).status == .ok)
            try harness.expect(try await harness.send(.delete, consent, ada.bearer), is: "consent_not_found", 404)
        }
    }
}
