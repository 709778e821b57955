import Accounts
import Crypto
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import SignIn
import Testing
import Wire

@testable import Admin
@testable import Assembly
@testable import HTTPAPI

struct PasswordChangeTests {
    private static let path = "/auth/password"
    private static let new = "a horse of another colour"

    // T-113
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a password change needs the old password, ends other sessions and leaves the new one valid`(
        _ storage: HarnessStorage
    )
        async throws
    {
        try await PasswordSignInTests.withEve(storage: storage) { harness in
            let other = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            let own = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            #expect(try await harness.change(own, from: Harness.password, to: Self.new).status == .ok)
            try harness.expect(
                try await harness.send(.get, "/auth/me", .bearing(other.accessToken)),
                is: "unauthorized",
                401
            )
            try harness.expect(
                try await harness.send(.post, "/auth/refresh", .bearing(other.refreshToken)),
                is: "unauthorized",
                401
            )
            #expect(try await harness.send(.get, "/auth/me", .bearing(own.accessToken)).status == .ok)
            try harness.expect(try await harness.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
            #expect(try await harness.passwordSignIn("eve@example.com", Self.new).status == .ok)
            #expect(try await harness.count(of: "account.password_changed") == 1)
        }
    }

    @Test func `the owner is told by mail, at an address that was proved`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let user = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self).user
            _ = try await harness.prove(user.id, within: true)
            let eve = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            #expect(try await harness.change(eve, from: Harness.password, to: Self.new).status == .ok)
            let queued = try await harness.composition.administration.execute(ListMail(states: ["queued"], limit: 10))
            #expect("\(queued)".contains("eve@example.com") && "\(queued)".contains("notice"), "\(queued)")
        }
    }

    // T-105
    @Test func `attack: a sign-in older than ten minutes can't change the password, also after a refresh`()
        async throws
    {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            harness.time.advance(by: .seconds(600))
            let refreshed = try await harness.refresh(eve.refreshToken).accessToken
            for token in [eve.accessToken, refreshed] {
                let response = try await harness.post(
                    Self.path,
                    #"{"currentPassword": "\#(Harness.password)", "newPassword": "\#(Self.new)"}"#,
                    .bearing(token)
                )
                try harness.expect(response, is: "step_up_required", 403)
            }
            #expect(try await harness.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    // T-105
    @Test func `attack: changing the password without the old one or with a wrong one gets 403 and counts as a try`()
        async throws
    {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            try harness.expect(try await harness.change(eve, from: nil, to: Self.new), is: "wrong_password", 403)
            for _ in 1...5 {
                let response = try await harness.change(eve, from: "correct horse batterx", to: Self.new)
                try harness.expect(response, is: "wrong_password", 403)
            }
            let response = try await harness.change(eve, from: Harness.password, to: Self.new)
            try harness.expect(response, is: "rate_limited", 429)
        }
    }

