import Foundation
import HTTPTypes
import HummingbirdTesting
import Testing

@testable import HTTPAPI

/// `GET /api/data` where there is no upstream: whom it answers, and where it sends the others.
struct SampleDataTests {
    private struct SignIn: Decodable {
        let error: String
        let code: String
        let message: String
        let redirectUrl: String
    }

    @Test(arguments: [nil, "made-up", "a.b.c"])
    func `who has no token that is good is told where to sign in`(token: String?) async throws {
        try await Harness.run { harness in
            var headers: HTTPFields = [:]
            if let token { headers[.authorization] = "Bearer \(token)" }
            let reply = try await harness.send(.get, "/api/data", headers)
            #expect(reply.status == .unauthorized)
            let challenge = token == nil ? "Bearer" : #"Bearer error="invalid_token""#
            #expect(reply.headers[.wwwAuthenticate] == challenge)
            #expect(reply.headers[.location] == nil, "no client follows it by itself")
            let body = try reply.decode(SignIn.self)
            #expect(body.code == "unauthorized")
            #expect(body.error == body.message)
            let address = try #require(URLComponents(string: body.redirectUrl))
            #expect(address.path == "/authorize")
            let items = try #require(address.queryItems)
            #expect(items.map(\.name) == ["response_type", "client_id", "redirect_uri", "state"])
            #expect(items.prefix(3).map(\.value) == ["code", "myvoo", "myapp.scheme.demo://code_callback"])
        }
    }

    @Test func `each 401 of the sample data has a redirect of its own`() async throws {
        try await Harness.run { harness in
            let first = try await harness.send(.get, "/api/data").decode(SignIn.self)
            let second = try await harness.send(.get, "/api/data").decode(SignIn.self)
            #expect(first.redirectUrl != second.redirectUrl)
        }
    }
}
