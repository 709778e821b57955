import Accounts
import Crypto
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Passkeys
import SoftwareAuthenticator
import Testing

@testable import Assembly
@testable import HTTPAPI
@testable import Settings

/// Attacks on a page that asks for a passkey, and what it must not reveal.
struct LandingPasskeyAttackTests {
    // T-024
    @Test func `attack: opening the link without the account's passkey is refused and begins no scan`() async throws {
        try await Harness.runConfirming { harness in
            _ = try await harness.addPasskey()
            let login = try await harness.start()
            let scans = harness.provider.beginCount
            for _ in 1...3 { harness.expectRefused(try await harness.open(login), as: "passkey_required") }
            #expect(harness.provider.beginCount == scans)
            #expect(try await harness.word(login, login.bound) == "created")
            #expect(harness.refusals(.openWithoutPasskey) == 3)
        }
    }

    // T-024
    @Test func `attack: another account's passkey, or an unknown one, begins no scan at the landing page`() async throws
    {
        try await Harness.runConfirming { harness in
            let (hers, _) = try await harness.addPasskey()
            let (his, _) = try await harness.addPasskey("bob@example.com")
            let unknown = SoftwareAuthenticator.Credential(
                id: Array(repeating: 9, count: 32),
                key: .init(),
                rpID: hers.rpID,
                userHandle: hers.userHandle
            )
            let forged = SoftwareAuthenticator.Credential(
                id: hers.id,
                key: .init(),
                rpID: hers.rpID,
                userHandle: hers.userHandle
            )
            let login = try await harness.start()
            let scans = harness.provider.beginCount
            var texts: Set<String> = []
            for credential in [his, unknown, forged] {
                let page = try await harness.confirm(login.landingPath, with: credential)
                harness.expectRefused(page, as: "passkey_refused", back: "../\(login.ticket)")
                texts.insert(page.text)
            }
            #expect(texts.count == 1, "in the same words")
            #expect(harness.provider.beginCount == scans)
            #expect(try await harness.audited("operation.confirmed").isEmpty)
            #expect(harness.refusals(.openOtherPasskey) == 1)
            #expect(try await harness.confirm(login.landingPath, with: hers).status == .seeOther)
        }
    }

