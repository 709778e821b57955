import Crypto
import Devices
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Sign-ins by a mailed code.
struct MailLoginTests {
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a code comes by mail, and is the sign-in on the device that asked`(_ storage: HarnessStorage) async throws {
        try await Harness.run(storage: storage) { harness in
            let asked = try await harness.askForCode("Ada@Example.com")
            #expect(asked.status == .ok)
            let answer = try asked.decode(MailLoginResponse.self)
            #expect(answer.method == "email" && answer.expiresIn == 600)
            let mail = try #require(try await harness.mails().first)
            #expect(mail.to == "ada@example.com" && mail.subject.hasPrefix("Your sign-in code for "))
            let response = try await harness.typeCode(
                try mail.code,
                #""challenge":"\#(answer.challenge)""#,
                more: #","deviceName":"Ada's phone","platform":"ios""#
            )
            #expect(response.headers[.cacheControl] == "no-store")
            let body = try response.decode(SignInResponse.self)
            #expect(body.user.email == "ada@example.com" && body.tokens.accessToken == body.accessToken)
            let claims = try Self.claims(body.accessToken)
            #expect(claims["amr"] as? [String] == ["otp"] && claims["aud"] as? String == "mwsim")
            #expect(claims["deviceId"] as? String == Harness.mailPhone)
            let refreshed = try await harness.post(
                "/api/mobile/auth/token/refresh",
                #"{"refreshToken":"\#(body.refreshToken)"}"#
            )
            #expect(refreshed.status == .ok)
            let again = try await harness.typeCode(try mail.code, #""challenge":"\#(answer.challenge)""#)
            try harness.expect(again, is: "unauthorized", 401)
        }
    }

    /// The published app keeps no device credential, and names its phone by its id alone.
    @Test func `the first mailed code on the phone that opened the account leaves the phone linked`() async throws {
        try await Harness.run { harness in
            let device = Harness.mailPhone
            #expect(try await harness.registerPhone(device).status == .ok)
            let opened = try await harness.post(
                "/api/mobile/auth/register",
                #"{"email":"eve@example.com","name":"Eve","deviceId":"\#(device)"}"#
            )
            #expect(opened.status == .created, "\(opened.text)")
            _ = try await harness.mails()
            _ = try await harness.askForCode("eve@example.com")
            let code = try #require(try await harness.mails().last).code
            let answer = try await harness.typeCode(code, #""email":"eve@example.com""#)
            #expect(answer.status == .ok, "\(answer.text)")
            let signedIn = try answer.decode(SignInResponse.self)
            #expect(try Self.claims(signedIn.accessToken)["deviceId"] as? String == device)
            let key = Harness.spki(P256.Signing.PrivateKey().publicKey)
            let setUp = try await harness.post(
                Harness.biometric + "/setup",
                #"{"deviceId":"\#(device)","publicKey":"\#(key)","biometricType":"face"}"#,
                .bearing(signedIn.accessToken)
            )
            #expect(setUp.status == .ok, "\(setUp.text)")
            // The session that opened the account has ended all the same.
            let former = try opened.decode(SignInResponse.self)
            let me = try await harness.send(.get, "/auth/me", .bearing(former.accessToken))
            try harness.expect(me, is: "unauthorized", 401)
            let listed = try await harness.send(.get, "/api/mobile/devices", .bearing(signedIn.accessToken))
            let devices = try listed.decode(OwnedDevicesResponse.self).devices
            #expect(devices.map(\.deviceId) == [device] && devices.first?.deviceName == "Ada’s phone")
        }
    }

    @Test func `attack: a code typed on a device that belonged to another account links no device`() async throws {
        try await Harness.run { harness in
            let bob = try await harness.phone("bob@example.com", Harness.mailPhone)
            _ = try await harness.composition.devices.owned.revoke(bob.device)
            _ = try await harness.askForCode()
            let answer = try await harness.typeCode(try #require(try await harness.mails().last).code)
            #expect(answer.status == .ok, "\(answer.text)")
            let claims = try Self.claims(answer.decode(SignInResponse.self).accessToken)
            #expect(claims["deviceId"] == nil)
        }
    }

    @Test func `attack: the wallet's routes ignore X-Client-ID, and their tokens have the wallet's audience`()
        async throws
    {
        try await Harness.run { harness in
            _ = try await harness.askForCode("ada@example.com", [.clientID: "bbms"])
            let code = try #require(try await harness.mails().first).code
            let name = #""email":"ada@example.com""#
            let answer = try await harness.typeCode(code, name, [.clientID: "bbms"])
            #expect(answer.status == .ok, "\(answer.text)")
            let claims = try Self.claims(answer.decode(SignInResponse.self).accessToken)
            #expect(claims["aud"] as? String == "mwsim")
        }
    }

    @Test func `the published app names its code by address and device, and may type spaces`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode()
            let code = try #require(try await harness.mails().first).code
            let response = try await harness.typeCode("\(code.prefix(3)) \(code.suffix(3))")
            #expect(response.status == .ok, "\(response.text)")
        }
    }

    @Test func `a stale bearer token is not looked at`() async throws {
        try await Harness.run { harness in
            let stale: HTTPFields = [.authorization: "Bearer stale"]
            #expect(try await harness.askForCode("ada@example.com", on: Harness.mailPhone, stale).status == .ok)
            let code = try #require(try await harness.mails().first).code
            let answer = try await harness.typeCode(
                code,
                #""email":"ada@example.com""#,
                on: Harness.mailPhone,
                more: "",
                stale
            )
            #expect(answer.status == .ok)
        }
    }

    @Test func `the mail's page shows the code, in the reader's language, and changes nothing`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode()
            let mail = try #require(try await harness.mails().first)
            let code = try mail.code
            for (language, words) in [
                ("en", "Your sign-in code"), ("fr", "Votre code de connexion"), ("es", "Su código de acceso"),
                ("sv", "Din inloggningskod"),
            ] {
                let page = try await harness.send(.get, mail.path, [.acceptLanguage: language])
                #expect(page.status == .ok && page.text.contains(words) && page.text.contains(code))
                #expect(page.headers[.contentLanguage] == language)
                let policy = try #require(page.headers[.contentSecurityPolicy])
                #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
                #expect(policy.hasSuffix("; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"))
                #expect(!policy.contains("script") && !page.text.contains("<script"))
                #expect(page.headers[.cacheControl] == "no-store")
                #expect(page.headers[.referrerPolicy] == "no-referrer")
            }
            #expect(try await harness.send(.head, mail.path).status == .ok)
            #expect(try await harness.typeCode(code).status == .ok)
            let over = try await harness.send(.get, mail.path)
            #expect(over.status == .gone && over.text.contains("no longer valid"))
            #expect(!over.text.contains(code))
            #expect(try await harness.send(.get, "/mail/code/" + String(repeating: "x", count: 43)).status == .gone)
        }
    }

    @Test func `mail speaks the language of the request`() async throws {
        try await Harness.run { harness in
            _ = try await harness.askForCode("ada@example.com", on: Harness.mailPhone, [.acceptLanguage: "sv"])
            #expect(try #require(try await harness.mails().first).raw.contains("\r\nContent-Language: sv\r\n"))
        }
    }

    @Test func `what is missing or malformed is named`() async throws {
        try await Harness.run { harness in
            try harness.expect(try await harness.askForCode("nobody"), is: "invalid_email", 400)
            try harness.expect(try await harness.askForCode(on: "phone"), is: "invalid_device_id", 400)
            for code in ["12345", "1234567", "12345a", "", "１２３４５６"] {
                try harness.expect(try await harness.typeCode(code), is: "invalid_request", 400)
            }
            try harness.expect(try await harness.typeCode("123456", #""challenge":"x""#), is: "invalid_request", 400)
            try harness.expect(try await harness.typeCode("123456", #""x":1"#), is: "invalid_request", 400)
            #expect(try await harness.mails().isEmpty)
        }
    }

    static func claims(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}
