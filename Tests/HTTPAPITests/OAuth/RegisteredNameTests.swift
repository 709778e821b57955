import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What clients that register themselves are called (RFC 9700 §2.6, §4.15).
struct RegisteredNameTests {
    // O-082
    @Test func `attack: a self-registered client can't choose its id or the audience of its tokens`() async throws {
        try await Harness.run { harness in
            let person = try await harness.composition.accounts.show("ada@example.com").account.id.description
            let service = harness.composition.oauth.clients
            let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(3600)).token.expose()
            let body = """
                {"client_id":"\(person)","sub":"\(person)","audience":"\(person)","aud":"\(person)",
                "client_secret":"\(person)","redirect_uris":["https://app.example.com/done"]}
                """
            let answer = try await harness.post("/oauth/register", body, [.authorization: "Bearer \(ticket)"])
            #expect(answer.status == .created, "\(answer.text)")
            #expect(!answer.text.contains(person))
            let id = try #require(try answer.json()["client_id"] as? String)
            let client = try #require(service.directory.client(id))
            #expect(id != person && client.access.audience == id && client.origin == .registered)
            #expect(service.directory.client(person) == nil)
        }
    }

    // O-082
    @Test func `attack: no grant gives a client a token whose subject is the client`() async throws {
        try await TokenFixture.run { fixture in
            for client in ["app", "web", "other", "api"] {
                let answer = try await fixture.form(
                    "/oauth/token",
                    fixture.shown(client) + [("grant_type", "client_credentials"), ("scope", "openid")]
                )
                try fixture.expect(answer, is: .unsupportedGrantType)
            }
            let person = try await fixture.harness.composition.accounts.show("ada@example.com").account.id.description
            let tokens = try await fixture.tokens(of: "web")
            let claims = try TokenFixture.claims(tokens.accessToken)
            #expect(claims["sub"] as? String == person && claims["client_id"] as? String == "web")
        }
    }
}