    // T-105
    @Test func `attack: wrong passwords in one session's change lock no linked device out`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let signedIn = try await harness.passwordSignIn("eve@example.com")
            let (eve, cookie) = (try signedIn.decode(SignInResponse.self), signedIn.cookie("vst_device"))
            for _ in 1...5 {
                let guess = try await harness.change(eve, from: "correct horse batterx", to: Self.new)
                try harness.expect(guess, is: "wrong_password", 403)
            }
            let more = try await harness.change(eve, from: Harness.password, to: Self.new)
            try harness.expect(more, is: "rate_limited", 429)
            let device = try #require(cookie)
            let again = try await harness.passwordSignIn("eve@example.com", with: .cookies(device))
            #expect(again.status == .ok, "\(again.text)")
            let own = HTTPFields.cookies(device).bearing(eve.accessToken)
            let body = #"{"currentPassword": "\#(Harness.password)", "newPassword": "\#(Self.new)"}"#
            let changed = try await harness.post(Self.path, body, own)
            #expect(changed.status == .ok, "\(changed.text)")
        }
    }

    // T-102
    @Test func `an account without a password is given its first one`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let body = #"{"newPassword": "\#(Self.new)"}"#
            #expect(try await harness.post(Self.path, body, ada.bearer).status == .ok)
            #expect(try await harness.passwordSignIn("ada@example.com", Self.new).status == .ok)
        }
    }

    @Test func `a new password that is too short is refused, and the old one stays`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            try harness.expect(
                try await harness.change(eve, from: Harness.password, to: "short"),
                is: "weak_password",
                400
            )
            #expect(try await harness.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    // T-113, O-061
    @Test func `attack: a password change ends other sessions, device keys, credentials and browser links`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let first = try await harness.post(Self.path, #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            #expect(first.status == .ok, "\(first.text)")
            let own = try await harness.phone("ada@example.com", Harness.otherPhone, proof: .password)
            let attacker = try await harness.phone()
            let key = P256.Signing.PrivateKey()
            #expect(try await harness.setUp(Harness.spki(key.publicKey), attacker).status == .ok)
            let browser = try await harness.passwordSignIn("ada@example.com")
            let body = #"{"currentPassword": "\#(Harness.password)", "newPassword": "\#(Self.new)"}"#
            let shown = own.bearer.adding(.deviceCredential, own.credential)
            #expect(try await harness.post(Self.path, body, shown).status == .ok)
            let asked = try await harness.post(Harness.biometric + "/challenge", #"{"deviceId":"\#(Harness.phone)"}"#)
            try harness.expect(asked, is: "biometric_not_enabled", 400)
            #expect(try await harness.devices(own).map(\.deviceId) == [Harness.otherPhone], "the owner's own stays")
            let links = try await harness.isLinked(browser.cookie("vst_device"), "ada@example.com")
            #expect(!links, "a browser of before is an outsider's")
            #expect(try await harness.isLinked(nil, "ada@example.com", credential: own.credential))
            #expect(try await !harness.isLinked(nil, "ada@example.com", credential: attacker.credential))
        }
    }

    @Test func `a session by mailed code sets a new password without the old one and ends the others`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            _ = try await harness.post(Self.path, #"{"newPassword": "\#(Harness.password)"}"#, ada.bearer)
            _ = try await harness.mails()
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().last).code
            let reader = try await harness.typeCode(code).decode(SignInResponse.self)
            #expect(try await harness.change(reader, from: nil, to: Self.new).status == .ok)
            #expect(try await harness.passwordSignIn("ada@example.com", Self.new).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", ada.bearer), is: "unauthorized", 401)
            #expect(try await harness.mails().map(\.to) == ["ada@example.com"], "and is told")
            harness.time.advance(by: .seconds(600))
            let late = try await harness.change(reader, from: nil, to: "yet another password")
            try harness.expect(late, is: "step_up_required", 403)
        }
    }

    // T-113
    @Test func `a password set by an operator ends all sessions of the account`() async throws {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            let change = AccountChange(password: Secret(Self.new))
            _ = try await harness.composition.accounts.change("eve@example.com", change)
            let me = try await harness.send(.get, "/auth/me", .bearing(eve.accessToken))
            try harness.expect(me, is: "unauthorized", 401)
            #expect(try await harness.passwordSignIn("eve@example.com", Self.new).status == .ok)
        }
    }

    // T-105
    @Test func `attack: changing the password without an access token gets 401, also with a refresh token`()
        async throws
    {
        try await PasswordSignInTests.withEve { harness in
            let eve = try await harness.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            let body = #"{"currentPassword": "\#(Harness.password)", "newPassword": "\#(Self.new)"}"#
            for headers: HTTPFields in [[:], .bearing(eve.refreshToken), .bearing("x.y.z")] {
                try harness.expect(try await harness.post(Self.path, body, headers), is: "unauthorized", 401)
            }
        }
    }
}

extension Harness {
    /// Whether a cookie or a credential proves a device of that account.
    func isLinked(_ cookie: String?, _ email: String, credential: String? = nil) async throws -> Bool {
        let value = cookie.map { Secret(String($0.drop { $0 != "=" }.dropFirst())) }
        let evidence = PresentedDevice(
            cookies: DeviceCookies(value).digests,
            credential: credential.map { Digest256(sha256: $0) }
        )
        let account = try await composition.accounts.show(email).account.id
        return try await composition.unitOfWork.run { [linked = composition.linkedDevices] transaction in
            try linked.device(provedBy: evidence, of: account, in: transaction) != nil
        }
    }

    func change(_ who: SignInResponse, from old: String?, to new: String) async throws -> TestResponse {
        let current = old.map { #""currentPassword": "\#($0)", "# } ?? ""
        return try await post("/auth/password", #"{\#(current)"newPassword": "\#(new)"}"#, .bearing(who.accessToken))
    }
}
