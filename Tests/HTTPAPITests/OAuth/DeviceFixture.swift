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
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The device flow over a bench: devices that ask and poll, and people at the page.
struct DeviceFixture: Sendable {
    let harness: Harness
    let flow: DeviceFlowService
    private let secret: Secret
    private let client: any TestClientProtocol

    /// Runs `body` with the clients of these tests.
    ///
    /// `tv` is a television of a third party, and `own` an app of the operator's own. `box` has a secret, `app` may not
    /// use the grant, and `safe` requires a passkey.
    static func run(
        storage: HarnessStorage = .usual,
        _ body: @Sendable (DeviceFixture) async throws -> Void
    ) async throws {
        try await Harness.run(.router, storage: storage) { harness in
            let environment = harness.composition.environment
            let factory = ClientSecrets(key: Digest256(sha256: "the key of the stage"))
            let (secret, hash) = factory.make(environment)
            let directory = OAuthClientDirectory(
                configured: [
                    client("tv", .added), client("own"), client("box", .added, .secret([hash])),
                    client("app", grants: [.authorizationCode]), client("safe", requires: .passkey),
                ],
                own: [PageSignIn.Page.device.client(site: "Vestibule")]
            )
            var api = harness.api(of: directory, factory)
            api.limits.deviceFlow = DeviceFlowLimits(sharing: LimitSharing(aloneIn: environment))
            let routes = api.deviceRoutes + api.tokenRoutes(api.deviceCodeGrant) + api.signInPage.routes
            let refusals = harness.composition.service.refusals
            let application = harness.application(routes, of: api, refusals: refusals)
            let flow = harness.composition.deviceFlow
            try await application.test(.router) { client in
                try await body(DeviceFixture(harness: harness, flow: flow, secret: secret, client: client))
            }
        }
    }

    private static func client(
        _ id: String,
        _ origin: OAuthClient.Origin = .config,
        _ authentication: OAuthClient.Authentication = .none,
        grants: Set<OAuthClient.GrantType> = [.deviceCode, .refreshToken],
        requires: RequiredProof = .faceOrPasskey
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "The \(id) & more",
            origin: origin,
            authentication: authentication,
            access: OAuthClient.Access(
                grants: grants,
                scopes: ScopeSet(["openid", "email", "offline_access", "films"]),
                audience: id,
                resources: ["https://api.example.com"]
            ),
            authorization: OAuthClient.AuthorizationRules(requires: requires)
        )
    }

    // MARK: The device

    /// The answer with the codes.
    struct Codes: Decodable, Sendable {
        let deviceCode: String
        let userCode: String
        let verificationURI: String
        let verificationURIComplete: String
        let expiresIn: Int
        let interval: Int

        enum CodingKeys: String, CodingKey {
            case deviceCode = "device_code"
            case userCode = "user_code"
            case verificationURI = "verification_uri"
            case verificationURIComplete = "verification_uri_complete"
            case expiresIn = "expires_in"
            case interval
        }
    }

    func ask(
        _ fields: [(String, String)] = [("client_id", "tv"), ("scope", "openid films offline_access")]
    ) async throws -> TestResponse {
        try await form("/oauth/device_authorization", fields)
    }

    func begin(_ client: String = "tv") async throws -> Codes {
        let answer = try await ask([("client_id", client), ("scope", "openid films offline_access")])
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(Codes.self)
    }

    func poll(_ code: String, as client: String = "tv") async throws -> TestResponse {
        var fields = [
            ("grant_type", OAuthClient.GrantType.deviceCode.rawValue), ("device_code", code), ("client_id", client),
        ]
        if client == "box" { fields.append(("client_secret", secret.expose())) }
        return try await form("/oauth/token", fields)
    }

    /// The code of the error that a poll gets; `nil` where it gets tokens.
    func refusal(_ codes: Codes, as client: String = "tv") async throws -> String? {
        let answer = try await poll(codes.deviceCode, as: client)
        return answer.status == .ok ? nil : try answer.json()["error"] as? String
    }

    // MARK: The person

    /// Loads the page.
    func load(_ query: String = "", _ cookies: String?, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        if let cookies { headers[.cookie] = cookies }
        return try await send(.get, "/device" + query, headers)
    }

    /// Sends a form of the page, from the page.
    func press(
        _ fields: [(String, String)],
        _ cookies: String?,
        _ headers: HTTPFields = [.fetchSite: "same-origin"]
    ) async throws -> TestResponse {
        var headers = headers
        if let cookies { headers[.cookie] = cookies }
        return try await form("/device", fields, headers)
    }

    /// What the page says beside its buttons.
    static func fields(of page: TestResponse) throws -> [(String, String)] {
        let form = try #require(page.text.firstMatch(of: #/<form id="allow"(.*?)</form>/#)).1
        return form.matches(of: #/name="(\w+)" value="([^"]*)">/#).map { (String($0.1), String($0.2)) }
            .filter { $0.0 != "decision" }
    }

    /// Types the code, reads the page, and presses one of its buttons.
    func decide(_ code: String, _ word: String, _ cookies: String) async throws -> TestResponse {
        let page = try await press([("user_code", code)], cookies)
        try #require(page.status == .ok, "\(page.text)")
        return try await press(Self.fields(of: page) + [("decision", word)], cookies)
    }

    func form(_ path: String, _ fields: [(String, String)], _ headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, headers, body: TokenFixture.encoded(fields))
    }

    @discardableResult
    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        _ headers: HTTPFields = [:],
        body: String? = nil
    ) async throws -> TestResponse {
        try await client.execute(uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
    }
}
