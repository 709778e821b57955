import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Testing

@testable import HTTPAPI
@testable import Vestibule

/// What clients that register themselves are called (RFC 9700 §2.6, §4.15).
struct RegisteredNameTests {
    @Test func `attack: a client that registers itself has no say in its id or whom its tokens name`() async throws {
        try await Bench.run { bench in
            let person = try await bench.composition.accounts.show("ada@example.com").account.id.description
            let service = bench.composition.oauth.clients
            let ticket = try await service.openRegistration(uses: 1, lifetime: .seconds(3600)).token.expose()
            let body = """
                {"client_id":"\(person)","sub":"\(person)","audience":"\(person)","aud":"\(person)",
                "client_secret":"\(person)","redirect_uris":["https://app.example.com/done"]}
                """
            let answer = try await bench.post("/oauth/register", body, [.authorization: "Bearer \(ticket)"])
            #expect(answer.status == .created, "\(answer.text)")
            #expect(!answer.text.contains(person))
            let id = try #require(try answer.json()["client_id"] as? String)
            let client = try #require(service.directory.client(id))
            #expect(id != person && client.audience == id && client.origin == .registered)
            #expect(service.directory.client(person) == nil)
        }
    }

    @Test func `attack: no grant gives a client a token in which it stands in a person's place`() async throws {
        try await TokenStage.run { stage in
            for client in ["app", "web", "other", "api"] {
                let answer = try await stage.form(
                    "/oauth/token",
                    stage.shown(client) + [("grant_type", "client_credentials"), ("scope", "openid")]
                )
                try stage.expect(answer, is: .unsupportedGrantType)
            }
            let person = try await stage.bench.composition.accounts.show("ada@example.com").account.id.description
            let tokens = try await stage.tokens(of: "web")
            let claims = try TokenStage.claims(tokens.accessToken)
            #expect(claims["sub"] as? String == person && claims["client_id"] as? String == "web")
        }
    }
}
