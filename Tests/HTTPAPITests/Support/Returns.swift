import HTTPTypes
import HummingbirdTesting
import MemoryStore
import Operations
import Testing
import Wire

@testable import HTTPAPI

// Logins whose browser comes back to the app.
extension Harness {
    func start(returning url: String) async throws -> StartedLogin {
        let response = try await post(Self.initiatePath, #"{"email":"ada@example.com","returnUrl":"\#(url)"}"#)
        try #require(response.status == .ok, "\(response.text)")
        let answer = try response.decode(InitiateLoginResponse.self)
        return StartedLogin(
            response: response,
            answer: answer,
            cookie: try #require(response.cookie("vst_op_")),
            ticket: String(try #require(answer.authIdUrl.split(separator: "/").last))
        )
    }

    /// The path to which the provider was told to send the browser back, of that attempt, else of the newest.
    func returnPath(of attempt: Int? = nil) throws -> String {
        let addresses = provider.calls.compactMap { call -> String? in
            guard case .begin(let request) = call else { return nil }
            return request.returnTo
        }
        let address = try #require(attempt.map { addresses[$0 - 1] } ?? addresses.last)
        return String(address.dropFirst("http://localhost:8080".count))
    }

    /// Does the same as the page that the provider sends the browser to.
    func comeBack(_ cookie: String?, at path: String? = nil) async throws -> TestResponse {
        let headers: HTTPFields = cookie.map { .cookies($0) } ?? [:]
        return try await send(.post, try path ?? returnPath(), headers.adding(.fetchSite, "same-origin"))
    }

    func code(_ cookie: String) async throws -> String {
        let location = try #require(try await comeBack(cookie).headers[.location])
        return String(location.drop { $0 != "&" }.dropFirst("&code=".count))
    }
}
