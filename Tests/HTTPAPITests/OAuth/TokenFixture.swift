import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kernel
import MemoryStore
import NIOCore
import OAuth
import Operations
import Settings
import SignIn
import Testing
import TokenReading
import Tokens

@testable import Assembly
@testable import HTTPAPI

/// The endpoints of tokens over a bench, with codes that were issued to people who need not be asked.
struct TokenFixture: Sendable {
    static let callback = "https://app.example.com/callback"
    static let resource = "https://api.example.com"
    static let scopes: Set<String> = ["openid", "profile", "email", "offline_access", "orders"]

    let harness: Harness
    let service: AuthorizationService
    let directory: OAuthClientDirectory
    private let secrets: [String: Secret]
    private let client: any TestClientProtocol

    /// Runs `body` with the clients of these tests.
    ///
    /// `app` and `outsider` are public, and `bound` has to bind its tokens. `web` and `other` have secrets, and `api`
    /// is a resource server. `brokered` is a client of an upstream for which nobody answers here. `rs256` asks for
    /// RS256, and id tokens of `telling` have name and address.
    static func run(
        storage: HarnessStorage = .usual,
        disabled: Set<String> = [],
        isLimited: Bool = false,
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (TokenFixture) async throws -> Void
    ) async throws {
        try await Harness.run(.router, storage: storage, change) { harness in
            let factory = ClientSecrets(key: Digest256(sha256: "the key of the stage"))
            var secrets: [String: Secret] = [:]
            var clients = [
                client("app"), client("stranger", .added), client("bound", requiresDPoP: true),
                // One that is an app of the config as well.
                client("bbms"),
                client("brokered", upstream: "elsewhere"),
                client("rs256", identityAlgorithm: .rs256), client("telling", identityClaims: [.name, .email]),
            ]
            for (id, origin) in [("web", OAuthClient.Origin.added), ("other", .registered), ("api", .added)] {
                let (secret, hash) = factory.make(harness.composition.environment)
                secrets[id] = secret
                let audience = id == "web" ? "web" : resource
                clients.append(client(id, origin, .secret([hash]), audience: audience))
            }
            let directory = OAuthClientDirectory(
                configured: clients.map { disabled.contains($0.id) ? $0.disabled : $0 }
            )
            let service = harness.api(of: directory, factory).services.oauth.authorization.service
            let make = { (daemon: Harness) in
                var api = daemon.api(of: directory, factory)
                if isLimited { api.limits.clients = daemon.api.limits.clients }
                let sessions = OwnSessionsAPI(
                    accounts: daemon.composition.accounts,
                    sessions: daemon.composition.sessions,
                    own: OwnSessions(ending: daemon.composition.ending),
                    environment: daemon.composition.environment
                )
                return daemon.application(api.tokenRoutes() + sessions.routes, of: api)
            }
            try await harness.serve(make) { [secrets] client in
                let fixture = TokenFixture(
                    harness: harness,
                    service: service,
                    directory: directory,
                    secrets: secrets,
                    client: client
                )
                try await body(fixture)
            }
        }
    }

