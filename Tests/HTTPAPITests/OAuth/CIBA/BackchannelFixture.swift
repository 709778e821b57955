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
import Synchronization
import Testing

@testable import Assembly
@testable import HTTPAPI

/// The backchannel over a bench, with clients of every delivery.
struct BackchannelFixture: Sendable {
    static let notificationToken = "8d67dc78-7faa-4d41-aabd-67707b374255"

    let harness: Harness
    let worker: DeliveryWorker<NoticeDelivery>
    let endpoint: RecordingEndpoint
    private let secrets: [String: Secret]
    private let client: any TestClientProtocol
    /// Whose browsers are known.
    private let known = SharedNames()

    /// Runs `body` with the clients of these tests.
    ///
    /// `bank`, `shop` and `house`, which is the operator's own, poll. `ring` is pinged, `mall` is pushed its tokens,
    /// and `app` is public.
    static func run(
        storage: HarnessStorage = .usual,
        folder: TestFolder? = nil,
        _ change: (inout Settings) -> Void = { _ in },
        _ body: @Sendable (BackchannelFixture) async throws -> Void
    ) async throws {
        try await Harness.run(.router, storage: storage, folder: folder, change) { harness in
            let factory = ClientSecrets(key: Digest256(sha256: "the key of the stage"))
            var secrets: [String: Secret] = [:]
            var clients = [client("app", .none, .poll)]
            let deliveries: [(String, OAuthClient.Backchannel.Delivery)] = [
                ("bank", .poll), ("shop", .poll), ("house", .poll), ("ring", .ping), ("mall", .push),
            ]
            for (id, delivery) in deliveries {
                let (secret, hash) = factory.make(harness.composition.environment)
                secrets[id] = secret
                clients.append(client(id, .secret([hash]), delivery))
            }
            let directory = OAuthClientDirectory(configured: clients)
            let endpoint = RecordingEndpoint()
            let api = harness.api(of: directory, factory)
            let make = { (daemon: Harness) in
                let api = daemon.api(of: directory, factory)
                return daemon.application(api.backchannel.routes + api.tokenRoutes(api.backchannelGrant), of: api)
            }
            try await harness.composition.backchannel.service.restore()
            let worker = harness.composition.backchannel.worker(
                harness.composition.core,
                results: api.backchannelResults,
                sender: endpoint
            )
            try await harness.serve(make) { [secrets] client in
                let fixture = BackchannelFixture(
                    harness: harness,
                    worker: worker,
                    endpoint: endpoint,
                    secrets: secrets,
                    client: client
                )
                try await body(fixture)
            }
        }
    }

    private static func client(
        _ id: String,
        _ authentication: OAuthClient.Authentication,
        _ delivery: OAuthClient.Backchannel.Delivery
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "The \(id) <b>",
            origin: id == "house" ? .config : .added,
            authentication: authentication,
            access: OAuthClient.Access(
                grants: [.ciba, .refreshToken],
                scopes: ScopeSet(["openid", "email", "offline_access"]),
                audience: id
            ),
            authorization: OAuthClient.AuthorizationRules(
                backchannel: .init(
                    delivery: delivery,
                    notificationEndpoint: delivery == .poll ? nil : "https://\(id).example.com/cb",
                    requiresSignedRequests: false
                )
            )
        )
    }

    // MARK: Requests

    func form(
        _ path: String,
        _ fields: [String: String],
        as client: String,
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var fields = fields
        fields["client_id"] = client
        fields["client_secret"] = secrets[client]?.expose()
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        let body = QueryText.text(fields.map { ($0.key, $0.value) })
        return try await self.client.execute(uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
    }

    func ask(
        _ email: String = "ada@example.com",
        as client: String = "bank",
        _ changes: [String: String] = [:]
    ) async throws -> TestResponse {
        var fields = ["scope": "openid offline_access", "login_hint": email]
        if client == "ring" || client == "mall" { fields["client_notification_token"] = Self.notificationToken }
        return try await form("/oauth/bc-authorize", fields.merging(changes) { $1 }, as: client)
    }

    /// A request that has begun.
    func begin(
        _ email: String = "ada@example.com",
        as client: String = "bank",
        _ changes: [String: String] = [:]
    ) async throws -> BegunOfTest {
        let answer = try await ask(email, as: client, changes)
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.decode(BegunOfTest.self)
    }

    func poll(
        _ begun: BegunOfTest,
        as client: String = "bank",
        _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let fields = ["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": begun.authReqID]
        return try await form("/oauth/token", fields, as: client, headers)
    }

    /// The error that a poll is told, or `granted`.
    func word(_ begun: BegunOfTest, as client: String = "bank") async throws -> String {
        let answer = try await poll(begun, as: client)
        guard answer.status != .ok else { return "granted" }
        return try answer.json()["error"] as? String ?? "-"
    }

    /// What the person does, in a browser that they have signed in with before: opens the link, presses the button.
    @discardableResult
    func open(_ begun: BegunOfTest, by email: String = "ada@example.com") async throws -> TestResponse {
        let letter = Character(email.prefix(1).uppercased())
        if known.isNew(email) { try await harness.link(email, letter) }
        let headers: HTTPFields = [.secFetchSiteOfTest: "same-origin", .cookie: harness.linked(letter)]
        return try await harness.send(.post, begun.landingPath, headers)
    }

    /// The same from nobody's browser: what a client's own server can do with the link.
    func openAsNobody(_ begun: BegunOfTest, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await harness.send(.post, begun.landingPath, headers.adding(.secFetchSiteOfTest, "same-origin"))
    }

    /// The same as ``open(_:by:)``, and the scan is accepted.
    func approve(_ begun: BegunOfTest, by email: String = "ada@example.com") async throws {
        let response = try await open(begun, by: email)
        try #require(response.leadsToScan, "\(response.text)")
        try await harness.judge(.approved)
    }
}

/// What the backchannel endpoint answers.
struct BegunOfTest: Decodable, Sendable {
    let authReqID: String
    let expiresIn: Int
    let interval: Int?
    let authorizationLink: String

    enum CodingKeys: String, CodingKey {
        case authReqID = "auth_req_id"
        case expiresIn = "expires_in"
        case interval
        case authorizationLink = "authorization_link"
    }

    var landingPath: String { "/go/" + (authorizationLink.split(separator: "/").last.map(String.init) ?? "") }
}

extension HTTPField.Name {
    static var secFetchSiteOfTest: Self { .named("Sec-Fetch-Site") }
}

/// A client's endpoint that remembers what it was sent, and answers as it is told.
final class RecordingEndpoint: BackchannelSending {
    private let state = Mutex<(outcome: DeliveryOutcome<String>, sent: [BackchannelNotice])>((.delivered, []))

    var sent: [BackchannelNotice] { state.withLock(\.sent) }

    func answer(_ outcome: DeliveryOutcome<String>) { state.withLock { $0.outcome = outcome } }

    func send(_ notice: BackchannelNotice) async -> DeliveryOutcome<String> {
        state.withLock { state in
            state.sent.append(notice)
            return state.outcome
        }
    }
}

extension TestResponse {
    /// Whether the browser was sent to the provider's page, and not to prove first who is at it.
    var leadsToScan: Bool {
        status == .seeOther && headers[.location]?.hasPrefix("/oauth/sign-in/") == false
    }
}

/// Names that a test has had to do with.
final class SharedNames: Sendable {
    private let names = Mutex<Set<String>>([])

    func isNew(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}
