import Foundation
import Kernel
import Passkeys
import SoftwareAuthenticator
import Testing

@testable import Vestibule

/// `vestibule passkeys verify`.
struct CeremonyInputTests {
    private static let options = """
        {"challenge":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","rp":{"id":"example.com","name":"Example"},\
        "user":{"id":"AQID","name":"ada","displayName":"Ada"},"pubKeyCredParams":[{"alg":-7,"type":"public-key"}],\
        "authenticatorSelection":{"userVerification":"required"}}
        """
    private let browser = SoftwareAuthenticator(origin: "https://login.example.com")
    private let now = Instant(seconds: 1_800_000_000)

    private func verdict(
        _ input: String,
        _ origins: [String] = ["https://login.example.com"]
    ) async throws -> CeremonyVerdict {
        try await CeremonyInput(Array(input.utf8), origins: origins).verdict(anchors: nil, now: now)
    }

    @Test func `a valid registration is printed with the values to store`() async throws {
        let (credential, response) = try browser.create(Self.options)
        for options in [Self.options, #"{"publicKey":\#(Self.options)}"#] {
            let verdict = try await verdict(#"{"options":\#(options),"response":\#(response)}"#)
            #expect(verdict.verified && verdict.ceremony == "registration" && verdict.code == nil)
            #expect(verdict.credential?.id == credential.idText && verdict.credential?.attestation == "none")
        }
    }

    @Test func `an invalid one is printed with its step and clause`() async throws {
        let response = try browser.create(Self.options).1
        let input = #"{"options":\#(Self.options),"response":\#(response)}"#
        let elsewhere = try await verdict(input, [])
        #expect(!elsewhere.verified && elsewhere.code == "origin_not_allowed")
        #expect(elsewhere.step == 9 && elsewhere.clause == "WebAuthn L3 §7.1 step 9")
        #expect(elsewhere.sentence.contains("origin_not_allowed"))
        var careless = browser
        careless.flags.isUserVerified = false
        let unverified = try careless.create(Self.options).1
        let verdict = try await verdict(#"{"options":\#(Self.options),"response":\#(unverified)}"#)
        #expect(verdict.code == "user_not_verified" && verdict.step == 16)
    }

    @Test(arguments: [
        (#""residentKey":"required""#, false), (#""requireResidentKey":true"#, false),
        (#""residentKey":"preferred","requireResidentKey":true"#, true), (#""residentKey":"preferred""#, true),
        ("", true),
    ])
    func `a passkey that has to be discoverable and isn't is refused, as the daemon does`(
        _ selection: String,
        _ holds: Bool
    ) async throws {
        let asked = Self.options.replacing(
            #""authenticatorSelection":{"userVerification":"required"}"#,
            with: "\"authenticatorSelection\":{\(selection)}"
        )
        try #require(asked != Self.options)
        var bare = browser
        bare.isDiscoverable = false
        let response = try bare.create(asked).1
        let verdict = try await verdict(#"{"options":\#(asked),"response":\#(response)}"#)
        #expect(verdict.verified == holds)
        #expect(verdict.code == (holds ? nil : "credential_not_discoverable") && verdict.step == (holds ? nil : 28))
    }

    @Test func `a sign-in is checked against the credential that the input names`() async throws {
        let (credential, response) = try browser.create(Self.options)
        let registered = try await verdict(#"{"options":\#(Self.options),"response":\#(response)}"#)
        let key = try #require(registered.credential?.publicKey)
        let options = #"{"challenge":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8","rpId":"example.com"}"#
        let answer = try browser.get(options, with: credential)
        let known = #"{"publicKey":"\#(key)","userHandle":"AQID","backupEligible":true,"backedUp":true}"#
        let good = try await verdict(#"{"options":\#(options),"response":\#(answer),"credential":\#(known)}"#)
        #expect(good.verified && good.ceremony == "authentication")
        let unknown = try await verdict(#"{"options":\#(options),"response":\#(answer)}"#)
        #expect(unknown.code == "credential_unknown" && unknown.step == 6)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"options":{},"response":{}}"#, #"{"options":{"challenge":"AA"},"response":{}}"#,
    ])
    func `an invalid ceremony is refused with a message`(_ input: String) {
        #expect(throws: ExitError.self) { try CeremonyInput(Array(input.utf8), origins: []) }
    }
}