    static func client(
        _ id: String,
        _ origin: OAuthClient.Origin = .config,
        _ authentication: OAuthClient.Authentication = .none,
        audience: String? = nil,
        scopes: Set<String> = TokenFixture.scopes,
        requiresDPoP: Bool = false,
        isEnabled: Bool = true,
        upstream: String? = nil,
        identityAlgorithm: IdentityAlgorithm? = nil,
        identityClaims: Set<IdentityClaim> = []
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "The \(id)",
            origin: origin,
            isEnabled: isEnabled,
            authentication: authentication,
            access: OAuthClient.Access(
                grants: [.authorizationCode, .refreshToken],
                scopes: ScopeSet(scopes),
                audience: audience ?? id,
                resources: [resource, "https://other.example.com"]
            ),
            authorization: OAuthClient.AuthorizationRules(
                redirectURIs: [callback],
                postLogoutRedirectURIs: ["https://\(id).example.com/bye"],
                upstream: upstream
            ),
            tokens: OAuthClient.TokenRules(
                requiresDPoP: requiresDPoP,
                identityAlgorithm: identityAlgorithm,
                identityClaims: identityClaims
            )
        )
    }

    // MARK: Requests

    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }

    /// A form of these fields.
    func form(_ path: String, _ fields: [(String, String)], _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, headers, body: Self.encoded(fields))
    }

    static func encoded(_ fields: [(String, String)]) -> String {
        QueryText.text(fields)
    }

    /// What shows the client: its secret, or its name.
    func shown(_ client: String) -> [(String, String)] {
        [("client_id", client)] + (secrets[client].map { [("client_secret", $0.expose())] } ?? [])
    }

    // MARK: Codes and tokens

    /// A code that somebody has just let the client have.
    func code(
        of client: String = "app",
        scopes: Set<String> = TokenFixture.scopes,
        resources: [String] = [],
        isChallenged: Bool = true,
        proofKey: Digest256? = nil,
        claims: Set<IdentityClaim> = [],
        by email: String = "ada@example.com",
        in session: SessionID? = nil
    ) async throws -> String {
        let account = try await harness.composition.accounts.show(email).account.id
        let request = AuthorizationRequest(
            clientID: client,
            redirectURI: Self.callback,
            namesRedirectURI: true,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet(scopes),
            resources: resources,
            codeChallenge: isChallenged ? Digest256(sha256: Harness.verifier) : nil,
            nonce: "n-0S6_WzA2Mj",
            prompts: [],
            maxAge: nil,
            contextClass: nil,
            isContextClassEssential: false,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: proofKey
        )
        let grant = AuthorizedGrant(
            account: account,
            clientID: client,
            scopes: request.scopes,
            resources: resources,
            authentication: AuthenticationContext(
                methods: ["face"],
                at: harness.composition.environment.now(),
                session: session
            ),
            nonce: request.nonce,
            identityClaims: claims
        )
        let answer = try await harness.composition.unitOfWork.run { [service] transaction in
            try service.issueCode(for: request, grant: grant, in: transaction)
        }
        return try #require(answer.parameters.first { $0.name == "code" }).value
    }

    /// Redeems a code as its client does; `changed`: what is said otherwise, and left out where it is `nil`.
    func redeem(
        _ code: String,
        as client: String = "app",
        _ changed: [String: String?] = [:],
        _ headers: HTTPFields = [:],
        at path: String = "/oauth/token"
    ) async throws -> TestResponse {
        let usual =
            shown(client) + [
                ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Self.callback),
                ("code_verifier", Harness.verifier),
            ]
        return try await form(path, Self.changed(usual, changed), headers)
    }

    func refresh(
        _ token: String?,
        as client: String = "app",
        _ changed: [String: String?] = [:],
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let usual = shown(client) + [("grant_type", "refresh_token"), ("refresh_token", try #require(token))]
        return try await form("/oauth/token", Self.changed(usual, changed), headers)
    }

    private static func changed(_ fields: [(String, String)], _ changed: [String: String?]) -> [(String, String)] {
        let kept = fields.filter { changed[$0.0] == nil }
        return kept + changed.compactMap { name, value in value.map { (name, $0) } }
    }

    /// Signs somebody in to the client.
    func tokens(
        of client: String = "app",
        scopes: Set<String> = TokenFixture.scopes,
        resources: [String] = [],
        _ headers: HTTPFields = [:],
        by email: String = "ada@example.com"
    ) async throws -> TokensOfTest {
        let code = try await code(of: client, scopes: scopes, resources: resources, by: email)
        let answer = try await redeem(code, as: client, [:], headers)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(TokensOfTest.self)
    }

    func introspect(_ token: String?, as client: String) async throws -> [String: Any] {
        let answer = try await form("/oauth/introspect", shown(client) + [("token", try #require(token))])
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    func isActive(_ token: String?, as client: String) async throws -> Bool {
        try await introspect(token, as: client)["active"] as? Bool == true
    }

    /// The claims of a token of ours, whatever it is.
    static func claims(_ token: String?) throws -> [String: Any] {
        let parts = try #require(token).split(separator: ".")
        let payload = try #require(Base64URL.decode(parts[1]))
        return try #require(JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any])
    }

    /// Expects that error of the protocol.
    func expect(
        _ response: TestResponse,
        is code: OAuthErrorCode,
        _ status: Int = 400,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(Int(response.status.code) == status, "\(response.text)", sourceLocation: sourceLocation)
        let body = try response.json()
        #expect(body["error"] as? String == code.rawValue, sourceLocation: sourceLocation)
        #expect((body["error_description"] as? String)?.isEmpty == false, sourceLocation: sourceLocation)
        #expect(response.headers[.cacheControl] == "no-store", sourceLocation: sourceLocation)
    }
}

/// What the token endpoint answers.
struct TokensOfTest: Decodable, Sendable {
    let accessToken: String
    let tokenType: String
    let expiresIn: Int
    let refreshToken: String?
    let scope: String?
    let idToken: String?

    enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case expiresIn = "expires_in"
        case refreshToken = "refresh_token"
        case scope
        case idToken = "id_token"
    }

    var bearer: HTTPFields { [.authorization: "Bearer \(accessToken)"] }
}

extension OAuthClient {
    fileprivate var disabled: OAuthClient {
        var client = self
        client.isEnabled = false
        return client
    }
}
