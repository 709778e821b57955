import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Passkeys
import SoftwareAuthenticator
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// The wallet's login by a passkey instead of a mailed code.
struct WalletPasskeyTests {
    private static let login = "/api/mobile/auth/login"

    private struct Asked: Decodable {
        let challenge: String
        let method: String
    }

    /// Gives Ada a passkey, in one of her sessions.
    private static func addPasskey(_ harness: Harness) async throws -> SoftwareAuthenticator.Credential {
        let person = try await harness.signIn()
        let options = try await harness.registrationOptions("ada@example.com", person.bearer)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, response) = try harness.browser.create(options.text)
        let body = try Harness.answer(response, to: options)
        let made = try await harness.post("/api/verify-registration", body, person.bearer)
        try #require(made.status == .ok, "\(made.text)")
        return credential
    }

    private static func body(_ email: String, _ methods: String? = #"["email","passkey"]"#) -> String {
        let said = methods.map { #","methods":\#($0)"# } ?? ""
        return #"{"email":"\#(email)","deviceId":"\#(Harness.phone)"\#(said)}"#
    }

    /// The options of the answer, with which a browser is called.
    private static func options(_ answer: TestResponse) throws -> String {
        let options = try #require(try answer.json()["options"] as? [String: Any])
        return String(decoding: try JSONSerialization.data(withJSONObject: options), as: UTF8.self)
    }

    private static func verification(
        _ challenge: String,
        _ response: String,
        _ device: String = Harness.phone
    ) -> String {
        #"{"challenge":"\#(challenge)","deviceId":"\#(device)","response":\#(response)}"#
    }

    @Test func `an app that can is asked for a passkey, and signs in with it on the device that asked`() async throws {
        try await Harness.run { harness in
            let credential = try await Self.addPasskey(harness)
            #expect(try await harness.registerPhone().status == .ok)
            let answer = try await harness.post(Self.login, Self.body("ada@example.com"))
            let asked = try answer.decode(Asked.self)
            #expect(asked.method == "passkey" && answer.text.contains(credential.idText))
            let response = try harness.browser.get(try Self.options(answer), with: credential)
            for device in [Harness.otherPhone, Harness.phone.lowercased()] {
                let refused = try await harness.post(
                    Self.login + "/verify",
                    Self.verification(asked.challenge, response, device)
                )
                try harness.expect(refused, is: "challenge_over", 400)
            }
            let signedIn = try await harness.post(Self.login + "/verify", Self.verification(asked.challenge, response))
            #expect(signedIn.status == .ok, "\(signedIn.text)")
            let tokens = try signedIn.decode(SignInResponse.self)
            #expect(tokens.user.email == "ada@example.com")
            let claims = try PasskeyTests.claims(tokens.accessToken)
            #expect(claims["aud"] as? String == "mwsim" && claims["amr"] as? [String] == ["swk", "user", "mfa"])
            let again = try await harness.post(Self.login + "/verify", Self.verification(asked.challenge, response))
            try harness.expect(again, is: "challenge_over", 400)
        }
    }

    // T-079
    @Test func `attack: the wallet's sign-in answers alike for known and unknown addresses, by passkey and by mail`()
        async throws
    {
        try await Harness.run { harness in
            _ = try await Self.addPasskey(harness)
            var forms: Set<[String]> = []
            for email in ["ada@example.com", "bob@example.com", "nobody@example.com"] {
                let byMail = try await harness.post(Self.login, Self.body(email, nil))
                #expect(try byMail.decode(Asked.self).method == "email")
                let byPasskey = try await harness.post(Self.login, Self.body(email))
                #expect(try byPasskey.decode(Asked.self).method == "passkey")
                let options = try #require(try byPasskey.json()["options"] as? [String: Any])
                #expect((options["allowCredentials"] as? [Any])?.isEmpty == false)
                forms.insert(options.keys.sorted())
            }
            #expect(forms.count == 1)
        }
    }

    @Test func `a linked device of an account with a passkey is asked for it without listing methods`() async throws {
        try await Harness.run { harness in
            let phone = try await harness.phone()
            let headers = HTTPFields().adding(.deviceCredential, phone.credential)
            let before = try await harness.post(Self.login, Self.body("ada@example.com", nil), headers)
            #expect(try before.decode(Asked.self).method == "email", "there is none yet")
            _ = try await Self.addPasskey(harness)
            let after = try await harness.post(Self.login, Self.body("ada@example.com", nil), headers)
            #expect(try after.decode(Asked.self).method == "passkey")
            _ = try await harness.mails()
            let lost = try await harness.post(Self.login, Self.body("ada@example.com", #"["email"]"#), headers)
            #expect(try lost.decode(Asked.self).method == "email", "who can't gets a code")
            #expect(try await harness.mails().map(\.to) == ["ada@example.com"])
            let bobs = try await harness.post(Self.login, Self.body("bob@example.com", nil), headers)
            #expect(try bobs.decode(Asked.self).method == "email", "another's account")
        }
    }
}
