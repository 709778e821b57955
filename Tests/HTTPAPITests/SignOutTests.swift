import HTTPTypes
import HummingbirdTesting
import Kernel
import MemoryStore
import Operations
import Sessions
import Settings
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Signing out, and who is signed in.
struct SignOutTests {
    // T-097
    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `after a sign-out no token of the session is good for anything, at once`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let (ada, other) = (try await harness.signIn(), try await harness.signIn())
            let enrolment = try await harness.send(.post, "/auth/biometric-enrollment/initiate", ada.bearer)
            let id = try enrolment.decode(InitiateLoginResponse.self).operationId
            let poll = "/auth/biometric-enrollment/poll/\(id)"
            #expect(try await harness.send(.get, poll, ada.bearer).status == .ok)
            let response = try await harness.post("/api/auth/logout", "", ada.bearer)
            #expect(response.status == .ok)
            #expect(try response.decode(SignOutResponse.self).success)
            #expect(response.setCookie("vst_refresh")?.contains("Path=/api/auth; Max-Age=0") == true)
            for path in ["/auth/me", "/auth/sessions", "/auth/operations", poll] {
                try harness.expect(try await harness.send(.get, path, ada.bearer), is: "unauthorized", 401)
            }
            let refresh = try await harness.send(.post, "/auth/refresh", .bearing(ada.tokens.refreshToken))
            try harness.expect(refresh, is: "unauthorized", 401)
            #expect(try await harness.sessions(other).map(\.reason) == [nil, "signed_out"], "the other session stands")
        }
    }

    @Test(.alsoSpread) func `revokeAll ends every session of the account, and nobody else's`() async throws {
        try await Harness.run { harness in
            let (ada, other) = (try await harness.signIn(), try await harness.signIn())
            let bob = try await harness.signIn("bob@example.com")
            #expect(try await harness.send(.post, "/auth/logout?revokeAll=true", ada.bearer).status == .ok)
            for person in [ada, other] {
                try harness.expect(try await harness.send(.get, "/auth/me", person.bearer), is: "unauthorized", 401)
            }
            let again = try await harness.signIn()
            #expect(Set(try await harness.sessions(again).compactMap(\.reason)) == ["signed_out_everywhere"])
            #expect(try await harness.send(.get, "/auth/me", bob.bearer).status == .ok)
            #expect(try await harness.send(.post, "/auth/logout?revokeAll=true", ada.bearer).status == .ok)
            #expect(
                try await harness.send(.get, "/auth/me", again.bearer).status == .ok,
                "an ended session ends no other"
            )
        }
    }

    // T-098, O-055
    @Test func `attack: a replaced refresh token at logout ends its own session and no other`() async throws {
        try await Harness.run {
            $0.clients[0].refresh.rotation = .always
        } _: { harness in
            let (ada, other) = (try await harness.signIn(), try await harness.signIn())
            let next = try #require(try await harness.refresh(ada.tokens.refreshToken).refreshToken)
            let path = "/auth/logout?revokeAll=true"
            #expect(try await harness.send(.post, path, .bearing(ada.tokens.refreshToken)).status == .ok)
            try harness.expect(try await harness.send(.post, "/auth/refresh", .bearing(next)), is: "unauthorized", 401)
            #expect(try await harness.send(.get, "/auth/me", other.bearer).status == .ok)
            let third = try await harness.signIn()
            #expect(try await harness.send(.post, path, .bearing(other.tokens.refreshToken)).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", third.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `a sign-out without a usable credential is answered as done`() async throws {
        try await Harness.run { harness in
            for headers: HTTPFields in [[:], .bearing("stale"), .cookies("vst_refresh=x")] {
                let response = try await harness.send(.post, "/auth/logout", headers)
                #expect(try response.decode(SignOutResponse.self).message.isEmpty == false)
            }
        }
    }

    @Test func `the wallet app signs out with its access token, and gets 401 without a good one`() async throws {
        try await Harness.run { harness in
            let (ada, other) = (try await harness.signIn(), try await harness.signIn())
            let path = "/api/mobile/auth/logout"
            #expect(try await harness.send(.post, path, ada.bearer).json()["success"] as? Bool == true)
            for headers: HTTPFields in [[:], .bearing("stale"), ada.bearer] {
                try harness.expect(try await harness.send(.post, path, headers), is: "unauthorized", 401)
            }
            #expect(try await harness.send(.post, path + "?revokeAll=true", other.bearer).status == .ok)
            try harness.expect(try await harness.send(.get, "/auth/me", other.bearer), is: "unauthorized", 401)
        }
    }

    @Test func `the signed-in user has the members of both published apps, and no dates`() async throws {
        try await Harness.run { harness in
            let ada = try await harness.signIn()
            let user = try #require(
                try await harness.send(.get, "/api/auth/me", ada.bearer).json()["user"] as? [String: Any]
            )
            #expect(
                Set(user.keys) == [
                    "id", "username", "displayName", "isAdmin", "name", "email", "email_verified", "role",
                    "accessLevel",
                    "department", "walletId",
                ]
            )
            #expect(user["isAdmin"] as? Bool == true && user["role"] as? String == "admin")
            #expect(user["name"] as? String == "Ada" && user["department"] as? String == "Research")
            #expect(UUIDBits(user["id"] as? String ?? "") != nil)
        }
    }
}
