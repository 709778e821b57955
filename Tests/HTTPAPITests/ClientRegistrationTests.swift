import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import NIOCore
import OAuth
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

/// `POST /oauth/register` (RFC 7591).
struct ClientRegistrationTests {
    private static let app =
        #"{"client_name":"App","redirect_uris":["com.example.app:/done"],"token_endpoint_auth_method":"none"}"#

    private func register(_ harness: Harness, _ token: String?, _ body: String) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await harness.client.execute(
            uri: "/oauth/register",
            method: .post,
            headers: headers,
            body: ByteBuffer(string: body)
        )
    }

    private func error(_ response: TestResponse) throws -> String? {
        let body = try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [String: Any]
        return body?["error"] as? String
    }

    @Test(arguments: HarnessStorage.usualAndPostgres)
    func `a client registers itself once with a token, and is told its secret this once`(
        _ storage: HarnessStorage
    ) async throws {
        try await Harness.run(storage: storage) { harness in
            let service = harness.composition.oauth.clients
            let token = try await service.openRegistration(uses: 2, lifetime: .seconds(3600)).token.expose()
            let app = try await register(harness, token, Self.app)
            #expect(app.status == .created && app.headers[.cacheControl] == "no-store")
            let web = try await register(harness, token, #"{"redirect_uris":["https://app.example.com/done"]}"#)
            let body = try JSONSerialization.jsonObject(with: Data(web.body.readableBytesView)) as? [String: Any]
            let id = try #require(body?["client_id"] as? String)
            #expect((body?["client_secret"] as? String)?.count == 43)
            #expect(body?["client_secret_expires_at"] as? Int == 0)
            #expect(body?["registration_access_token"] == nil)
            #expect(service.directory.client(id)?.origin == .registered)
            let third = try await register(harness, token, Self.app)
            let code = try error(third)
            #expect(third.status == .unauthorized && code == "invalid_token")
        }
    }

    // T-163, O-007
    @Test func `attack: a client registration without the operator's token gets 401 invalid_token`() async throws {
        try await Harness.run { harness in
            for token in [nil, "", "guess"] as [String?] {
                let answer = try await register(harness, token, Self.app)
                let code = try error(answer)
                #expect(answer.status == .unauthorized && code == "invalid_token")
                #expect(answer.headers[.wwwAuthenticate]?.contains("invalid_token") == true)
            }
            #expect(harness.composition.oauth.directory.storedCount == 0)
        }
    }

    // T-163, O-003
    @Test func `attack: a registration that is refused for its metadata does not use up the token`() async throws {
        try await Harness.run { harness in
            let service = harness.composition.oauth.clients
            let token = try await service.openRegistration(uses: 1, lifetime: .seconds(3600)).token.expose()
            let bad = try await register(harness, token, #"{"redirect_uris":["http://app.example.com/"]}"#)
            let code = try error(bad)
            #expect(bad.status == .badRequest && code == "invalid_redirect_uri")
            let good = try await register(harness, token, Self.app)
            #expect(good.status == .created)
        }
    }

    // O-085
    /// RFC 7591 §3.2.2: libraries read `error` as a code of its table.
    @Test func `an invalid registration body gets an error of RFC 7591`() async throws {
        try await Harness.run { harness in
            let service = harness.composition.oauth.clients
            let token = try await service.openRegistration(uses: 1, lifetime: .seconds(3600)).token.expose()
            let long = #"{"client_name":""# + String(repeating: "x", count: ClientMetadata.maximumLength) + #""}"#
            let bodies: [(String, String)] = [
                ("application/json", "{"), ("application/json", ""), ("application/json", "[]"),
                ("application/json", #"{"client_name":"A","client_name":"B"}"#), ("text/plain", Self.app),
                ("application/x-www-form-urlencoded", "client_name=A"), ("application/json", long),
            ]
            for (type, body) in bodies {
                let answer = try await harness.client.execute(
                    uri: "/oauth/register",
                    method: .post,
                    headers: [.contentType: type, .authorization: "Bearer \(token)"],
                    body: ByteBuffer(string: body)
                )
                #expect(answer.status == .badRequest, "\(body.prefix(40))")
                try Self.expect(answer, is: "invalid_client_metadata")
            }
            #expect(try await register(harness, token, Self.app).status == .created, "none of them used the token up")
        }
    }

    // T-165, O-085
    @Test func `too many registrations, and a store that is away, are told in the terms of the protocol`() async throws
    {
        try await Harness.run {
            $0.limits.off = false
        } _: { harness in
            var answer = try await register(harness, "guess", Self.app)
            for _ in 0..<1000 where answer.status == .unauthorized {
                answer = try await register(harness, "guess", Self.app)
            }
            #expect(answer.status == .tooManyRequests && answer.headers[.retryAfter] != nil)
            try Self.expect(answer, is: "temporarily_unavailable")
        }
    }

    /// The members of RFC 7591 §3.2.2, and no others.
    private static func expect(_ answer: TestResponse, is code: String) throws {
        let body = try JSONSerialization.jsonObject(with: Data(answer.body.readableBytesView)) as? [String: Any]
        #expect(body?["error"] as? String == code)
        #expect((body?["error_description"] as? String)?.isEmpty == false)
        #expect(body.map { Set($0.keys) } == ["error", "error_description"])
        #expect(answer.headers[.cacheControl] == "no-store")
    }

    @Test func `where registration is off there is no such route`() async throws {
        try await Harness.run {
            $0.oauth.registration = false
        } _: { harness in
            let answer = try await register(harness, "guess", Self.app)
            #expect(answer.status == .notFound)
        }
    }
}
