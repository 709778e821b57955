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
import Storage
import Testing
import Wire

@testable import Accounts
@testable import HTTPAPI
@testable import Vestibule

/// The code that proves an address in the app where the person is signed in, and the page of its link.
struct AddressCodeTests {
    private static let email = "eve@example.com"

    @Test(arguments: ["", "/api"])
    func `the code of the mail keeps the app signed in that types it, and the owner is told which device it was`(
        _ prefix: String
    ) async throws {
        try await Bench.run { bench in
            let (eve, mail) = try await Self.open(bench)
            let other = try await bench.phone(Self.email, Bench.otherPhone)
            let typed = try mail.addressCode.lowercased().replacing("-", with: " ")
            let answer = try await bench.post(
                prefix + "/auth/email/verify",
                #"{"code":"\#(typed)"}"#,
                .bearing(eve.accessToken)
            )
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await bench.me(eve.accessToken).emailVerified, "still signed in")
            #expect(try await bench.refreshMobile(eve.refreshToken).status == .ok)
            try bench.expect(try await bench.send(.get, "/auth/me", other.bearer), is: "unauthorized", 401)
            let told = try #require(try await bench.mails().last)
            #expect(told.to == Self.email && told.subject == "Your e-mail address for mwsim is confirmed")
            #expect(told.text.contains("Eve’s phone"), "\(told.text)")
            let environment = try await bench.composition.audit.newest(50).map(\.entry.fact)
            #expect(
                environment.contains("account.address_proven") && environment.contains("account.earlier_access_removed")
            )
            // A code works once.
            let again = try await bench.post("/auth/email/verify", #"{"code":"\#(typed)"}"#, .bearing(eve.accessToken))
            try bench.expect(again, is: "wrong_address_code", 403)
        }
    }

    @Test func `attack: whatever else the account has ends with it: a password, passkeys, devices, keys`() async throws
    {
        try await Bench.run { bench in
            let (eve, mail) = try await Self.open(bench)
            let account = try await bench.composition.accounts.show(Self.email).account.id
            let hash = Secret("scrypt$16384$8$5$c2FsdA$aGFzaA")
            _ = try await bench.composition.unitOfWork.run { [passwords = bench.composition.passwords] in
                try passwords.set(hash, of: account, in: $0)
            }
            let tablet = try await bench.phone(Self.email, Bench.otherPhone)
            #expect(try await bench.setUp(Bench.spki(P256.Signing.PrivateKey().publicKey), tablet).status == .ok)
            let options = try await bench.registrationOptions(Self.email, tablet.bearer)
            let (_, response) = try bench.browser.create(options.text)
            let body = try Bench.answer(response, to: options)
            #expect(try await bench.post("/api/verify-registration", body, tablet.bearer).status == .ok)
            #expect(try await bench.composition.passkeys.owned.list(of: account).count == 1)
            let code = try mail.addressCode
            let verified = try await bench.post(
                "/auth/email/verify",
                #"{"code":"\#(code)"}"#,
                .bearing(eve.accessToken)
            )
            #expect(verified.status == .ok, "\(verified.text)")
            let record = try await bench.composition.accounts.show(Self.email)
            #expect(record.passwordHash == nil)
            #expect(try await bench.composition.passkeys.owned.list(of: account).isEmpty)
            try bench.expect(try await bench.send(.get, "/auth/me", tablet.bearer), is: "unauthorized", 401)
            let asked = #"{"deviceId":"\#(Bench.otherPhone)"}"#
            let challenge = try await bench.post(Bench.biometric + "/challenge", asked)
            try bench.expect(challenge, is: "biometric_not_enabled", 400)
            let listed = try await bench.send(.get, "/api/mobile/devices", .bearing(eve.accessToken))
            #expect(try listed.decode(OwnedDevicesResponse.self).devices.map(\.deviceId) == [Bench.phone])
        }
    }

    @Test func `a password stays where the session that types the code began with it`() async throws {
        try await Bench.run { bench in
            let eve = try await bench.register(Self.email).decode(SignInResponse.self)
            let code = try #require(try await bench.mails().last).addressCode
            let answer = try await bench.post(
                "/auth/email/verify",
                #"{"code":"\#(code)"}"#,
                .bearing(eve.accessToken)
            )
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await bench.passwordSignIn(Self.email).status == .ok)
        }
    }

    @Test func `attack: a code is good in the account that it was mailed for, and five wrong ones start a pause`()
        async throws
    {
        try await Bench.run { bench in
            let (eve, mail) = try await Self.open(bench)
            let code = try mail.addressCode
            let ada = try await bench.signIn()
            let foreign = try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, ada.bearer)
            try bench.expect(foreign, is: "wrong_address_code", 403)
            let bearer = HTTPFields.bearing(eve.accessToken)
            for wrong in ["", "12345678", "BCDFGHJ", "BCDFGHJKL"] {
                let answer = try await bench.post("/auth/email/verify", #"{"code":"\#(wrong)"}"#, bearer)
                try bench.expect(answer, is: "invalid_request", 400)
            }
            let other = code.hasPrefix("BCDF") ? "GHJK-LMNP" : "BCDF-GHJK"
            for _ in 1...5 {
                let answer = try await bench.post("/auth/email/verify", #"{"code":"\#(other)"}"#, bearer)
                try bench.expect(answer, is: "wrong_address_code", 403)
            }
            let sixth = try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, bearer)
            try bench.expect(sixth, is: "rate_limited", 429)
            bench.time.advance(by: .seconds(31))
            let late = try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, bearer)
            #expect(late.status == .ok, "\(late.text)")
        }
    }

    @Test func `attack: a stranger's wrong passwords do not keep the owner from proving the address`() async throws {
        try await Bench.run { bench in
            let (eve, code) = try await Self.openWithPassword(bench)
            for _ in 1...5 { #expect(try await bench.passwordSignIn(Self.email, "wrong").status == .unauthorized) }
            #expect(try await bench.passwordSignIn(Self.email, "wrong").status == .tooManyRequests)
            let typed = try await Self.type(code, eve, bench)
            #expect(typed.status == .ok, "\(typed.text)")
        }
    }

    @Test func `attack: a right code forgives no guess at the password, and wrong ones keep nobody from signing in`()
        async throws
    {
        try await Bench.run { bench in
            let (eve, code) = try await Self.openWithPassword(bench)
            for _ in 1...5 {
                try bench.expect(try await Self.type(Self.other(code), eve, bench), is: "wrong_address_code", 403)
            }
            try bench.expect(try await Self.type(code, eve, bench), is: "rate_limited", 429)
            #expect(try await bench.passwordSignIn(Self.email).status == .ok, "from a device that is not linked")
            for _ in 1...4 { #expect(try await bench.passwordSignIn(Self.email, "wrong").status == .unauthorized) }
            bench.time.advance(by: .seconds(31))
            #expect(try await Self.type(code, eve, bench).status == .ok)
            #expect(try await bench.passwordSignIn(Self.email, "wrong").status == .unauthorized, "the fifth")
            #expect(try await bench.passwordSignIn(Self.email, "wrong").status == .tooManyRequests, "still counted")
        }
    }

    @Test func `attack: of guesses at the same moment, in whatever sessions, five are looked at`() async throws {
        try await Bench.run { bench in
            let (eve, code) = try await Self.openWithPassword(bench)
            let second = try await bench.passwordSignIn(Self.email).decode(SignInResponse.self)
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<32 {
                    group.addTask {
                        let session = number.isMultiple(of: 2) ? eve : second
                        return Int(try await Self.type(Self.other(code), session, bench).status.code)
                    }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(answers.count { $0 == 403 } == 5, "\(answers)")
            #expect(answers.count { $0 == 429 } == 27, "\(answers)")
            try bench.expect(try await Self.type(code, eve, bench), is: "rate_limited", 429)
        }
    }

    @Test func `attack: a code is no good two days later, nor for an address that is another's by now`() async throws {
        try await Bench.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { bench in
            var opened: [(SignInResponse, String)] = []
            for number in 1...3 {
                let body = Self.registration("1b54b1a2-6c1f-4c1e-9d9c-3f6f0a0f7a2\(number)")
                let answer = try await bench.post("/api/mobile/auth/register", body)
                let code = try #require(try await bench.mails().last).addressCode
                opened.append((try answer.decode(SignInResponse.self), code))
            }
            #expect(Set(opened.map(\.1)).count == 3)
            func type(_ code: String, _ token: String) async throws -> TestResponse {
                try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, .bearing(token))
            }
            #expect(try await type(opened[0].1, opened[0].0.accessToken).status == .ok)
            try bench.expect(try await type(opened[1].1, opened[1].0.accessToken), is: "wrong_address_code", 403)
            bench.time.advance(by: .seconds(2 * 86_400))
            let fresh = try await bench.refreshMobile(opened[2].0.refreshToken).decode(RefreshResponse.self)
            try bench.expect(try await type(opened[2].1, fresh.accessToken), is: "wrong_address_code", 403)
        }
    }

    @Test func `the code for another address is good in the session that asked for it, and in no other`() async throws {
        try await Bench.run { bench in
            let other = try await bench.signIn()
            _ = try await bench.askForCode()
            let mailed = try #require(try await bench.mails().last).code
            let ada = try await bench.typeCode(mailed).decode(SignInResponse.self)
            let bearer = HTTPFields.bearing(ada.accessToken)
            let asked = try await bench.post("/auth/email", #"{"email":"new@example.com"}"#, bearer)
            #expect(asked.status == .ok, "\(asked.text)")
            let code = try #require(try await bench.mails().last).addressCode
            let foreign = try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, other.bearer)
            try bench.expect(foreign, is: "wrong_address_code", 403)
            let own = try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, bearer)
            #expect(own.status == .ok, "\(own.text)")
            #expect(try await bench.me(ada.accessToken).email == "new@example.com")
            try bench.expect(try await bench.send(.get, "/auth/me", other.bearer), is: "unauthorized", 401)
            #expect(
                try await bench.mails().map(\.to).sorted() == ["ada@example.com", "new@example.com"],
                "both are told"
            )
        }
    }

    @Test func `the page says before the press that the app is signed out, and names the client that the person uses`()
        async throws
    {
        try await Bench.run { bench in
            let (eve, mail) = try await Self.open(bench)
            #expect(mail.subject == "Confirm your e-mail address for mwsim" && !mail.text.contains("BBMS"))
            #expect(mail.text.contains("The link signs every app out."))
            let page = try await bench.send(.get, mail.path)
            #expect(page.text.contains("signs every app and browser out, also on this device"))
            #expect(page.text.contains("An account at mwsim") && !page.text.contains("BBMS"))
            #expect(try await bench.send(.get, "/auth/me", .bearing(eve.accessToken)).status == .ok)
            #expect(try await bench.send(.post, mail.path).status == .ok)
            let told = try #require(try await bench.mails().last)
            #expect(told.subject == "Earlier access to your mwsim account was removed")
            #expect(!told.text.contains("BBMS"))
        }
    }

    @Test func `on a device of the account the page says that one stays signed in`() async throws {
        try await Bench.run { bench in
            let registered = try await bench.register(Self.email)
            let mail = try #require(try await bench.mails().last)
            #expect(mail.subject == "Confirm your e-mail address for BBMS")
            let cookie = HTTPFields.cookies(registered.cookie("vst_device"))
            let page = try await bench.send(.get, mail.path, cookie)
            #expect(page.text.contains("You stay signed in here.") && !page.text.contains("signs every app"))
        }
    }

    @Test func `a link of before, which names no client, is still good`() throws {
        let mint = AddressProofFactory(key: SymmetricKey(data: Array(repeating: 7 as UInt8, count: 32)))
        let email = try #require(EmailAddress(Self.email))
        let account = AccountID(UUIDBits(high: 1, low: 2))
        let end = Instant(seconds: 1_800_000_000)
        for client in ["", "mwsim"] {
            let token = mint.token(for: email, of: account, askedIn: nil, at: client, until: end)
            let proof = try #require(mint.read(token))
            #expect(proof.client == client && mint.isGood(proof, for: email) && proof.expiresAt == end)
        }
    }

    /// An account with a password, the session that opened it, and the code of its mail.
    private static func openWithPassword(_ bench: Bench) async throws -> (SignInResponse, String) {
        let opened = try await bench.register(email).decode(SignInResponse.self)
        return (opened, try #require(try await bench.mails().last).addressCode)
    }

    private static func type(_ code: String, _ tokens: SignInResponse, _ bench: Bench) async throws -> TestResponse {
        try await bench.post("/auth/email/verify", #"{"code":"\#(code)"}"#, .bearing(tokens.accessToken))
    }

    /// A code other than that one.
    private static func other(_ code: String) -> String { code.hasPrefix("BCDF") ? "GHJK-LMNP" : "BCDF-GHJK" }

    /// The published app opens an account on a phone: returns its tokens, and the mail that it causes.
    private static func open(_ bench: Bench) async throws -> (SignInResponse, ReadMail) {
        let opened = try await bench.post("/api/mobile/auth/register", registration(Bench.phone))
        try #require(opened.status == .created, "\(opened.text)")
        return (try opened.decode(SignInResponse.self), try #require(try await bench.mails().last))
    }

    private static func registration(_ device: String) -> String {
        #"{"email":"\#(email)","name":"Eve","deviceId":"\#(device)","deviceName":"Eve’s phone","platform":"ios"}"#
    }
}
