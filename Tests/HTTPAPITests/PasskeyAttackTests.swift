import Accounts
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Passkeys
import SignIn
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import Settings

/// What must not get in with a passkey, or past one.
struct PasskeyAttackTests {
    // T-129
    @Test func `attack: of eight concurrent assertions over one passkey challenge one signs in`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let options = try await harness.signInOptions("ada")
            let response = try harness.browser.get(options.text, with: ada.credential)
            let body = try Harness.answer(response, to: options)
            let good = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await harness.post("/api/verify-authentication", body).status.code }
                }
                return try await group.reduce(into: 0) { count, status in count += status == 200 ? 1 : 0 }
            }
            #expect(good == 1)
            try harness.expect(try await harness.post("/api/verify-authentication", body), is: "challenge_over", 400)
        }
    }

    // T-129
    @Test func `attack: a passkey challenge is refused with another challenge's id, and after ten minutes`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let (options, others) = (try await harness.signInOptions("ada"), try await harness.signInOptions("ada"))
            let response = try harness.browser.get(options.text, with: ada.credential)
            let crossed = try Harness.answer(response, to: others)
            try harness.expect(try await harness.post("/api/verify-authentication", crossed), is: "challenge_over", 400)
            harness.time.advance(by: .seconds(601))
            let late = try Harness.answer(response, to: options)
            try harness.expect(try await harness.post("/api/verify-authentication", late), is: "challenge_over", 400)
        }
    }

    // T-128
    @Test func `attack: phished, unverified, forged and copied passkey answers are refused with their own message`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let phishing = SoftwareAuthenticator(origin: "https://localhost.example.net")
            try harness.expect(try await harness.signIn(ada.credential, by: phishing), is: "passkey_refused", 400)
            var careless = harness.browser
            careless.flags.isUserVerified = false
            try harness.expect(try await harness.signIn(ada.credential, by: careless), is: "passkey_refused", 400)
            let outsider = SoftwareAuthenticator.Credential(
                id: ada.credential.id,
                key: .init(),
                rpID: "localhost",
                userHandle: ada.credential.userHandle
            )
            try harness.expect(try await harness.signIn(outsider), is: "passkey_refused", 400)
        }
    }

    @Test func `attack: a disabled account's passkey signs nobody in, and works again once the account is enabled`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            _ = try await harness.composition.accounts.disable("ada")
            #expect(try await harness.who(ada.cookie) == nil)
            try harness.expect(try await harness.signIn(ada.credential), is: "unauthorized", 401)
            _ = try await harness.composition.accounts.enable("ada")
            #expect(try await harness.signIn(ada.credential).status == .ok)
        }
    }

    // T-073
    @Test func `attack: an unknown user name gets passkey options of the same form, the same each time`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            func allowed(_ name: String) async throws -> [[String: Any]] {
                try #require(try await harness.signInOptions(name).json()["allowCredentials"] as? [[String: Any]])
            }
            let (real, decoy) = (try await allowed("ada"), try await allowed("nobody"))
            #expect(real.compactMap { $0["id"] as? String } == [ada.credential.idText])
            #expect(Set(decoy.flatMap(\.keys)).union(["transports"]) == Set(real.flatMap(\.keys)))
            let again = try await allowed("NOBODY")
            #expect(decoy.compactMap { $0["id"] as? String } == again.compactMap { $0["id"] as? String })
            #expect(try await allowed("bob@example.com").isEmpty == false, "an account without passkeys")
            let (first, second) = (
                try await harness.signInOptions("ada").json(), try await harness.signInOptions("nobody").json()
            )
            #expect(first.keys.sorted() == second.keys.sorted())
            #expect(first["userVerification"] as? String == second["userVerification"] as? String)
            let anybody = try await harness.signInOptions(nil).json()["allowCredentials"] as? [Any]
            #expect(anybody?.isEmpty == true)
        }
    }

    // T-073
    @Test func `attack: sign-in answers for real and decoy passkeys are the same with forged backup flags`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            var answers: Set<String> = []
            for name in ["ada", "nobody", "nemo"] {
                for isBackupEligible in [true, false] {
                    let options = try await harness.signInOptions(name)
                    let allowed = try #require(try options.json()["allowCredentials"] as? [[String: Any]])
                    let listed = try #require(allowed.first?["id"] as? String)
                    let id = try #require(Base64URL.decode(listed))
                    #expect((id == ada.credential.id) == (name == "ada"))
                    let forged = SoftwareAuthenticator.Credential(
                        id: id,
                        key: .init(),
                        rpID: "localhost",
                        userHandle: Array(repeating: 0, count: 32)
                    )
                    var liar = harness.browser
                    liar.flags.isBackupEligible = isBackupEligible
                    liar.flags.isBackedUp = false
                    let body = try Harness.answer(try liar.get(options.text, with: forged), to: options)
                    let answer = try await harness.post("/api/verify-authentication", body)
                    try harness.expect(answer, is: "passkey_refused", 400)
                    answers.insert(try #require(try answer.json()["message"] as? String))
                }
            }
            #expect(answers.count == 1, "\(answers)")
        }
    }

    // T-040
    @Test func `attack: a cross-site page can't sign in by passkey, or change an account`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let cross: [HTTPFields] = [
                [.origin: "https://evil.example.net"], HTTPFields().adding(.fetchSite, "cross-site"),
                HTTPFields().adding(.fetchSite, "same-site"), [.origin: "null"],
            ]
            for headers in cross {
                let signIn = try await harness.signIn(ada.credential, nil, headers)
                try harness.expect(signIn, is: "origin_not_allowed", 403)
                #expect(signIn.setCookie("yapt.sid") == nil)
                let own = headers.adding(.cookie, ada.cookie)
                for (method, path) in [
                    (.post, "/api/auth/logout"), (.post, "/api/auth/add-device/generate-options"),
                    (.delete, "/api/auth/devices/7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11"),
                ] as [(HTTPRequest.Method, String)] {
                    try harness.expect(try await harness.send(method, path, own), is: "origin_not_allowed", 403)
                }
            }
            #expect(try await harness.who(ada.cookie) == "ada", "still signed in")
            let options = try await harness.signInOptions("ada")
            let body = try Harness.answer(try harness.browser.get(options.text, with: ada.credential), to: options)
            for type in ["text/plain", "application/x-www-form-urlencoded"] {
                let posted = try await harness.send(
                    .post,
                    "/api/verify-authentication",
                    [.contentType: type],
                    body: body
                )
                try harness.expect(posted, is: "unsupported_media_type", 415)
            }
        }
    }

    // T-247
    @Test func `attack: an address that keeps asking for passkey options gets 429`()
        async throws
    {
        try await Harness.run { harness in
            for _ in 0..<60 { #expect(try await harness.signInOptions(nil).status == .ok) }
            let over = try await harness.post("/api/generate-authentication-options", "{}")
            try harness.expect(over, is: "rate_limited", 429)
            let path = "/api/auth/register/generate-options"
            for number in 0..<5 {
                #expect(try await harness.post(path, #"{"username":"ada\#(number)"}"#).status == .ok)
            }
            try harness.expect(try await harness.post(path, #"{"username":"ada9"}"#), is: "rate_limited", 429)
            harness.time.advance(by: .seconds(181))
            #expect(try await harness.post(path, #"{"username":"ada9"}"#).status == .ok)
        }
    }

    // T-247
    @Test func `what one address gets is what the config says`() async throws {
        try await Harness.run {
            $0.limits.passkeyRates.signUps = RateLimit(burst: 7, every: .seconds(3600))
            $0.limits.passkeyRates.signIns = RateLimit(burst: 3, every: .seconds(3600))
            $0.limits.passkeyRates.requests = RateLimit(burst: 2, every: .seconds(3600))
        } _: { harness in
            for (path, count) in [
                ("/api/auth/register/generate-options", 7), ("/api/auth/login/generate-options", 3),
                ("/api/generate-authentication-options", 2),
            ] {
                let body = #"{"username":"ada lovelace"}"#
                for _ in 0..<count { #expect(try await harness.post(path, body).status == .ok, "\(path)") }
                try harness.expect(try await harness.post(path, body), is: "rate_limited", 429)
            }
        }
    }

    // T-255
    @Test func `attack: registrations by passkey share the address's limit of registrations`() async throws {
        try await Harness.run {
            $0.limits.rates.accounts.registrationsPerAddress = RateLimit(burst: 2, every: .seconds(3600))
        } _: { harness in
            for name in ["ada", "bob"] { _ = try await harness.signUp(name) }
            let options = try await harness.registrationOptions("eve")
            let body = try Harness.answer(try harness.browser.create(options.text).1, to: options)
            try harness.expect(try await harness.post("/api/verify-registration", body), is: "rate_limited", 429)
            let path = "/api/auth/register"
            let tied = try await harness.post(path + "/generate-options", #"{"username":"eve"}"#)
            let answer = try harness.browser.create(tied.text).1
            let over = try await harness.post(path + "/verify", answer, .cookies(tied.cookie("yapt.sid=")))
            try harness.expect(over, is: "rate_limited", 429)
        }
    }

    // T-071
    @Test func `attack: an account opened by a user name can't enrol a face before it has proved an address`()
        async throws
    {
        try await Harness.run {
            $0.accounts.requireVerifiedEmail = true
        } _: { harness in
            let ada = try await harness.signUp("ada")
            let tokens = try await harness.signIn(ada.credential, query: "?tokens=true")
            let token = try #require(try tokens.decode(PasskeySignInResponse.self).accessToken)
            let refused = try await harness.send(.post, Harness.enrolPath, .bearing(token))
            try harness.expect(refused, is: "email_not_verified", 403)
            // The published app shows a person nothing but an answer with 200.
            let shown = try await harness.send(.post, "/api/biometric/enroll", .bearing(token))
            let body = try shown.json()
            #expect(shown.status == .ok && body["code"] as? String == "email_not_verified", "\(shown.text)")
        }
    }

    // T-113
    @Test func `attack: a password change removes the account's passkeys`()
        async throws
    {
        try await Harness.run { harness in
            let account = try await harness.composition.accounts.show("ada@example.com").account.id
            let person = try await harness.signIn()
            let options = try await harness.registrationOptions("ada@example.com", person.bearer)
            #expect(options.status == .ok, "\(options.text)")
            let (credential, response) = try harness.browser.create(options.text)
            let made = try await harness.post(
                "/api/verify-registration",
                Harness.answer(response, to: options),
                person.bearer
            )
            #expect(made.status == .ok, "\(made.text)")
            #expect(try await harness.signIn(credential, "ada@example.com").status == .ok)
            let (access, work) = (harness.composition.ending, harness.composition.unitOfWork)
            try await work.run { try access.endElsewhere(of: account, except: nil, because: .password, in: $0) }
            try harness.expect(try await harness.signIn(credential), is: "unknown_passkey", 400)
        }
    }
}
