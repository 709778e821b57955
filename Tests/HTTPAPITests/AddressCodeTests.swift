import Audit
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Passkeys
import Sessions
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Accounts
@testable import Assembly
@testable import HTTPAPI

/// The code that proves an address in the app where the person is signed in, and the page of its link.
struct AddressCodeTests {
    private static let email = "eve@example.com"

    @Test(arguments: ["", "/api"])
    func `an address proved by code keeps the app signed in, and the owner's mail names its device`(
        _ prefix: String
    ) async throws {
        try await Harness.run { harness in
            let (eve, mail) = try await Self.open(harness)
            let other = try await harness.phone(Self.email, Harness.otherPhone)
            let typed = try mail.addressCode.lowercased().replacing("-", with: " ")
            let answer = try await harness.post(
                prefix + "/auth/email/verify",
                #"{"code":"\#(typed)"}"#,
                .bearing(eve.accessToken)
            )
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await harness.me(eve.accessToken).emailVerified, "still signed in")
            #expect(try await harness.refreshMobile(eve.refreshToken).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", other.bearer), is: "unauthorized", 401)
            let told = try #require(try await harness.mails().last)
            #expect(told.to == Self.email && told.subject == "Your e-mail address for mwsim is confirmed")
            #expect(told.text.contains("Eve’s phone"), "\(told.text)")
            let events = try await harness.composition.audit.newest(50).map(\.entry.event)
            #expect(
                events.contains("account.address_proven") && events.contains("account.earlier_access_removed")
            )
            // A code works once.
            let again = try await harness.post(
                "/auth/email/verify",
                #"{"code":"\#(typed)"}"#,
                .bearing(eve.accessToken)
            )
            try harness.expect(again, is: "wrong_address_code", 403)
        }
    }

    // T-115
    @Test func `attack: proving the address by a code removes the account's password, passkeys, devices and keys`()
        async throws
    {
        try await Harness.run { harness in
            let (eve, mail) = try await Self.open(harness)
            let account = try await harness.composition.accounts.show(Self.email).account.id
            let hash = Secret("scrypt$16384$8$5$c2FsdA$aGFzaA")
            _ = try await harness.composition.unitOfWork.run { [passwords = harness.composition.passwords] in
                try passwords.set(hash, of: account, in: $0)
            }
            let tablet = try await harness.phone(Self.email, Harness.otherPhone)
            #expect(try await harness.setUp(Harness.spki(P256.Signing.PrivateKey().publicKey), tablet).status == .ok)
            let options = try await harness.registrationOptions(Self.email, tablet.bearer)
            let (_, response) = try harness.browser.create(options.text)
            let body = try Harness.answer(response, to: options)
            #expect(try await harness.post("/api/verify-registration", body, tablet.bearer).status == .ok)
            #expect(try await harness.composition.passkeys.owned.list(of: account).count == 1)
            let code = try mail.addressCode
            let verified = try await harness.post(
                "/auth/email/verify",
                #"{"code":"\#(code)"}"#,
                .bearing(eve.accessToken)
            )
            #expect(verified.status == .ok, "\(verified.text)")
            let record = try await harness.composition.accounts.show(Self.email)
            #expect(record.passwordHash == nil)
            #expect(try await harness.composition.passkeys.owned.list(of: account).isEmpty)
            try harness.expect(try await harness.send(.get, "/auth/me", tablet.bearer), is: "unauthorized", 401)
            let asked = #"{"deviceId":"\#(Harness.otherPhone)"}"#
            let challenge = try await harness.post(Harness.biometric + "/challenge", asked)
            try harness.expect(challenge, is: "biometric_not_enabled", 400)
            let listed = try await harness.send(.get, "/api/mobile/devices", .bearing(eve.accessToken))
            #expect(try listed.decode(OwnedDevicesResponse.self).devices.map(\.deviceId) == [Harness.phone])
        }
    }

    @Test func `a password stays where the session that types the code began with it`() async throws {
        try await Harness.run { harness in
            let eve = try await harness.register(Self.email).decode(SignInResponse.self)
            let code = try #require(try await harness.mails().last).addressCode
            let answer = try await harness.post(
                "/auth/email/verify",
                #"{"code":"\#(code)"}"#,
                .bearing(eve.accessToken)
            )
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await harness.passwordSignIn(Self.email).status == .ok)
        }
    }

    // T-080
    @Test func `attack: an address code is refused in another account, and five wrong codes start a pause`()
        async throws
    {
        try await Harness.run { harness in
            let (eve, mail) = try await Self.open(harness)
            let code = try mail.addressCode
            let ada = try await harness.signIn()
            let foreign = try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, ada.bearer)
            try harness.expect(foreign, is: "wrong_address_code", 403)
            let bearer = HTTPFields.bearing(eve.accessToken)
            for wrong in ["", "12345678", "BCDFGHJ", "BCDFGHJKL"] {
                let answer = try await harness.post("/auth/email/verify", #"{"code":"\#(wrong)"}"#, bearer)
                try harness.expect(answer, is: "invalid_request", 400)
            }
            let other = code.hasPrefix("BCDF") ? "GHJK-LMNP" : "BCDF-GHJK"
            for _ in 1...5 {
                let answer = try await harness.post("/auth/email/verify", #"{"code":"\#(other)"}"#, bearer)
                try harness.expect(answer, is: "wrong_address_code", 403)
            }
            let sixth = try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, bearer)
            try harness.expect(sixth, is: "rate_limited", 429)
            harness.time.advance(by: .seconds(31))
            let late = try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, bearer)
            #expect(late.status == .ok, "\(late.text)")
        }
    }

    @Test func `attack: after an outsider's five wrong passwords the owner's address code is still accepted`()
        async throws
    {
        try await Harness.run { harness in
            let (eve, code) = try await Self.openWithPassword(harness)
            for _ in 1...5 { #expect(try await harness.passwordSignIn(Self.email, "wrong").status == .unauthorized) }
            #expect(try await harness.passwordSignIn(Self.email, "wrong").status == .tooManyRequests)
            let typed = try await Self.type(code, eve, harness)
            #expect(typed.status == .ok, "\(typed.text)")
        }
    }

    // T-080
    @Test func `attack: a right address code does not reset wrong passwords, and wrong codes do not block sign-in`()
        async throws
    {
        try await Harness.run { harness in
            let (eve, code) = try await Self.openWithPassword(harness)
            for _ in 1...5 {
                try harness.expect(try await Self.type(Self.other(code), eve, harness), is: "wrong_address_code", 403)
            }
            try harness.expect(try await Self.type(code, eve, harness), is: "rate_limited", 429)
            #expect(try await harness.passwordSignIn(Self.email).status == .ok, "from a device that is not linked")
            for _ in 1...4 { #expect(try await harness.passwordSignIn(Self.email, "wrong").status == .unauthorized) }
            harness.time.advance(by: .seconds(31))
            #expect(try await Self.type(code, eve, harness).status == .ok)
            #expect(try await harness.passwordSignIn(Self.email, "wrong").status == .unauthorized, "the fifth")
            #expect(try await harness.passwordSignIn(Self.email, "wrong").status == .tooManyRequests, "still counted")
        }
    }

    // T-080
    @Test func `attack: of concurrent wrong address codes in two sessions of an account only five are checked`()
        async throws
    {
        try await Harness.run { harness in
            let (eve, code) = try await Self.openWithPassword(harness)
            let second = try await harness.passwordSignIn(Self.email).decode(SignInResponse.self)
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        let session = number.isMultiple(of: 2) ? eve : second
                        return Int(try await Self.type(Self.other(code), session, harness).status.code)
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.count { $0 == 403 } == 5, "\(answers)")
            #expect(answers.count { $0 == 429 } == 27, "\(answers)")
            try harness.expect(try await Self.type(code, eve, harness), is: "rate_limited", 429)
        }
    }

    // T-080
    @Test func `attack: an address code is refused after two days, and once another account has proved the address`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            var opened: [(SignInResponse, String)] = []
            for number in 1...3 {
                let body = Self.registration("1b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a2\(number)")
                let answer = try await harness.post("/api/mobile/auth/register", body)
                let code = try #require(try await harness.mails().last).addressCode
                opened.append((try answer.decode(SignInResponse.self), code))
            }
            #expect(Set(opened.map(\.1)).count == 3)
            func type(_ code: String, _ token: String) async throws -> TestResponse {
                try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, .bearing(token))
            }
            #expect(try await type(opened[0].1, opened[0].0.accessToken).status == .ok)
            try harness.expect(try await type(opened[1].1, opened[1].0.accessToken), is: "wrong_address_code", 403)
            harness.time.advance(by: .seconds(2 * 86_400))
            let fresh = try await harness.refreshMobile(opened[2].0.refreshToken).decode(RefreshResponse.self)
            try harness.expect(try await type(opened[2].1, fresh.accessToken), is: "wrong_address_code", 403)
        }
    }

    @Test func `the code for a new address is accepted in the session that asked for it, and in no other`() async throws
    {
        try await Harness.run { harness in
            let other = try await harness.signIn()
            _ = try await harness.askForCode()
            let mailed = try #require(try await harness.mails().last).code
            let ada = try await harness.typeCode(mailed).decode(SignInResponse.self)
            let bearer = HTTPFields.bearing(ada.accessToken)
            let asked = try await harness.post("/auth/email", #"{"email":"new@example.com"}"#, bearer)
            #expect(asked.status == .ok, "\(asked.text)")
            let code = try #require(try await harness.mails().last).addressCode
            let foreign = try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, other.bearer)
            try harness.expect(foreign, is: "wrong_address_code", 403)
            let own = try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, bearer)
            #expect(own.status == .ok, "\(own.text)")
            #expect(try await harness.me(ada.accessToken).email == "new@example.com")
            try harness.expect(try await harness.send(.get, "/auth/me", other.bearer), is: "unauthorized", 401)
            #expect(
                try await harness.mails().map(\.to).sorted() == ["ada@example.com", "new@example.com"],
                "both are told"
            )
        }
    }

    @Test func `the link's page says that proving signs every app out, and names the client in use`()
        async throws
    {
        try await Harness.run { harness in
            let (eve, mail) = try await Self.open(harness)
            #expect(mail.subject == "Confirm your e-mail address for mwsim" && !mail.text.contains("BBMS"))
            #expect(mail.text.contains("The link signs every app out."))
            let page = try await harness.send(.get, mail.path)
            #expect(page.text.contains("signs every app and browser out, also on this device"))
            #expect(page.text.contains("an app of mwsim") && !page.text.contains("BBMS"))
            #expect(try await harness.send(.get, "/auth/me", .bearing(eve.accessToken)).status == .ok)
            #expect(try await harness.send(.post, mail.path).status == .ok)
            let told = try #require(try await harness.mails().last)
            #expect(told.subject == "Earlier access to your mwsim account was removed")
            #expect(!told.text.contains("BBMS"))
        }
    }

    @Test func `on a device of the account the page says that one stays signed in`() async throws {
        try await Harness.run { harness in
            let registered = try await harness.register(Self.email)
            let mail = try #require(try await harness.mails().last)
            #expect(mail.subject == "Confirm your e-mail address for BBMS")
            let cookie = HTTPFields.cookies(registered.cookie("vst_device"))
            let page = try await harness.send(.get, mail.path, cookie)
            #expect(page.text.contains("you stay signed in here.") && !page.text.contains("signs every app"))
        }
    }

    @Test func `a link token without a client's name is still accepted`() throws {
        let factory = AddressProofFactory(key: SymmetricKey(data: Array(repeating: 7 as UInt8, count: 32)))
        let email = try #require(EmailAddress(Self.email))
        let account = AccountID(UUIDBits(high: 1, low: 2))
        let end = Instant(seconds: 1_800_000_000)
        for client in ["", "mwsim"] {
            let token = factory.token(for: email, of: account, askedIn: nil, at: client, until: end)
            let proof = try #require(factory.read(token))
            #expect(proof.client == client && factory.isGood(proof, for: email) && proof.expiresAt == end)
        }
    }

    /// An account with a password, the session that opened it, and the code of its mail.
    private static func openWithPassword(_ harness: Harness) async throws -> (SignInResponse, String) {
        let opened = try await harness.register(email).decode(SignInResponse.self)
        return (opened, try #require(try await harness.mails().last).addressCode)
    }

    private static func type(_ code: String, _ tokens: SignInResponse, _ harness: Harness) async throws -> TestResponse
    {
        try await harness.post("/auth/email/verify", #"{"code":"\#(code)"}"#, .bearing(tokens.accessToken))
    }

    /// A code other than that one.
    private static func other(_ code: String) -> String { code.hasPrefix("BCDF") ? "GHJK-LMNP" : "BCDF-GHJK" }

    /// The published app opens an account on a phone: returns its tokens, and the mail that it causes.
    private static func open(_ harness: Harness) async throws -> (SignInResponse, ReadMail) {
        let opened = try await harness.post("/api/mobile/auth/register", registration(Harness.phone))
        try #require(opened.status == .created, "\(opened.text)")
        return (try opened.decode(SignInResponse.self), try #require(try await harness.mails().last))
    }

    private static func registration(_ device: String) -> String {
        #"{"email":"\#(email)","name":"Eve","deviceId":"\#(device)","deviceName":"Eve’s phone","platform":"ios"}"#
    }
}
