import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import OAuth
import Settings
import Synchronization
import Testing

@testable import Assembly
@testable import HTTPAPI

/// What a client signs, and a person's return from an upstream, count once over restarts.
struct ClientRestartTests {
    private static let callback = "https://app.example.com/callback"
    private let key = P256.Signing.PrivateKey()

    // T-159, T-242
    @Test(arguments: HarnessStorage.databases)
    func `attack: a client assertion is refused after a restart`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        let kept = Mutex("")
        let form = [("grant_type", "refresh_token"), ("refresh_token", "x")]
        try await run(storage, folder, { $0.tokenRoutes() }) { harness, client in
            let assertion = try assertion("one", harness)
            let answer = try await Self.post(client, "/oauth/token", form + Self.shown(assertion))
            #expect(try answer.json()["error"] as? String == "invalid_grant", "the client is known")
            kept.withLock { $0 = assertion }
        }
        try await run(storage, folder, { $0.tokenRoutes() }) { harness, client in
            let replay = try await Self.post(client, "/oauth/token", form + Self.shown(kept.withLock { $0 }))
            #expect(replay.status == .unauthorized)
            #expect(try replay.json()["error"] as? String == "invalid_client")
            let fresh = try await Self.post(client, "/oauth/token", form + Self.shown(try assertion("two", harness)))
            #expect(try fresh.json()["error"] as? String == "invalid_grant")
        }
    }

    // O-096, T-242
    @Test(arguments: HarnessStorage.databases)
    func `attack: a signed backchannel request is refused after a restart`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        let kept = Mutex("")
        let path = "/oauth/bc-authorize"
        try await run(storage, folder, { $0.backchannel.routes }) { harness, client in
            let request = try request("one", harness)
            let shown = Self.shown(try assertion("a", harness)) + [("request", request)]
            let answer = try await Self.post(client, path, shown)
            #expect(answer.status == .ok, "\(answer.text)")
            kept.withLock { $0 = request }
        }
        try await run(storage, folder, { $0.backchannel.routes }) { harness, client in
            let shown = Self.shown(try assertion("b", harness)) + [("request", kept.withLock { $0 })]
            let replay = try await Self.post(client, path, shown)
            #expect(replay.status == .badRequest)
            #expect(try replay.json()["error"] as? String == "invalid_request_object")
            let fresh = Self.shown(try assertion("c", harness)) + [("request", try request("two", harness))]
            #expect(try await Self.post(client, path, fresh).status == .ok)
        }
    }

    // T-195, T-242
    @Test(arguments: HarnessStorage.databases)
    func `attack: a state of the broker is refused after a restart`(_ storage: HarnessStorage) async throws {
        let folder = try TestFolder()
        let kept = Mutex<Departed?>(nil)
        try await run(storage, folder, Self.brokerRoutes) { _, client in
            let departed = try await Self.depart(client)
            let answer = try await Self.comeBack(client, departed)
            #expect(answer.headers[.location]?.hasPrefix(Self.callback + "?code=vbc_") == true, "\(answer.text)")
            kept.withLock { $0 = departed }
        }
        try await run(storage, folder, Self.brokerRoutes) { _, client in
            let replay = try await Self.comeBack(client, try #require(kept.withLock { $0 }))
            #expect(replay.status == .gone && replay.headers[.location] == nil)
            let fresh = try await Self.comeBack(client, try await Self.depart(client))
            #expect(fresh.headers[.location]?.hasPrefix(Self.callback + "?code=vbc_") == true)
        }
    }

    // MARK: Support

    /// The state with which a browser left, and its cookie.
    private struct Departed: Sendable {
        let state: String
        let cookie: String
    }

    private func run(
        _ storage: HarnessStorage,
        _ folder: TestFolder,
        _ routes: @Sendable (PublicAPI) -> [Route],
        _ body: @escaping @Sendable (Harness, any TestClientProtocol) async throws -> Void
    ) async throws {
        let directory = OAuthClientDirectory(configured: [signing, Self.brokered])
        try await Harness.run(storage: storage, folder: folder) { harness in
            var api = harness.api(of: directory)
            api.services.oauth.upstreams = harness.api.services.oauth.upstreams
            try await harness.application(routes(api), of: api).test(.router) { try await body(harness, $0) }
        }
    }

    @Sendable private static func brokerRoutes(_ api: PublicAPI) -> [Route] {
        let broker = api.services.oauth.upstreams.map {
            UpstreamSignIn(broker: $0, isSecure: api.server.isSecure, pages: SignInPages())
        }
        return api.authorizationRoutes + (broker?.routes ?? [])
    }

    private static func depart(_ client: any TestClientProtocol) async throws -> Departed {
        let query = QueryText.text([
            ("response_type", "code"), ("client_id", "brokered"), ("redirect_uri", callback),
        ])
        let answer = try await client.execute(uri: "/authorize?\(query)", method: .get)
        let location = try #require(answer.headers[.location], "\(answer.text)")
        let state = URLComponents(string: location)?.queryItems?.first { $0.name == "state" }?.value
        let cookie = answer.cookie("vst_upstream") ?? answer.cookie("__Host-vst_upstream")
        return Departed(state: try #require(state), cookie: try #require(cookie))
    }

    private static func comeBack(_ client: any TestClientProtocol, _ departed: Departed) async throws -> TestResponse {
        let query = QueryText.text([("state", departed.state), ("code", "upstream-code")])
        return try await client.execute(
            uri: "/oauth/upstream/callback?\(query)",
            method: .get,
            headers: .cookies(departed.cookie)
        )
    }

    private static func post(
        _ client: any TestClientProtocol,
        _ path: String,
        _ fields: [(String, String)]
    ) async throws -> TestResponse {
        try await client.execute(
            uri: path,
            method: .post,
            headers: [.contentType: "application/x-www-form-urlencoded"],
            body: ByteBuffer(string: QueryText.text(fields))
        )
    }

    private static func shown(_ assertion: String) -> [(String, String)] {
        [("client_assertion_type", ClientAssertion.type), ("client_assertion", assertion)]
    }

    private func assertion(_ id: String, _ harness: Harness) throws -> String {
        let now = harness.composition.environment.now().seconds
        return try signed(
            #"{"iss":"bank","sub":"bank","aud":"\#(harness.settings.issuer)","iat":\#(now),"exp":\#(now + 60),"jti":"\#(id)"}"#
        )
    }

    private func request(_ id: String, _ harness: Harness) throws -> String {
        let now = harness.composition.environment.now().seconds
        return try signed(
            #"{"iss":"bank","aud":"\#(harness.settings.issuer)","iat":\#(now),"nbf":\#(now),"exp":\#(now + 600),"#
                + #""jti":"\#(id)","scope":"openid","login_hint":"ada@example.com"}"#
        )
    }

    private func signed(_ claims: String) throws -> String {
        let header = #"{"alg":"ES256","typ":"JWT"}"#
        let input = [header, claims].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        return input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)).rawRepresentation)
    }

    private var signing: OAuthClient {
        let point = Array(key.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
        return OAuthClient(
            id: "bank",
            name: "The Bank",
            origin: .added,
            authentication: .privateKeyJWT(
                ClientKeySet(document: #"{"keys":[{"kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)"}]}"#)
            ),
            access: OAuthClient.Access(
                grants: [.ciba, .refreshToken],
                scopes: ScopeSet(["openid", "offline_access"]),
                audience: "bank"
            ),
            authorization: OAuthClient.AuthorizationRules(
                backchannel: .init(delivery: .poll, notificationEndpoint: nil, requiresSignedRequests: true)
            )
        )
    }

    private static let brokered = OAuthClient(
        id: "brokered",
        name: "The App",
        origin: .config,
        authentication: .none,
        access: OAuthClient.Access(grants: [.authorizationCode], scopes: ScopeSet([]), audience: "brokered"),
        authorization: OAuthClient.AuthorizationRules(
            redirectURIs: [callback],
            codeChallenge: .optional,
            upstream: "upstream"
        )
    )
}
