import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What can be tried with the ids of a name's list: nothing tells those of an account from those that were made up.
struct PasskeyDecoyAttackTests {
    /// The first has a passkey, and the others are nobody's.
    private static let names = ["ada", "nobody", "nemo"]

    // T-073
    @Test func `attack: a listed passkey id used without its user name is refused alike for passkeys and decoys`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            for withHandle in [true, false] {
                var answers: Set<String> = []
                for name in Self.names {
                    let id = try #require(try await Self.listed(harness, name).first)
                    #expect((id == ada.credential.id) == (name == "ada"))
                    let forged = Self.forged(id)
                    let options = try await harness.signInOptions(nil)
                    let response = try harness.browser.get(options.text, with: forged, withHandle: withHandle)
                    let body = try Harness.answer(response, to: options)
                    answers.insert(try Self.said(try await harness.post("/api/verify-authentication", body)))
                    let tied = try await harness.post("/api/auth/login/generate-options", "{}")
                    let signed = try harness.browser.get(tied.text, with: forged, withHandle: withHandle)
                    let cookie = HTTPFields.cookies(tied.cookie("yapt.sid="))
                    answers.insert(try Self.said(try await harness.post("/api/auth/login/verify", signed, cookie)))
                }
                let said = try #require(answers.first)
                #expect(answers.count == 1 && said.hasPrefix("400 passkey_refused "), "\(answers)")
            }
            try harness.expect(try await harness.signIn(Self.forged([1, 2, 3])), is: "unknown_passkey", 400)
            #expect(try await harness.signIn(ada.credential).status == .ok)
        }
    }

    // T-073
    @Test func `attack: registering a listed passkey id is refused alike for passkeys and decoys`()
        async throws
    {
        try await Harness.run { harness in
            _ = try await harness.signUp("ada")
            let eve = try await harness.signUp("eve")
            let byID = try await harness.registrationOptions("mallory")
            let path = "/api/auth/register"
            let tied = try await harness.post(path + "/generate-options", #"{"username":"mallet"}"#)
            let cookie = HTTPFields.cookies(tied.cookie("yapt.sid="))
            let added = try await harness.send(.post, "/api/auth/add-device/generate-options", eve.headers)
            func answers(_ authenticator: SoftwareAuthenticator) async throws -> [TestResponse] {
                let body = try Harness.answer(try authenticator.create(byID.text).1, to: byID)
                return [
                    try await harness.post("/api/verify-registration", body),
                    try await harness.post(path + "/verify", try authenticator.create(tied.text).1, cookie),
                    try await harness.post(
                        "/api/auth/add-device/verify",
                        try authenticator.create(added.text).1,
                        eve.headers
                    ),
                ]
            }
            var said: Set<String> = []
            for name in Self.names {
                let id = try #require(try await Self.listed(harness, name).first)
                var forger = harness.browser
                forger.credentialID = id
                for answer in try await answers(forger) {
                    try harness.expect(answer, is: "passkey_already_registered", 409)
                    said.insert(try Self.said(answer))
                }
            }
            #expect(said.count == 1, "\(said)")
            for answer in try await answers(harness.browser) { #expect(answer.status == .ok, "\(answer.text)") }
        }
    }

    // T-073
    @Test func `attack: a guessed user handle of a wrong origin or domain is refused alike for passkeys and decoys`()
        async throws
    {
        try await Harness.run { harness in
            _ = try await harness.signUp("ada")
            let phishing = SoftwareAuthenticator(origin: "https://localhost.example.net")
            for authenticator in [harness.browser, phishing] {
                for rpID in ["localhost", "example.net"] {
                    var answers: Set<String> = []
                    for name in Self.names {
                        let forged = Self.forged(try #require(try await Self.listed(harness, name).first), rpID)
                        let answer = try await harness.signIn(forged, name, by: authenticator)
                        answers.insert(try Self.said(answer))
                    }
                    let said = try #require(answers.first)
                    #expect(answers.count == 1 && said.hasPrefix("400 passkey_refused "), "\(answers)")
                }
            }
        }
    }

    /// The ids that a name's options list.
    private static func listed(_ harness: Harness, _ name: String) async throws -> [[UInt8]] {
        let options = try await harness.signInOptions(name).json()
        let allowed = try #require(options["allowCredentials"] as? [[String: Any]])
        return allowed.compactMap { $0["id"] as? String }.compactMap { Base64URL.decode($0) }
    }

    /// A passkey of that id by whoever has neither its key nor its user handle.
    private static func forged(_ id: [UInt8], _ rpID: String = "localhost") -> SoftwareAuthenticator.Credential {
        SoftwareAuthenticator.Credential(id: id, key: .init(), rpID: rpID, userHandle: Array(repeating: 0, count: 32))
    }

    private static func said(_ answer: TestResponse) throws -> String {
        let body = try answer.json()
        let code = try #require(body["code"] as? String)
        let message = try #require(body["message"] as? String)
        return "\(answer.status.code) \(code) \(message)"
    }
}
