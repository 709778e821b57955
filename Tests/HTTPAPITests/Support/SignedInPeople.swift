import HTTPTypes
import HummingbirdTesting
import Testing
import Wire

@testable import Assembly
@testable import HTTPAPI

/// Somebody who has signed in, and what their app holds.
struct SignedInPersonOfTest: Sendable {
    let login: StartedLogin
    let tokens: LoginTokens
    /// The device cookie, where the app keeps cookies.
    let device: String?

    var bearer: HTTPFields { [.authorization: "Bearer \(tokens.accessToken)"] }
}

extension Harness {
    /// Signs in; with `cookies`, an app that keeps them.
    func signIn(_ email: String = "ada@example.com", with device: String? = nil) async throws -> SignedInPersonOfTest {
        let login = try await start(email, with: device.map { .cookies($0) } ?? [:])
        try await approve(login)
        let answer = try await poll(login, .cookies(login.cookie, device))
        return SignedInPersonOfTest(
            login: login,
            tokens: try #require(answer.decode(PollLoginResponse.self).tokens),
            device: answer.cookie("vst_device")
        )
    }

    /// What the owner sees.
    func owned(_ person: SignedInPersonOfTest, _ query: String = "") async throws -> [OwnedOperationView] {
        let response = try await send(.get, "/auth/operations" + query, person.bearer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(OwnedOperationsResponse.self).operations
    }

    /// The enrolments that the owner sees.
    func ownedEnrolments(_ person: SignedInPersonOfTest, _ query: String = "") async throws -> [OwnedOperationView] {
        let response = try await send(.get, "/auth/operations" + query, person.bearer)
        try #require(response.status == .ok, "\(response.text)")
        return try response.decode(OwnedOperationsResponse.self).enrolments
    }

    func disown(_ id: String, _ person: SignedInPersonOfTest) async throws -> TestResponse {
        try await send(.post, "/auth/operations/\(id)/not-me", person.bearer)
    }
}
