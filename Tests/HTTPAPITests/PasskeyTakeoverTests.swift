import Accounts
import Audit
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Passkeys
import SoftwareAuthenticator
import Testing
import Wire

@testable import Admin
@testable import HTTPAPI
@testable import Vestibule

/// Whoever has learned the password, or has a fresh session, does not get the account for good by way of passkeys.
struct PasskeyTakeoverTests {
    private static let email = "ada@example.com"

    /// Adds a passkey to the account in that session.
    private static func add(
        _ bench: Bench,
        _ name: String,
        _ headers: HTTPFields
    ) async throws -> SoftwareAuthenticator.Credential {
        let options = try await bench.registrationOptions(name, headers)
        try #require(options.status == .ok, "\(options.text)")
        let (credential, response) = try bench.browser.create(options.text)
        let added = try await bench.post("/api/verify-registration", Bench.answer(response, to: options), headers)
        try #require(added.status == .ok, "\(added.text)")
        return credential
    }

    /// Signs in by it; returns what its session is shown with.
    private static func enter(
        _ bench: Bench,
        _ credential: SoftwareAuthenticator.Credential
    ) async throws -> HTTPFields {
        let answer = try await bench.signIn(credential, query: "?tokens=true")
        try #require(answer.status == .ok, "\(answer.text)")
        return .bearing(try #require(try answer.decode(PasskeySignInResponse.self).accessToken))
    }

    private static func remove(
        _ bench: Bench,
        _ credential: SoftwareAuthenticator.Credential,
        _ headers: HTTPFields
    ) async throws -> TestResponse {
        let listed = try await bench.send(.get, "/api/auth/devices", headers).decode(OwnedPasskeysResponse.self)
        let id = try #require(listed.devices.first { $0.credentialId == credential.idText }?.id)
        return try await bench.send(.delete, "/api/auth/devices/\(id)", headers)
    }

    @Test func `attack: with the password a thief adds a passkey, and takes none of the owner's away`() async throws {
        try await Bench.run { bench in
            let owners = try await Self.add(bench, Self.email, try await bench.signIn().bearer)
            let thief = HTTPFields.bearing(try await bench.phone(Self.email, Bench.otherPhone).tokens.accessToken)
            _ = try await bench.mails()
            let thiefs = try await Self.add(bench, Self.email, thief)
            #expect(try await bench.mails().map(\.to) == [Self.email], "the owner is told")
            for session in [thief, try await Self.enter(bench, thiefs)] {
                try bench.expect(try await Self.remove(bench, owners, session), is: "step_up_required", 403)
            }
            #expect(try await bench.mails().isEmpty)
            let own = try await Self.remove(bench, thiefs, try await Self.enter(bench, thiefs))
            #expect(own.status == .ok, "a session takes its own away: \(own.text)")
            let told = try await bench.mails()
            #expect(told.map(\.to) == [Self.email] && told[0].subject.hasPrefix("A passkey was removed"))
            #expect(try await bench.signIn(owners).status == .ok)
        }
    }

    @Test func `attack: whoever signed in by a passkey is out when its owner removes it, and adds no other one`()
        async throws
    {
        try await Bench.run { bench in
            let owners = try await Self.add(bench, Self.email, try await bench.signIn().bearer)
            bench.time.advance(by: CoolingOff.period)
            let owner = try await Self.enter(bench, owners)
            let password = HTTPFields.bearing(try await bench.phone(Self.email, Bench.otherPhone).tokens.accessToken)
            let thiefs = try await Self.add(bench, Self.email, password)
            let withTokens = try await bench.signIn(thiefs, query: "?tokens=true")
            let tokens = try withTokens.decode(PasskeySignInResponse.self)
            let refresh = try #require(tokens.refreshToken)
            let held = [
                HTTPFields.bearing(try #require(tokens.accessToken)), .cookies(withTokens.sessionCookies),
                .cookies(try await bench.signIn(thiefs).sessionCookies),
            ]
            for headers in held { #expect(try await bench.send(.get, "/api/auth/me", headers).status == .ok) }
            let options = try await bench.registrationOptions(Self.email, held[0])
            let next = try bench.browser.create(options.text).1

            #expect(try await Self.remove(bench, thiefs, owner).status == .ok)
            for headers in held {
                try bench.expect(try await bench.send(.get, "/api/auth/me", headers), is: "unauthorized", 401)
            }
            let refreshed = try await bench.post("/auth/refresh", "", .bearing(refresh))
            try bench.expect(refreshed, is: "unauthorized", 401)
            let answer = try Bench.answer(next, to: options)
            let added = try await bench.post("/api/verify-registration", answer, held[0])
            #expect(added.status != .ok, "\(added.text)")
            for headers in [owner, password] {
                let others = try await bench.send(.get, "/api/auth/me", headers)
                #expect(others.status == .ok, "what another proof opened goes on: \(others.text)")
            }
            let left = try await bench.send(.get, "/api/auth/devices", owner).decode(OwnedPasskeysResponse.self)
            #expect(left.devices.map(\.credentialId) == [owners.idText])
            let sessions = try await bench.send(.get, "/auth/sessions", owner).decode(OwnedSessionsResponse.self)
            let told = sessions.sessions.compactMap(\.reason)
            #expect(told == ["passkey_removed", "passkey_removed"])
            #expect(try await bench.audited("session.revoked").compactMap(\.detail) == told)
        }
    }

    @Test func `attack: a passkey that an operator removes leaves nobody signed in by it`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signUp("ada")
            let entered = try await Self.enter(bench, ada.credential)
            let listed = try await bench.send(.get, "/api/auth/devices", entered).decode(OwnedPasskeysResponse.self)
            let id = try #require(listed.devices.first?.id)
            let other = try await bench.signUp("eve")
            #expect(try await bench.composition.administration.execute(RemovePasskey(id: id)) == id)
            for headers in [ada.headers, entered] {
                try bench.expect(try await bench.send(.get, "/api/auth/me", headers), is: "unauthorized", 401)
            }
            #expect(try await bench.who(other.cookie) == "eve")
        }
    }

    @Test func `attack: a passkey that is gone counts for nothing, and one counts a day after it was made`()
        async throws
    {
        try await Bench.run { bench in
            let owners = try await Self.add(bench, Self.email, try await bench.signIn().bearer)
            bench.time.advance(by: CoolingOff.period)
            let owner = try await Self.enter(bench, owners)
            let second = try await Self.add(bench, Self.email, owner)
            let (young, other) = (try await Self.enter(bench, second), try await Self.enter(bench, second))
            try bench.expect(try await Self.remove(bench, owners, young), is: "step_up_required", 403)
            #expect(try await Self.remove(bench, second, young).status == .ok)
            try bench.expect(try await bench.send(.get, "/api/auth/me", other), is: "unauthorized", 401)
            try bench.expect(try await Self.remove(bench, owners, young), is: "step_up_required", 403)
            let third = try await Self.add(bench, Self.email, owner)
            let removed = try await Self.remove(bench, third, owner)
            #expect(removed.status == .ok, "\(removed.text)")
        }
    }

    @Test func `attack: an account without an address gets its first one by its own passkey, not by a thief's`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.signUp("ada")
            let owner = try await Self.enter(bench, ada.credential)
            bench.time.advance(by: .seconds(1))
            let thief = HTTPFields.bearing(try await bench.phone("ada", Bench.otherPhone).tokens.accessToken)
            let thiefs = try await Self.enter(bench, try await Self.add(bench, "ada", thief))
            let order = #"{"email":"lovelace@example.com"}"#
            for session in [thief, thiefs] {
                try bench.expect(try await bench.post("/auth/email", order, session), is: "step_up_required", 403)
            }
            #expect(try await bench.mails().isEmpty)
            let asked = try await bench.post("/auth/email", order, owner)
            #expect(asked.status == .ok, "\(asked.text)")
            #expect(try await bench.mails().map(\.to) == ["lovelace@example.com"])
        }
    }

    @Test func `attack: an address that is merely claimed opens no way around the oldest passkey and its day`()
        async throws
    {
        try await Bench.run { bench in
            let ada = try await bench.signUp("ada")
            let owner = try await Self.enter(bench, ada.credential)
            let claimed = try await bench.post("/auth/email", #"{"email":"lovelace@example.com"}"#, owner)
            #expect(claimed.status == .ok, "\(claimed.text)")
            bench.time.advance(by: .seconds(1))
            let thief = HTTPFields.bearing(try await bench.phone("ada", Bench.otherPhone).tokens.accessToken)
            let thiefs = try await Self.enter(bench, try await Self.add(bench, "ada", thief))
            #expect(try await bench.me(String(thief[.authorization]?.dropFirst(7) ?? "")).emailVerified == false)
            _ = try await bench.mails()
            for session in [thief, thiefs] {
                for path in ["/auth/email", "/api/auth/email"] {
                    let asked = try await bench.post(path, #"{"email":"mallory@example.com"}"#, session)
                    try bench.expect(asked, is: "step_up_required", 403)
                }
            }
            #expect(try await bench.mails().isEmpty, "no link goes to the thief")
            let again = try await bench.post("/auth/email", #"{"email":"lovelace@example.com"}"#, owner)
            #expect(again.status == .ok, "the owner's own passkey is enough: \(again.text)")
        }
    }
}