    // T-024
    @Test func `attack: of eight concurrent presses with one passkey assertion one begins a scan`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let answer = try await harness.signed(login.landingPath, credential)
            let good = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask { try await harness.confirm(login.landingPath, answer).status.code }
                }
                return try await group.reduce(into: 0) { count, status in count += status == 303 ? 1 : 0 }
            }
            #expect(good == 1)
            let replayed = try await harness.confirm(login.landingPath, answer)
            harness.expectRefused(replayed, as: "passkey_refused", back: "../\(login.ticket)")
            #expect(try await harness.audited("operation.confirmed").count == 1)
        }
    }

    // T-024
    @Test func `attack: a passkey assertion for one login's page is refused at another's, and not used up`()
        async throws
    {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let (first, second) = (try await harness.start(), try await harness.start())
            let answer = try await harness.signed(first.landingPath, credential)
            let crossed = try await harness.confirm(second.landingPath, answer)
            harness.expectRefused(crossed, as: "passkey_refused", back: "../\(second.ticket)")
            #expect(try await harness.confirm(first.landingPath, answer).status == .seeOther, "it was not used up")
        }
    }

    // T-026
    @Test func `attack: a sign-in assertion confirms no landing page, and a landing page's assertion signs nobody in`()
        async throws
    {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            for name in [nil, "ada@example.com"] {
                let signIn = try harness.browser.get(try await harness.signInOptions(name).text, with: credential)
                let page = try await harness.confirm(login.landingPath, signIn)
                harness.expectRefused(page, as: "passkey_refused", back: "../\(login.ticket)")
            }
            let tied = try await harness.post("/api/auth/login/generate-options", "{}")
            let cookie = try harness.browser.get(tied.text, with: credential)
            let page = try await harness.confirm(login.landingPath, cookie, .cookies(tied.cookie("yapt.sid=")))
            harness.expectRefused(page, as: "passkey_refused", back: "../\(login.ticket)")

            let answer = try await harness.signed(login.landingPath, credential)
            for id in [login.id, login.ticket, "7f1c6b1e-4c1f-4c1e-9d9c-3f6f0a0f7a11"] {
                let body = #"{"response":\#(answer),"challengeId":"\#(id)"}"#
                try harness.expect(
                    try await harness.post("/api/verify-authentication", body),
                    is: "challenge_over",
                    400
                )
            }
            for cookie in [nil, "yapt.sid=\(login.ticket)"] {
                let signIn = try await harness.post("/api/auth/login/verify", answer, .cookies(cookie))
                try harness.expect(signIn, is: "challenge_over", 400)
            }
            #expect(try await harness.confirm(login.landingPath, answer).status == .seeOther, "it was not used up")
        }
    }

    // T-027
    @Test func `attack: landing pages answer alike for existing, unknown and disabled accounts without their passkey`()
        async throws
    {
        try await Harness.runConfirming { harness in
            _ = try await harness.addPasskey()
            let (his, _) = try await harness.addPasskey("bob@example.com")
            var seen: [[String]] = []
            let ada = try await harness.impression("ada@example.com", of: his)
            seen.append(ada)
            seen.append(try await harness.impression("nobody@example.com", of: his))
            seen.append(try await harness.impression("no address @ all", of: his))
            _ = try await harness.composition.accounts.disable("ada@example.com")
            seen.append(try await harness.impression("ada@example.com", of: his))
            #expect(seen.allSatisfy { $0 == ada }, "\(seen)")
            #expect(ada.contains { $0.contains("passkey_required") } && ada.contains { $0.contains("passkey_refused") })
        }
    }

    // T-027
    @Test func `attack: an account's own passkey at a decoy is refused, and its last use stays empty`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let decoy = try await harness.start("nobody@example.com")
            #expect(try harness.operation(decoy).isDecoy)
            let page = try await harness.confirm(decoy.landingPath, with: credential)
            harness.expectRefused(page, as: "passkey_refused", back: "../\(decoy.ticket)")
            let owned = try await harness.composition.passkeys.owned
                .list(of: try await harness.composition.accounts.show("ada@example.com").account.id)
            #expect(owned.first?.lastUsedAt == nil)
        }
    }

    @Test func `attack: assertions of another origin, without user verification or malformed begin no scan`()
        async throws
    {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let phishing = SoftwareAuthenticator(origin: "https://localhost.example.net")
            var careless = harness.browser
            careless.flags.isUserVerified = false
            for authenticator in [phishing, careless] {
                let page = try await harness.confirm(login.landingPath, with: credential, by: authenticator)
                harness.expectRefused(page, as: "passkey_refused", back: "../\(login.ticket)")
            }
            for answer in ["", "{", "{}", "[]", "null", String(repeating: "[", count: 9000), #"{"id":7}"#] {
                let page = try await harness.confirm(login.landingPath, answer)
                harness.expectRefused(page, as: "passkey_refused", back: "../\(login.ticket)")
            }
            let good = try await harness.signed(login.landingPath, credential)
            let long = try await harness.confirm(login.landingPath, good + String(repeating: " ", count: 40_000))
            harness.expectRefused(long, as: "passkey_refused", back: "../\(login.ticket)")
            let json = try await harness.post(login.landingPath + "/passkey", good)
            harness.expectRefused(json, as: "passkey_refused", back: "../\(login.ticket)")
            #expect(try await harness.word(login, login.bound) == "created")
            #expect(try await harness.confirm(login.landingPath, good).status == .seeOther)
        }
    }

    // T-035
    @Test(arguments: ["cross-site", "same-site"])
    func `attack: a cross-site request gets no passkey challenge, and a cross-site form begins no scan`(
        _ site: String
    ) async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let cross = HTTPFields().adding(.fetchSite, site)
            let refused = try await harness.send(.post, login.landingPath + "/passkey/options", cross)
            try harness.expect(refused, is: "origin_not_allowed", 403)
            let answer = try await harness.signed(login.landingPath, credential)
            let escaped = answer.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
            let form = cross.adding(.contentType, "application/x-www-form-urlencoded")
            let page = try await harness.send(.post, login.landingPath + "/passkey", form, body: "passkey=\(escaped)")
            #expect(page.status == .forbidden && page.text.contains("Another website asked"))
            #expect(try await harness.word(login, login.bound) == "created")
        }
    }

    @Test func `attack: an expired or unknown link gets 404 for a challenge and 410 for an assertion`() async throws {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let answer = try await harness.signed(login.landingPath, credential)
            await harness.pass(.seconds(181))
            for path in [login.landingPath, "/go/" + String(repeating: "A", count: 43), "/go/x"] {
                try harness.expect(try await harness.confirmationOptions(path), is: "operation_not_found", 404)
                #expect(try await harness.confirm(path, answer).status == .gone)
            }
        }
    }

    @Test func `attack: after its account was disabled a login's landing page answers a passkey with 410`() async throws
    {
        try await Harness.runConfirming { harness in
            let (credential, _) = try await harness.addPasskey()
            let login = try await harness.start()
            let answer = try await harness.signed(login.landingPath, credential)
            _ = try await harness.composition.accounts.disable("ada@example.com")
            #expect(try await harness.confirm(login.landingPath, answer).status == .gone)
            #expect(try await harness.audited("operation.confirmed").isEmpty)
        }
    }

    // T-247
    @Test func `attack: the fourth request for challenges gets 429, and opening the link still works`() async throws {
        try await Harness.runConfirming {
            $0.limits.passkeyRates.requests = RateLimit(burst: 3, every: .seconds(3600))
        } _: { harness in
            let login = try await harness.start("bob@example.com")
            for _ in 0..<3 { #expect(try await harness.confirmationOptions(login.landingPath).status == .ok) }
            let over = try await harness.confirmationOptions(login.landingPath)
            try harness.expect(over, is: "rate_limited", 429)
            #expect(try await harness.open(login).status == .seeOther, "the press is not held up by it")
        }
    }
}

extension Harness {
    /// Returns what the holder of another account's passkey sees at a login for that name.
    ///
    /// These are status, headers and texts, but for what differs from login to login.
    fileprivate func impression(
        _ email: String,
        of credential: SoftwareAuthenticator.Credential
    ) async throws -> [String] {
        let login = try await start(email)
        let path = login.landingPath
        let options = try await confirmationOptions(path)
        var members = try options.json()
        members["challenge"] = (members["challenge"] as? String)?.count
        let asked = String(
            decoding: try JSONSerialization.data(withJSONObject: members, options: .sortedKeys),
            as: UTF8.self
        )
        let answers = [
            try await send(.get, path), try await open(login), try await confirm(path, with: credential),
            try await confirm(path, "{}"), try await send(.get, path),
        ]
        let shown = MaskedEmail.mask(email)
        let texts = answers.map { answer in
            let text = answer.text.replacing(login.ticket, with: "TICKET").replacing(shown, with: "ADDRESS")
            return "\(answer.status.code) \(answer.headerNames) \(text)"
        }
        return ["\(options.status.code) \(options.headerNames) \(asked)"] + texts
    }
}
