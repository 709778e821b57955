import HTTPAPI
import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Testing
import Wire

@testable import Vestibule

struct PasswordChangeTests {
    private static let path = "/auth/password"
    private static let new = "a horse of another colour"

    @Test func `a change takes the old password; all other sessions end, and only the new one is right`() async throws {
        try await PasswordSignInTests.withEve { bench in
            let other = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            let own = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            #expect(try await bench.change(own, from: Bench.password, to: Self.new).status == .ok)
            try bench.expect(
                try await bench.send(.get, "/auth/me", .bearing(other.accessToken)),
                is: "unauthorized",
                401
            )
            try bench.expect(
                try await bench.send(.post, "/auth/refresh", .bearing(other.refreshToken)),
                is: "unauthorized",
                401
            )
            #expect(try await bench.send(.get, "/auth/me", .bearing(own.accessToken)).status == .ok)
            try bench.expect(try await bench.passwordSignIn("eve@example.com"), is: "unauthorized", 401)
            #expect(try await bench.passwordSignIn("eve@example.com", Self.new).status == .ok)
            #expect(try await bench.facts("account.password_changed") == 1)
        }
    }

    @Test func `the owner is told by mail, at an address that was proved`() async throws {
        try await PasswordSignInTests.withEve { bench in
            let user = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self).user
            _ = try await bench.prove(user.id, within: true)
            let eve = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            #expect(try await bench.change(eve, from: Bench.password, to: Self.new).status == .ok)
            let queued = try await bench.composition.administration.handle(.listMail(states: ["queued"], limit: 10))
            #expect("\(queued)".contains("eve@example.com") && "\(queued)".contains("notice"), "\(queued)")
        }
    }

    @Test func `attack: a sign-in that is older than ten minutes changes nothing, however often it is refreshed`()
        async throws
    {
        try await PasswordSignInTests.withEve { bench in
            let eve = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            bench.time.advance(by: .seconds(600))
            let refreshed = try await bench.refresh(eve.refreshToken).accessToken
            for token in [eve.accessToken, refreshed] {
                let response = try await bench.post(
                    Self.path,
                    #"{"currentPassword": "\#(Bench.password)", "newPassword": "\#(Self.new)"}"#,
                    .bearing(token)
                )
                try bench.expect(response, is: "step_up_required", 403)
            }
            #expect(try await bench.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    @Test func `attack: without the old password, or with a wrong one, nothing changes; tries are counted`()
        async throws
    {
        try await PasswordSignInTests.withEve { bench in
            let eve = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            try bench.expect(try await bench.change(eve, from: nil, to: Self.new), is: "wrong_password", 403)
            for _ in 1...5 {
                let response = try await bench.change(eve, from: "correct horse batterx", to: Self.new)
                try bench.expect(response, is: "wrong_password", 403)
            }
            let response = try await bench.change(eve, from: Bench.password, to: Self.new)
            try bench.expect(response, is: "rate_limited", 429)
        }
    }

    @Test func `an account without a password is given its first one`() async throws {
        try await Bench.run { bench in
            let ada = try await bench.signIn()
            let body = #"{"newPassword": "\#(Self.new)"}"#
            #expect(try await bench.post(Self.path, body, ada.bearer).status == .ok)
            #expect(try await bench.passwordSignIn("ada@example.com", Self.new).status == .ok)
        }
    }

    @Test func `a new password that is too short is refused, and the old one stays`() async throws {
        try await PasswordSignInTests.withEve { bench in
            let eve = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            try bench.expect(try await bench.change(eve, from: Bench.password, to: "short"), is: "weak_password", 400)
            #expect(try await bench.passwordSignIn("eve@example.com").status == .ok)
        }
    }

    @Test func `attack: without a token, or with a refresh token, nobody's password changes`() async throws {
        try await PasswordSignInTests.withEve { bench in
            let eve = try await bench.passwordSignIn("eve@example.com").decode(SignInResponse.self)
            let body = #"{"currentPassword": "\#(Bench.password)", "newPassword": "\#(Self.new)"}"#
            for headers: HTTPFields in [[:], .bearing(eve.refreshToken), .bearing("x.y.z")] {
                try bench.expect(try await bench.post(Self.path, body, headers), is: "unauthorized", 401)
            }
        }
    }
}

extension Bench {
    func change(_ who: SignInResponse, from old: String?, to new: String) async throws -> TestResponse {
        let current = old.map { #""currentPassword": "\#($0)", "# } ?? ""
        return try await post("/auth/password", #"{\#(current)"newPassword": "\#(new)"}"#, .bearing(who.accessToken))
    }
}
