import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import Testing
import TokenReading
import Tokens
import VestibuleTokens
import VestibuleTokensHummingbird

struct MiddlewareTests {
    private static let issuer = "https://login.example.com"
    private static let now = Instant(seconds: 1_800_000_000)

    private let folder: TemporaryFolder
    private let tokens: TokenIssuer
    private let ring: KeyRing

    init() throws {
        folder = try TemporaryFolder()
        let keys = try KeyFolder.open(at: folder.path + "/keys", environment: TestEnvironment.environment(at: Self.now))
        let policy = KeyRingPolicy(algorithm: .es256, announcement: .zero, rotation: nil)
        ring = try KeyRing.open(in: keys, policy: policy, longestToken: .seconds(3600), now: Self.now)
        tokens = TokenIssuer(issuer: Self.issuer, ring: ring, folder: keys)
    }

    private struct Context: AccessTokenRequestContext {
        var coreContext: CoreRequestContextStorage
        var accessToken: AccessToken?

        init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
    }

    private func app(_ source: ScriptedKeySetSource) throws -> some ApplicationProtocol {
        let verifier = try AccessTokenVerifier(
            issuer: Self.issuer,
            audiences: [TestTokens.audience],
            leeway: .zero,
            keys: source,
            cache: KeyCachePolicy(),
            time: VerifierTime(now: { Self.now }, uptime: { Uptime(nanoseconds: 0) })
        )
        let router = Router(context: Context.self)
        router.get("open") { _, context in try context.requireAccessToken().audience }
        router.group("orders").add(middleware: AccessTokenMiddleware(verifier))
            .get { _, context in try context.requireAccessToken().account.uuidString.lowercased() }
        return Application(router: router)
    }

    private var good: ScriptedKeySetSource {
        ScriptedKeySetSource([.success(KeySetDocument(bytes: ring.snapshot.jwks, maxAge: nil))])
    }

    @Test func `a request with a valid token continues, and knows whose it is`() async throws {
        let claims = TestTokens.access(at: Self.now)
        let token = try tokens.sign(access: claims).expose()
        try await app(good).test(.router) { client in
            for scheme in ["Bearer", "bearer", "BEARER"] {
                try await client.execute(uri: "/orders", method: .get, headers: [.authorization: "\(scheme) \(token)"])
                {
                    #expect($0.status == .ok && String(buffer: $0.body) == claims.account.description)
                }
            }
        }
    }

    // T-205
    @Test func `attack: a request without a valid token in its Authorization header gets 401`() async throws {
        let token = try tokens.sign(access: TestTokens.access(at: Self.now)).expose()
        let other = try tokens.sign(access: TestTokens.access(at: Self.now, audience: "bank")).expose()
        let limited = try tokens.sign(access: TestTokens.access(at: Self.now, scopes: ["orders"])).expose()
        let once = HTTPField(name: .authorization, value: "Bearer \(token)")
        let twice = HTTPFields([once, once])
        try await app(good).test(.router) { client in
            for headers: HTTPFields in [
                [:], [.authorization: token], [.authorization: "Basic \(token)"], [.authorization: "Bearer"],
                [.authorization: "Bearer "],
                [.cookie: "access_token=\(token)"], twice,
            ] {
                try await client.execute(uri: "/orders?access_token=\(token)", method: .get, headers: headers) {
                    #expect($0.status == .unauthorized && $0.headers[.wwwAuthenticate] == "Bearer")
                    #expect(String(buffer: $0.body).contains("\"unauthorized\""))
                }
            }
            for text in ["x", other, limited, token + "x", token + ", Bearer " + token] {
                try await client.execute(uri: "/orders", method: .get, headers: [.authorization: "Bearer \(text)"]) {
                    #expect($0.status == .unauthorized)
                    #expect($0.headers[.wwwAuthenticate] == #"Bearer error="invalid_token""#)
                    #expect(String(buffer: $0.body).contains("\"invalid_token\""), "the same for every fault")
                    #expect($0.headers[.cacheControl] == "no-store")
                }
            }
        }
    }

    @Test func `while the keys are unavailable the answer is 503, and no token is called invalid`() async throws {
        let token = try tokens.sign(access: TestTokens.access(at: Self.now)).expose()
        try await app(ScriptedKeySetSource([.failure(.init())])).test(.router) { client in
            try await client.execute(uri: "/orders", method: .get, headers: [.authorization: "Bearer \(token)"]) {
                #expect($0.status == .serviceUnavailable && $0.headers[.retryAfter] == "60")
                #expect($0.headers[.wwwAuthenticate] == nil)
            }
        }
    }

    @Test func `a route without the middleware is refused, not open`() async throws {
        let token = try tokens.sign(access: TestTokens.access(at: Self.now)).expose()
        try await app(good).test(.router) { client in
            try await client.execute(uri: "/open", method: .get, headers: [.authorization: "Bearer \(token)"]) {
                #expect($0.status == .unauthorized)
            }
        }
    }
}
