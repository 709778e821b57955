import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// An owner gives the account another address.
struct EmailChangeTests {
    private static let new = "lovelace@example.com"

    // T-106
    @Test(arguments: ["/auth/email", "/api/auth/email"])
    func `the new address counts once its link is followed; the old one is told, and what it opened ends`(
        _ path: String
    ) async throws {
        try await Harness.run { harness in
            let (ada, other) = (try await harness.signIn(), try await harness.signIn())
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().last).code
            #expect(try await harness.post(path, #"{"email":"Lovelace@example.com"}"#, ada.bearer).status == .ok)
            let mail = try #require(try await harness.mails().last)
            #expect(mail.to == Self.new && mail.subject.hasPrefix("Confirm your e-mail address"))
            let before = try await harness.me(ada.tokens.accessToken)
            #expect(before.email == "ada@example.com" && before.emailVerified, "nothing has changed yet")
            #expect(try await harness.send(.post, mail.path, .cookies(ada.device)).status == .ok)
            let after = try await harness.me(ada.tokens.accessToken)
            #expect(after.email == Self.new && after.emailVerified)
            let told = try await harness.mails()
            #expect(told.map(\.to) == ["ada@example.com"] && told[0].subject.hasPrefix("The e-mail address of your"))
            try harness.expect(try await harness.send(.get, "/auth/me", other.bearer), is: "unauthorized", 401)
            try harness.expect(try await harness.typeCode(code), is: "unauthorized", 401)
            _ = try await harness.askForCode("ada@example.com")
            #expect(try await harness.mails().isEmpty, "nobody has the old address")
            _ = try await harness.askForCode(Self.new, on: Harness.tablet)
            #expect(try await harness.mails().map(\.to) == [Self.new])
            #expect(try await harness.count(of: "account.address_changed") == 1)
        }
    }

    // T-106
    @Test func `attack: a sign-in older than ten minutes can't change the address, also after a refresh`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            harness.time.advance(by: .seconds(600))
            let refreshed = try await harness.refresh(ada.tokens.refreshToken).accessToken
            for token in [ada.tokens.accessToken, refreshed] {
                let response = try await harness.post("/auth/email", #"{"email":"\#(Self.new)"}"#, .bearing(token))
                try harness.expect(response, is: "step_up_required", 403)
            }
            for headers: HTTPFields in [[:], .bearing("x.y.z"), .bearing(ada.tokens.refreshToken)] {
                let response = try await harness.post("/auth/email", #"{"email":"\#(Self.new)"}"#, headers)
                try harness.expect(response, is: "unauthorized", 401)
            }
            #expect(try await harness.mails().isEmpty)
        }
    }

    // T-106
    @Test func `attack: a password sign-in can't change a proved address and gets 403 step_up_required`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            _ = try await harness.mails()
            let attacker = try await harness.passwordSignIn("ada@example.com").decode(SignInResponse.self)
            let body = #"{"email":"\#(Self.new)"}"#
            for path in ["/auth/email", "/api/auth/email"] {
                let response = try await harness.post(path, body, .bearing(attacker.accessToken))
                try harness.expect(response, is: "step_up_required", 403)
                #expect(response.headers[.wwwAuthenticate] == nil)
            }
            #expect(try await harness.mails().isEmpty)
            let email = try await harness.me(attacker.accessToken).email
            #expect(email == "ada@example.com")
        }
    }

    // T-079
    @Test func `attack: changing to an address of another account is answered as for a free one, and sends no mail`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            var seen: Set<String> = []
            for email in ["bob@example.com", Self.new, "ada@example.com"] {
                let answer = try await harness.post("/auth/email", #"{"email":"\#(email)"}"#, ada.bearer)
                seen.insert("\(answer.status.code) \(answer.headerNames) \(answer.text)")
            }
            #expect(seen.count == 1, "\(seen)")
            #expect(try await harness.mails().map(\.to) == [Self.new])
            let bob = try await harness.composition.accounts.show("bob@example.com")
            #expect(bob.account.displayName == "Bob")
            try harness.expect(
                try await harness.post("/auth/email", #"{"email":"nobody"}"#, ada.bearer),
                is: "invalid_email",
                400
            )
        }
    }

    // T-115
    @Test func `attack: confirming an address that another account claimed ends that account's sessions`() async throws
    {
        try await Harness.run { harness in
            let mallory = try await harness.signIn("bob@example.com")
            _ = try await harness.post("/auth/password", #"{"newPassword": "\#(Harness.password)"}"#, mallory.bearer)
            _ = try await harness.mails()
            _ = try await harness.post("/auth/email", #"{"email":"victim@example.com"}"#, mallory.bearer)
            let path = try #require(try await harness.mails().last).path
            #expect(try await harness.send(.post, path).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", mallory.bearer), is: "unauthorized", 401)
            let record = try await harness.composition.accounts.show("victim@example.com")
            #expect(record.passwordHash == nil && record.enrolments.isEmpty)
            let told = Set(try await harness.mails().map(\.to))
            #expect(told == ["bob@example.com", "victim@example.com"])
        }
    }

    // T-081
    @Test func `attack: a link to confirm an address is void once the session that asked for it has ended`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.post("/auth/email", #"{"email":"\#(Self.new)"}"#, ada.bearer)
            let path = try #require(try await harness.mails().last).path
            #expect(try await harness.send(.get, path).status == .ok)
            #expect(try await harness.send(.post, "/auth/logout", ada.bearer).status == .ok)
            for method in [HTTPRequest.Method.get, .post] {
                #expect(try await harness.send(method, path, .cookies(ada.device)).status == .gone)
            }
            #expect(try await harness.composition.accounts.show("ada@example.com").account.displayName == "Ada")
        }
    }

    // T-081
    @Test func `attack: a newer address change, or an operator's, voids the previous link`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            var paths: [String] = []
            for email in ["first@example.com", "second@example.com"] {
                _ = try await harness.post("/auth/email", #"{"email":"\#(email)"}"#, ada.bearer)
                paths.append(try #require(try await harness.mails().last).path)
            }
            #expect(try await harness.send(.post, paths[0], .cookies(ada.device)).status == .gone)
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().last).code
            let change = AccountChange(email: "operator@example.com")
            _ = try await harness.composition.accounts.change("ada@example.com", change)
            #expect(try await harness.send(.post, paths[1], .cookies(ada.device)).status == .gone)
            try harness.expect(try await harness.typeCode(code), is: "unauthorized", 401)
            try harness.expect(try await harness.send(.get, "/auth/me", ada.bearer), is: "unauthorized", 401)
            let record = try await harness.composition.accounts.show("operator@example.com")
            #expect(record.emails.map(\.address.text) == ["operator@example.com"])
        }
    }

    @Test func `an address that is not proven yet gets its link once more`() async throws {
        try await Harness.run { harness in
            let eve = try await harness.register("eve@example.com").decode(SignInResponse.self)
            _ = try await harness.mails()
            let body = #"{"email":"eve@example.com"}"#
            #expect(try await harness.post("/auth/email", body, .bearing(eve.accessToken)).status == .ok)
            let path = try #require(try await harness.mails().last).path
            #expect(try await harness.submit(path, "password=correct+horse+battery").status == .ok)
            #expect(try await harness.me(eve.accessToken).emailVerified)
        }
    }

    // T-082
    @Test func `attack: a mailbox gets at most five links, whatever the route and spelling of its address`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            let ada = try await harness.signIn()
            for email in ["victim@example.com", "victim+1@example.com", "Victim+2@example.com"] {
                #expect(try await harness.register(email).status == .created)
            }
            for _ in 1...2 {
                let body = #"{"email":"victim@example.com"}"#
                #expect(try await harness.post("/auth/email", body, ada.bearer).status == .ok)
            }
            #expect(try await harness.register("victim@example.com").status == .created, "the owner is not kept out")
            let changed = try await harness.post("/auth/email", #"{"email":"victim+3@example.com"}"#, ada.bearer)
            #expect(changed.status == .ok, "one answer, whether a mail goes out or not")
            #expect(try await harness.mails().count == 5)
            #expect(try await harness.register("other@example.com").status == .created)
            #expect(try await harness.mails().map(\.to) == ["other@example.com"], "others' are their own")
            harness.time.advance(by: .seconds(720))
            let eve = try await harness.register("victim@example.com").decode(SignInResponse.self)
            #expect(try await harness.mails().map(\.to) == ["victim@example.com"])
            harness.time.advance(by: .seconds(720))
            let again = try await harness.register("victim@example.com").decode(SignInResponse.self)
            #expect(again.user.id != eve.user.id)
            #expect(try await harness.mails().count == 1, "one every twelve minutes")
        }
    }

    // T-082
    @Test(.ofOneDaemon("Several daemons count a mail before they know whether it is sent."))
    func `attack: requests that send no mail do not count against the mailbox's five links`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            for _ in 1...6 {
                try harness.expect(try await harness.register("bob@example.com"), is: "email_taken", 409)
                let body = #"{"email":"bob@example.com"}"#
                #expect(try await harness.post("/auth/email", body, ada.bearer).status == .ok)
            }
            #expect(try await harness.mails().isEmpty)
            #expect(try await harness.register("bob+1@example.com").status == .created)
            #expect(try await harness.mails().map(\.to) == ["bob+1@example.com"])
        }
    }

    // T-082
    @Test(.ofOneDaemon(.dividedLimit))
    func `attack: the 101st link that one client address has mailed in an hour gets 429`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            for number in 1...100 {
                let body = #"{"email":"p\#(number)@example.com"}"#
                #expect(try await harness.post("/auth/email", body, ada.bearer).status == .ok)
            }
            let more = try await harness.post("/auth/email", #"{"email":"p101@example.com"}"#, ada.bearer)
            try harness.expect(more, is: "rate_limited", 429)
        }
    }
}
