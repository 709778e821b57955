import Accounts
import Audit
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Passkeys
import Settings
import SignIn
import SoftwareAuthenticator
import Testing
import Wire

@testable import Admin
@testable import Assembly
@testable import HTTPAPI

/// Whoever has learned the password, or has a fresh session, does not get the account for good by way of passkeys.
struct PasskeyTakeoverTests {
    private static let email = "ada@example.com"

    /// Adds a passkey to the account in that session.
    private static func add(
        _ harness: Harness,
        _ name: String,
        _ headers: HTTPFields
    ) async throws -> SoftwareAuthenticator.Credential {
        let options = try await harness.registrationOptions(name, headers)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, response) = try harness.browser.create(options.text)
        let added = try await harness.post("/api/verify-registration", Harness.answer(response, to: options), headers)
        try #require(added.status == .ok, "\(added.text)")
        return credential
    }

    /// Signs in by it; returns what its session is shown with.
    private static func enter(
        _ harness: Harness,
        _ credential: SoftwareAuthenticator.Credential
    ) async throws -> HTTPFields {
        let answer = try await harness.signIn(credential, query: "?tokens=true")
        try #require(answer.status == .ok, "\(answer.text)")
        return .bearing(try #require(try answer.decode(PasskeySignInResponse.self).accessToken))
    }

    private static func remove(
        _ harness: Harness,
        _ credential: SoftwareAuthenticator.Credential,
        _ headers: HTTPFields
    ) async throws -> TestResponse {
        let listed = try await harness.send(.get, "/api/auth/devices", headers).decode(OwnedPasskeysResponse.self)
        let id = try #require(listed.devices.first { $0.credentialId == credential.idText }?.id)
        return try await harness.send(.delete, "/api/auth/devices/\(id)", headers)
    }

    // T-116
    @Test func `attack: an attacker with the password adds a passkey, but can't remove the owner's`() async throws {
        try await Harness.run { harness in
            let owners = try await Self.add(harness, Self.email, try await harness.signIn().bearer)
            let attacker = HTTPFields.bearing(
                try await harness.phone(Self.email, Harness.otherPhone).tokens.accessToken
            )
            _ = try await harness.mails()
            let attackers = try await Self.add(harness, Self.email, attacker)
            #expect(try await harness.mails().map(\.to) == [Self.email], "the owner is told")
            for session in [attacker, try await Self.enter(harness, attackers)] {
                try harness.expect(try await Self.remove(harness, owners, session), is: "step_up_required", 403)
            }
            #expect(try await harness.mails().isEmpty)
            let own = try await Self.remove(harness, attackers, try await Self.enter(harness, attackers))
            #expect(own.status == .ok, "a session takes its own away: \(own.text)")
            let told = try await harness.mails()
            #expect(told.map(\.to) == [Self.email] && told[0].subject.hasPrefix("A passkey was removed"))
            #expect(try await harness.signIn(owners).status == .ok)
        }
    }

    // T-112, T-116
    @Test(arguments: [true, false])
    func `attack: in production a password or a mailed code adds no passkey beside another, and on a laptop it does`(
        _ isProduction: Bool
    ) async throws {
        try await Harness.run {
            $0.mode = isProduction ? .production : .laptop
        } _: { harness in
            try await harness.unenrol(Self.email)
            let password = HTTPFields.bearing(try await harness.phone(Self.email).tokens.accessToken)
            _ = try await Self.add(harness, Self.email, password)
            let mailed = try await harness.phone(Self.email, Harness.otherPhone, proof: .mailedCode)
            for session in [password, .bearing(mailed.tokens.accessToken)] {
                let answers = [
                    try await harness.registrationOptions(Self.email, session),
                    try await harness.send(.post, "/api/auth/add-device/generate-options", session),
                ]
                for answer in answers {
                    if isProduction {
                        try harness.expect(answer, is: "step_up_required", 403)
                    } else {
                        #expect(answer.status == .ok, "\(answer.text)")
                    }
                }
            }
        }
    }

    // T-112
    @Test func `attack: in production options from before another passkey add none after it`() async throws {
        try await Harness.run {
            $0.mode = .production
        } _: { harness in
            try await harness.unenrol(Self.email)
            let session = HTTPFields.bearing(
                try await harness.phone(Self.email, Harness.phone, proof: .mailedCode).tokens.accessToken
            )
            let options = try await harness.registrationOptions(Self.email, session)
            let answer = try Harness.answer(try harness.browser.create(options.text).1, to: options)
            _ = try await Self.add(harness, Self.email, session)
            let late = try await harness.post("/api/verify-registration", answer, session)
            try harness.expect(late, is: "step_up_required", 403)
        }
    }

    // T-117
    @Test func `attack: removing a passkey ends the sessions that it opened, also while they add another one`()
        async throws
    {
        try await Harness.run { harness in
            let owners = try await Self.add(harness, Self.email, try await harness.signIn().bearer)
            harness.time.advance(by: CoolingOff.period)
            let owner = try await Self.enter(harness, owners)
            let password = HTTPFields.bearing(
                try await harness.phone(Self.email, Harness.otherPhone).tokens.accessToken
            )
            let attackers = try await Self.add(harness, Self.email, password)
            let withTokens = try await harness.signIn(attackers, query: "?tokens=true")
            let tokens = try withTokens.decode(PasskeySignInResponse.self)
            let refresh = try #require(tokens.refreshToken)
            let held = [
                HTTPFields.bearing(try #require(tokens.accessToken)), .cookies(withTokens.sessionCookies),
                .cookies(try await harness.signIn(attackers).sessionCookies),
            ]
            for headers in held { #expect(try await harness.send(.get, "/api/auth/me", headers).status == .ok) }
            let options = try await harness.registrationOptions(Self.email, held[0])
            let next = try harness.browser.create(options.text).1

            #expect(try await Self.remove(harness, attackers, owner).status == .ok)
            for headers in held {
                try harness.expect(try await harness.send(.get, "/api/auth/me", headers), is: "unauthorized", 401)
            }
            let refreshed = try await harness.post("/auth/refresh", "", .bearing(refresh))
            try harness.expect(refreshed, is: "unauthorized", 401)
            let answer = try Harness.answer(next, to: options)
            let added = try await harness.post("/api/verify-registration", answer, held[0])
            #expect(added.status != .ok, "\(added.text)")
            for headers in [owner, password] {
                let others = try await harness.send(.get, "/api/auth/me", headers)
                #expect(others.status == .ok, "what another proof opened goes on: \(others.text)")
            }
            let left = try await harness.send(.get, "/api/auth/devices", owner).decode(OwnedPasskeysResponse.self)
            #expect(left.devices.map(\.credentialId) == [owners.idText])
            let sessions = try await harness.send(.get, "/auth/sessions", owner).decode(OwnedSessionsResponse.self)
            let told = sessions.sessions.compactMap(\.reason)
            #expect(told == ["passkey_removed", "passkey_removed"])
            #expect(try await harness.audited("session.revoked").compactMap(\.detail) == told)
        }
    }

    // T-117
    @Test func `attack: a passkey removed by an operator ends the sessions that it opened`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let entered = try await Self.enter(harness, ada.credential)
            let listed = try await harness.send(.get, "/api/auth/devices", entered).decode(OwnedPasskeysResponse.self)
            let id = try #require(listed.devices.first?.id)
            let other = try await harness.signUp("eve")
            #expect(try await harness.composition.administration.execute(RemovePasskey(id: id)) == id)
            for headers in [ada.headers, entered] {
                try harness.expect(try await harness.send(.get, "/api/auth/me", headers), is: "unauthorized", 401)
            }
            #expect(try await harness.who(other.cookie) == "eve")
        }
    }

    // T-116
    @Test func `attack: a passkey under a day old can't remove an older one, and removing it ends its other sessions`()
        async throws
    {
        try await Harness.run { harness in
            let owners = try await Self.add(harness, Self.email, try await harness.signIn().bearer)
            harness.time.advance(by: CoolingOff.period)
            let owner = try await Self.enter(harness, owners)
            let second = try await Self.add(harness, Self.email, owner)
            let (young, other) = (try await Self.enter(harness, second), try await Self.enter(harness, second))
            try harness.expect(try await Self.remove(harness, owners, young), is: "step_up_required", 403)
            #expect(try await Self.remove(harness, second, young).status == .ok)
            try harness.expect(try await harness.send(.get, "/api/auth/me", other), is: "unauthorized", 401)
            try harness.expect(try await Self.remove(harness, owners, young), is: "step_up_required", 403)
            let third = try await Self.add(harness, Self.email, owner)
            let removed = try await Self.remove(harness, third, owner)
            #expect(removed.status == .ok, "\(removed.text)")
        }
    }

    // T-116
    @Test func `attack: an account without an address gets its first by its owner's passkey, not by a newer one`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let owner = try await Self.enter(harness, ada.credential)
            harness.time.advance(by: .seconds(1))
            let attacker = HTTPFields.bearing(try await harness.phone("ada", Harness.otherPhone).tokens.accessToken)
            let attackers = try await Self.enter(harness, try await Self.add(harness, "ada", attacker))
            let order = #"{"email":"lovelace@example.com"}"#
            for session in [attacker, attackers] {
                try harness.expect(try await harness.post("/auth/email", order, session), is: "step_up_required", 403)
            }
            #expect(try await harness.mails().isEmpty)
            let asked = try await harness.post("/auth/email", order, owner)
            #expect(asked.status == .ok, "\(asked.text)")
            #expect(try await harness.mails().map(\.to) == ["lovelace@example.com"])
        }
    }

    // T-116
    @Test func `attack: with an unproved address a newer passkey still can't change the address, the oldest can`()
        async throws
    {
        try await Harness.run { harness in
            let ada = try await harness.signUp("ada")
            let owner = try await Self.enter(harness, ada.credential)
            let claimed = try await harness.post("/auth/email", #"{"email":"lovelace@example.com"}"#, owner)
            #expect(claimed.status == .ok, "\(claimed.text)")
            harness.time.advance(by: .seconds(1))
            let attacker = HTTPFields.bearing(try await harness.phone("ada", Harness.otherPhone).tokens.accessToken)
            let attackers = try await Self.enter(harness, try await Self.add(harness, "ada", attacker))
            #expect(try await harness.me(String(attacker[.authorization]?.dropFirst(7) ?? "")).emailVerified == false)
            _ = try await harness.mails()
            for session in [attacker, attackers] {
                for path in ["/auth/email", "/api/auth/email"] {
                    let asked = try await harness.post(path, #"{"email":"mallory@example.com"}"#, session)
                    try harness.expect(asked, is: "step_up_required", 403)
                }
            }
            #expect(try await harness.mails().isEmpty, "no link goes to the attacker")
            let again = try await harness.post("/auth/email", #"{"email":"lovelace@example.com"}"#, owner)
            #expect(again.status == .ok, "the owner's own passkey is enough: \(again.text)")
        }
    }
}
