import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Passkeys
import Settings
import SoftwareAuthenticator
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Passkeys for clients that name their challenges by `challengeId`.
struct PasskeyTests {
    @Test func `what is wrong in a list is told by the list's name`() async throws {
        try await Harness.run { harness in
            let path = "/api/generate-registration-options"
            for element in [#""-7""#, "null", "[-7]"] {
                let order = #"{"username":"ada.l","supportedAlgorithmIDs":[-7,\#(element)]}"#
                let response = try await harness.post(path, order)
                try harness.expect(response, is: "invalid_request", 400)
                #expect(response.text.contains("“supportedAlgorithmIDs”"), "\(response.text)")
            }
        }
    }

    @Test func `options are those that pages and apps read, with every wish of a form`() async throws {
        try await Harness.run { harness in
            let form = """
                {"username":"ada.l","attestationType":"direct","userVerification":"required","residentKey":"required",\
                "authenticatorAttachment":"any","timeout":"90000","supportedAlgorithmIDs":[-7,-257,999],\
                "preferredAuthenticatorType":"localDevice","customRpName":"","customRpID":""}
                """
            let options = try await harness.post("/api/generate-registration-options", form)
            #expect(options.status == .ok, "\(options.text)")
            let body = try options.json()
            #expect(
                Set(body.keys) == [
                    "challenge", "rp", "user", "pubKeyCredParams", "timeout", "attestation", "excludeCredentials",
                    "authenticatorSelection", "extensions", "hints", "challengeId",
                ]
            )
            #expect(Base64URL.decode(try #require(body["challenge"] as? String))?.count == 32)
            #expect(body["rp"] as? [String: String] == ["id": "localhost", "name": "Vestibule"])
            let user = try #require(body["user"] as? [String: String])
            #expect(user["name"] == "ada.l" && user["displayName"] == "ada.l")
            #expect(Base64URL.decode(try #require(user["id"]))?.count == 32)
            #expect((body["pubKeyCredParams"] as? [[String: Any]])?.compactMap { $0["alg"] as? Int } == [-7, -257])
            #expect(body["timeout"] as? Int == 90_000 && body["attestation"] as? String == "direct")
            #expect(body["hints"] as? [String] == ["client-device"])
            let selection = try #require(body["authenticatorSelection"] as? [String: Any])
            #expect(selection["authenticatorAttachment"] == nil && selection["requireResidentKey"] as? Bool == true)
            #expect(UUIDBits(try #require(body["challengeId"] as? String)) != nil)
            #expect(options.headers[.cacheControl] == "no-store")
        }
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a passkey opens an account, signs it in by a cookie, and signs in again`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let ada = try await harness.signUp("Ada Lovelace")
            let registered = try JSONDecoder().decode(PasskeyRegisteredResponse.self, from: Data(ada.response.utf8))
            #expect(registered.verified && registered.registrationInfo.credentialID == ada.credential.idText)
            #expect(registered.registrationInfo.credentialDeviceType == "multiDevice")
            #expect(registered.registrationInfo.credentialBackedUp)
            #expect(try await harness.who(ada.cookie) == "ada lovelace")
            for name in ["ada lovelace", " ADA Lovelace", nil] as [String?] {
                let answer = try await harness.signIn(ada.credential, name)
                #expect(answer.status == .ok, "\(answer.text)")
                let signedIn = try answer.decode(PasskeySignInResponse.self)
                #expect(signedIn.verified && signedIn.username == "Ada Lovelace", "as it was typed: apps greet by it")
                #expect(signedIn.user.username == "ada lovelace" && signedIn.tokens == nil)
                #expect(signedIn.user.displayName == "Ada Lovelace")
                #expect(try await harness.who(answer.cookie("yapt.sid=")) == "ada lovelace")
            }
        }
    }

    @Test func `with tokens=true a sign-in hands out the tokens of the same session`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let answer = try await harness.signIn(ada.credential, query: "?tokens=true")
            let tokens = try #require(try answer.decode(PasskeySignInResponse.self).tokens)
            let claims = try Self.claims(tokens.accessToken)
            #expect(claims["aud"] as? String == "passkeys" && claims["amr"] as? [String] == ["swk", "user", "mfa"])
            let sessions = try await harness.send(.get, "/auth/sessions", .bearing(tokens.accessToken))
            let listed = try sessions.decode(OwnedSessionsResponse.self).sessions
            #expect(listed.first { $0.current }?.id == claims["sid"] as? String)
            let refreshed = try await harness.post("/auth/refresh", "", .bearing(tokens.refreshToken))
            #expect(refreshed.status == .ok, "\(refreshed.text)")
            let out = try await harness.send(.post, "/api/auth/logout", .bearing(tokens.accessToken))
            #expect(out.status == .ok)
            #expect(try await harness.who(answer.cookie("yapt.sid=")) == nil, "the cookie stood for the same session")
        }
    }

    @Test func `where passkeys alone are served, their tokens are refreshed, and a code by mail is another way in`()
        async throws
    {
        try await Harness.run {
            for name in ["bbms", "mobile"] { $0.surfaces[name]?.enabled = false }
        } _: { harness in
            let ada = try await harness.signUp("ada")
            let answer = try await harness.signIn(ada.credential, query: "?tokens=true")
            let tokens = try #require(try answer.decode(PasskeySignInResponse.self).tokens)
            let refreshed = try await harness.post("/auth/refresh", "", .bearing(tokens.refreshToken))
            #expect(refreshed.status == .ok, "\(refreshed.text)")
            let body = #"{"email":"ada@example.com","deviceId":"\#(Harness.phone)"}"#
            let asked = try await harness.post("/auth/login/code", body)
            #expect(asked.status == .ok, "\(asked.text)")
            #expect(try await harness.mails().map(\.to) == ["ada@example.com"])
        }
    }

    @Test func `a sign-in links the browser, so that it starts logins by face where only known devices may`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let answer = try await harness.signIn(ada.credential)
            let device = try #require(answer.setCookie("vst_device="))
            #expect(device.contains("HttpOnly") && device.contains("SameSite=Lax"))
        }
        try await Harness.run {
            $0.clients[0].initiators = .knownDevice
        } _: { harness in
            let phone = try await harness.phone()
            let headers = HTTPFields.bearing(phone.tokens.accessToken)
            let options = try await harness.registrationOptions("ada@example.com", headers)
            let (credential, response) = try harness.browser.create(options.text)
            let made = try await harness.post(
                "/api/verify-registration",
                Harness.answer(response, to: options),
                headers
            )
            #expect(made.status == .ok, "\(made.text)")
            let signedIn = try await harness.signIn(credential, "ada@example.com")
            let device = try #require(signedIn.cookie("vst_device="))
            for (email, cookie, isReal) in [
                ("ada@example.com", device, true), ("ada@example.com", nil, false), ("bob@example.com", device, false),
            ] as [(String, String?, Bool)] {
                let login = try await harness.start(email, with: .cookies(cookie))
                #expect(try harness.operation(login).isDecoy != isReal, "\(email)")
            }
            let again = try await harness.signIn(credential, nil, .cookies(device))
            #expect(again.cookie("vst_device=") == device, "the browser's own goes on, for all of them")
            let login = try await harness.start(with: .cookies(device))
            #expect(try !harness.operation(login).isDecoy)
        }
    }

    @Test func `a further passkey needs the session of its account`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let bob = try await harness.signUp("bob")
            for headers in [[:], bob.headers] as [HTTPFields] {
                let refused = try await harness.registrationOptions("ada", headers)
                try harness.expect(refused, is: "username_taken", 409)
            }
            let options = try await harness.registrationOptions("ada", ada.headers)
            #expect(options.text.contains(ada.credential.idText), "excluded")
            let (second, response) = try harness.browser.create(options.text)
            let body = try Harness.answer(response, to: options)
            try harness.expect(try await harness.post("/api/verify-registration", body), is: "challenge_over", 400)
            try harness.expect(
                try await harness.post("/api/verify-registration", body, bob.headers),
                is: "challenge_over",
                400
            )
            let added = try await harness.post("/api/verify-registration", body, ada.headers)
            #expect(added.status == .ok, "\(added.text)")
            #expect(added.setCookie("yapt.sid") == nil, "the session goes on")
            #expect(try await harness.signIn(second, "ada").status == .ok)
            let stale = try await harness.registrationOptions("ada", ada.headers)
            #expect(stale.status == .ok)
            harness.time.advance(by: .seconds(601))
            try harness.expect(try await harness.registrationOptions("ada", ada.headers), is: "step_up_required", 403)
        }
    }

    @Test func `a signed-in account registers a passkey without a user name`() async throws {
        try await Harness.run { harness in
            let begin = "/api/generate-registration-options"
            let account = try await harness.composition.accounts.add(NewAccount(email: nil, name: "Zed")).account.id
            let person = try await harness.phone(account.description)
            let options = try await harness.post(begin, "{}", person.bearer)
            #expect(options.status == .ok, "\(options.text)")
            let user = try #require(try options.json()["user"] as? [String: String])
            #expect(user["name"] == "Zed")
            let (credential, response) = try harness.browser.create(options.text)
            let body = try Harness.answer(response, to: options)
            let made = try await harness.post("/api/verify-registration", body, person.bearer)
            #expect(made.status == .ok, "\(made.text)")
            let signedIn = try await harness.signIn(credential).decode(PasskeySignInResponse.self)
            #expect(signedIn.user.id == account.description)
            for (headers, code, status) in [
                ([:], "invalid_request", 400), (.bearing("stale"), "invalid_request", 400),
            ] as [(HTTPFields, String, Int)] {
                try harness.expect(try await harness.post(begin, "{}", headers), is: code, status)
            }
            try harness.expect(
                try await harness.post(begin, #"{"username":""}"#, person.bearer),
                is: "invalid_request",
                400
            )
            harness.time.advance(by: .seconds(601))
            try harness.expect(try await harness.post(begin, "{}", person.bearer), is: "step_up_required", 403)
        }
    }

    // T-099
    @Test func `attack: a session that ended after it asked for options registers no passkey`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let options = try await harness.registrationOptions("ada", ada.headers)
            let (attackers, response) = try harness.browser.create(options.text)
            _ = try await harness.send(.post, "/api/auth/logout", ada.headers)
            let body = try Harness.answer(response, to: options)
            try harness.expect(
                try await harness.post("/api/verify-registration", body, ada.headers),
                is: "challenge_over",
                400
            )
            try harness.expect(try await harness.signIn(attackers), is: "unknown_passkey", 400)
        }
    }

    // T-099
    @Test func `attack: a session whose sign-in passed ten minutes since its options registers no passkey`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            harness.time.advance(by: .seconds(590))
            let options = try await harness.registrationOptions("ada", ada.headers)
            let (credential, response) = try harness.browser.create(options.text)
            harness.time.advance(by: .seconds(11))
            let body = try Harness.answer(response, to: options)
            let late = try await harness.post("/api/verify-registration", body, ada.headers)
            try harness.expect(late, is: "step_up_required", 403)
            try harness.expect(try await harness.signIn(credential), is: "unknown_passkey", 400)
        }
    }

    @Test func `what is missing or wrong is said`() async throws {
        try await Harness.run { harness in
            func post(_ path: String, _ body: String) async throws -> TestResponse {
                try await harness.post(path, body)
            }
            let begin = "/api/generate-registration-options"
            try harness.expect(try await post(begin, "{}"), is: "invalid_request", 400)
            try harness.expect(try await post(begin, #"{"username":"  "}"#), is: "invalid_request", 400)
            for name in ["a@b@example.com", "a b@example.com", "@example.com", "user:ada", "a/b"] {
                let bad = try await post(begin, #"{"username":"\#(name)"}"#)
                try harness.expect(bad, is: "invalid_username", 400)
            }
            try harness.expect(try await post(begin, #"{"username":"a"b"}"#), is: "malformed_json", 400)
            for path in [begin, "/api/generate-authentication-options", "/api/auth/login/generate-options"] {
                for name in [#"\u0000"#, #"\u0000ada"#, #"ada\u0007"#] {
                    let control = try await post(path, "{\"username\":\"\(name)\"}")
                    try harness.expect(control, is: "invalid_username", 400)
                }
            }
            let cleared = try await post(begin, #"{"username":"ada","timeout":""}"#)
            #expect(cleared.status == .ok, "\(cleared.text)")
            for wrong in [
                #""timeout":"soon""#, #""timeout":1"#, #""userVerification":"maybe""#, #""residentKey":"x""#,
                #""authenticatorAttachment":"x""#, #""attestationType":"x""#, #""preferredAuthenticatorType":"x""#,
                #""supportedAlgorithmIDs":[]"#,
            ] {
                let response = try await post(begin, #"{"username":"ada","# + wrong + "}")
                try harness.expect(response, is: "invalid_request", 400)
            }
            try harness.expect(
                try await post(begin, #"{"username":"ada","supportedAlgorithmIDs":[-65535]}"#),
                is: "algorithms_not_offered",
                400
            )
            for custom in [
                #""customRpID":"example.net""#, #""customRpName":"a\u202eb""#,
                #""customRpName":"\#(String(repeating: "a", count: 65))""#,
            ] {
                let response = try await post(begin, #"{"username":"ada","# + custom + "}")
                try harness.expect(response, is: "relying_party_not_listed", 400)
            }
            for path in ["/api/verify-registration", "/api/verify-authentication"] {
                try harness.expect(try await post(path, #"{"response":{}}"#), is: "invalid_request", 400)
                let id = "7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11"
                try harness.expect(try await post(path, #"{"challengeId":"\#(id)"}"#), is: "invalid_request", 400)
                let empty = #"{"challengeId":"\#(id)","response":{}}"#
                try harness.expect(try await post(path, empty), is: "passkey_refused", 400)
            }
        }
    }

    /// The published page has a field for it.
    @Test func `a laptop takes any name to show for the server, and production those that are listed`() async throws {
        let asked = #"{"username":"ada","customRpName":"Corner Shop"}"#
        try await Harness.run { harness in
            let options = try await harness.post("/api/generate-registration-options", asked)
            #expect((try options.json()["rp"] as? [String: String])?["name"] == "Corner Shop", "\(options.text)")
            let (_, response) = try harness.browser.create(options.text)
            let made = try await harness.post("/api/verify-registration", Harness.answer(response, to: options))
            #expect(made.status == .ok, "\(made.text)")
        }
        try await Harness.run {
            $0.mode = .production
        } _: { harness in
            let refused = try await harness.post("/api/generate-registration-options", asked)
            try harness.expect(refused, is: "relying_party_not_listed", 400)
        }
    }

    @Test func `a domain and a name that are listed can be asked for`() async throws {
        try await Harness.run { settings in
            settings.passkeys.relyingParty.customIDs = ["example.com"]
            settings.passkeys.relyingParty.customNames = ["Example"]
            settings.passkeys.relyingParty.origins = [settings.publicURL, "https://example.com"]
        } _: { harness in
            let asked = #"{"username":"ada","customRpID":"example.com","customRpName":"Example"}"#
            let options = try await harness.post("/api/generate-registration-options", asked)
            let party = try options.json()["rp"] as? [String: String]
            #expect(party == ["id": "example.com", "name": "Example"])
            let elsewhere = SoftwareAuthenticator(origin: "https://example.com")
            let (credential, response) = try elsewhere.create(options.text)
            let made = try await harness.post("/api/verify-registration", Harness.answer(response, to: options))
            #expect(made.status == .ok, "\(made.text)")
            try harness.expect(try await harness.signIn(credential, by: elsewhere), is: "unknown_passkey", 400)
        }
    }

    @Test func `the list of users is 404 unless listUsers is set, and then holds accounts with passkeys alone`()
        async throws
    {
        try await Harness.run { harness in
            try harness.expect(try await harness.send(.get, "/api/users"), is: "not_found", 404)
        }
        try await Harness.run {
            $0.passkeys.listUsers = true
        } _: { harness in
            let ada = try await harness.signUp("ada")
            let users = try await harness.send(.get, "/api/users").decode([ListedPasskeyUser].self)
            #expect(users.map(\.username) == ["ada"] && users.first?.passkeysCount == 1)
            #expect(users.first?.passkeys.first?.id == ada.credential.idText.prefix(20) + "…")
        }
    }

    @Test func `with registration off, options for a new name get 403 registration_closed`() async throws {
        try await Harness.run { settings in
            for name in ["yapt", "passkeys"] { settings.surfaces[name]?.registration = false }
        } _: { harness in
            try harness.expect(try await harness.registrationOptions("ada"), is: "registration_closed", 403)
            let path = "/api/auth/register/generate-options"
            for name in ["ada", "ada@example.com", "nobody@example.com"] {
                try harness.expect(try await harness.registrationOptions(name), is: "registration_closed", 403)
                let asked = try await harness.post(path, #"{"username":"\#(name)"}"#)
                try harness.expect(asked, is: "registration_closed", 403)
            }
        }
    }

    static func claims(_ token: String) throws -> [String: Any] {
        let bytes = try #require(Base64URL.decode(String(token.split(separator: ".")[1])))
        return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }
}
