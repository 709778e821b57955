import Foundation
import HTTPTypes
import HummingbirdTesting
import Passkeys
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI

/// Passkeys of every algorithm, and attestation objects of old authenticators, by both surfaces.
struct PasskeyAlgorithmTests {
    private static func browser(_ harness: Harness, _ algorithm: PasskeyKeyPair.Algorithm) -> SoftwareAuthenticator {
        var browser = harness.browser
        browser.algorithms = [algorithm]
        return browser
    }

    private static func order(_ algorithm: PasskeyKeyPair.Algorithm) -> String {
        #"{"username":"ada","supportedAlgorithmIDs":[\#(algorithm.rawValue)]}"#
    }

    @Test(arguments: PasskeyKeyPair.Algorithm.allCases)
    func `a passkey of each listed algorithm signs up and signs in by challengeId`(
        _ algorithm: PasskeyKeyPair.Algorithm
    ) async throws {
        try await Harness.run { harness in
            let browser = Self.browser(harness, algorithm)
            let options = try await harness.post("/api/generate-registration-options", Self.order(algorithm))
            let listed = try #require(try options.json()["pubKeyCredParams"] as? [[String: Any]])
            #expect(listed.compactMap { $0["alg"] as? Int } == [algorithm.rawValue])
            let (credential, response) = try browser.create(options.text)
            let answer = try await harness.post("/api/verify-registration", Harness.answer(response, to: options))
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(credential.key.algorithm == algorithm)
            let signedIn = try await harness.signIn(credential, "ada", by: browser)
            #expect(signedIn.status == .ok, "\(signedIn.text)")
            let again = try await harness.signInOptions("ada")
            let forged = try browser.get(again.text, with: credential) { try credential.key.sign($0 + [0]) }
            let refused = try await harness.post("/api/verify-authentication", Harness.answer(forged, to: again))
            #expect(refused.status == .badRequest, "\(refused.text)")
        }
    }

    @Test(arguments: PasskeyKeyPair.Algorithm.allCases)
    func `a passkey of each listed algorithm signs up and signs in by cookie`(
        _ algorithm: PasskeyKeyPair.Algorithm
    ) async throws {
        try await Harness.run { harness in
            let browser = Self.browser(harness, algorithm)
            let options = try await harness.post("/api/auth/register/generate-options", Self.order(algorithm))
            try #require(options.status == .ok, "\(options.text)")
            let (credential, response) = try browser.create(options.text)
            #expect(credential.key.algorithm == algorithm)
            let cookies = HTTPFields.cookies(options.sessionCookies)
            let answer = try await harness.post("/api/auth/register/verify", response, cookies)
            #expect(answer.status == .ok, "\(answer.text)")
            let asked = try await harness.post("/api/auth/login/generate-options", #"{"username":"ada"}"#)
            let signed = try browser.get(asked.text, with: credential)
            let signedIn = try await harness.post("/api/auth/login/verify", signed, .cookies(asked.sessionCookies))
            #expect(signedIn.status == .ok, "\(signedIn.text)")
        }
    }

    // T-130
    @Test(arguments: [PasskeyKeyPair.Algorithm.rs384, .rs512, .ps384, .ps512, .mlDSA65, .mlDSA87])
    func `attack: an algorithm that the options didn't list is refused`(
        _ algorithm: PasskeyKeyPair.Algorithm
    ) async throws {
        try await Harness.run { harness in
            let options = try await harness.registrationOptions("ada")
            let listed = try #require(try options.json()["pubKeyCredParams"] as? [[String: Any]])
            #expect(listed.compactMap { $0["alg"] as? Int } == [-8, -7, -257])
            let (_, response) = try Self.browser(harness, algorithm).create(options.text)
            let answer = try await harness.post("/api/verify-registration", Harness.answer(response, to: options))
            try harness.expect(answer, is: "passkey_refused", 400)
            #expect(answer.text.contains("was not among those that were offered"), "\(answer.text)")
        }
    }

    @Test func `an attestation object whose keys come backwards signs up by both surfaces`() async throws {
        try await Harness.run { harness in
            var browser = harness.browser
            browser.writesKeysBackwards = true
            let options = try await harness.registrationOptions("ada")
            let (credential, response) = try browser.create(options.text)
            let answer = try await harness.post("/api/verify-registration", Harness.answer(response, to: options))
            #expect(answer.status == .ok, "\(answer.text)")
            #expect(try await harness.signIn(credential, "ada").status == .ok)
            let asked = try await harness.post("/api/auth/register/generate-options", #"{"username":"grace"}"#)
            let (_, other) = try browser.create(asked.text)
            let cookies = HTTPFields.cookies(asked.sessionCookies)
            let byCookie = try await harness.post("/api/auth/register/verify", other, cookies)
            #expect(byCookie.status == .ok, "\(byCookie.text)")
        }
    }
}
