import Crypto
import Kernel
import MemoryStore
import Synchronization

@testable import OAuth

/// A client of the backchannel, with a key of its own, and the server's side of its requests.
struct BackchannelHarness {
    static let issuer = "https://vestibule.example.com"
    static let account = AccountID(UUIDBits(high: 7, low: 7))

    let key = P256.Signing.PrivateKey()
    let time = VirtualTime()
    let environment: Environment
    let memory: AssertionMemory
    let hints = ScriptedHints()
    let reader: BackchannelRequestReader

    init() {
        environment = time.environment()
        memory = AssertionMemory(environment: environment)
        reader = BackchannelRequestReader(
            issuer: Self.issuer,
            policy: BackchannelPolicy(),
            hints: hints,
            memory: memory
        )
    }

    /// By default a client that polls and authenticates with its key.
    func client(
        _ id: String = "bank",
        delivery: OAuthClient.Backchannel.Delivery = .poll,
        signed: Bool = false,
        grants: Set<OAuthClient.GrantType> = [.ciba, .refreshToken],
        method: AuthenticatedClient.Method = .privateKeyJWT
    ) -> AuthenticatedClient {
        let authentication: OAuthClient.Authentication =
            switch method {
            case .none: .none
            case .secretBasic, .secretPost: .secret([])
            case .privateKeyJWT: .privateKeyJWT(ClientKeySet(document: "{\"keys\":[\(jwk)]}"))
            }
        return AuthenticatedClient(
            client: OAuthClient(
                id: id,
                name: "The Bank",
                origin: .config,
                authentication: authentication,
                access: OAuthClient.Access(
                    grants: grants,
                    scopes: ScopeSet(["openid", "profile", "payments"]),
                    audience: "bank",
                    resources: ["https://api.example.com/"]
                ),
                authorization: OAuthClient.AuthorizationRules(
                    backchannel: .init(
                        delivery: delivery,
                        notificationEndpoint: delivery == .poll ? nil : "https://\(id).example.com/cb",
                        requiresSignedRequests: signed
                    )
                )
            ),
            method: method
        )
    }

    func read(
        _ values: [String: String],
        resources: [String] = [],
        of client: AuthenticatedClient? = nil
    ) throws(OAuthError) -> BackchannelRequest {
        try reader.read(BackchannelParameters(values, resources: resources), of: client ?? self.client(), at: time.wall)
    }

    /// The code of the refusal; `nil` for a request that is taken.
    func refusal(
        _ values: [String: String],
        resources: [String] = [],
        of client: AuthenticatedClient? = nil
    ) -> OAuthErrorCode? {
        do throws(OAuthError) {
            _ = try read(values, resources: resources, of: client)
            return nil
        } catch { return error.code }
    }

    /// A compact JWS of those claims by the client's key, or by another.
    func sign(
        _ claims: String,
        header: String = #"{"alg":"ES256","typ":"JWT"}"#,
        by other: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let input = "\(Base64URL.encode(Array(header.utf8))).\(Base64URL.encode(Array(claims.utf8)))"
        let signature = try (other ?? key).signature(for: Array(input.utf8))
        return "\(input).\(Base64URL.encode(Array(signature.rawRepresentation)))"
    }

    /// The claims of a signed request; those in `changes` in the place of the usual ones, `nil` for none.
    func claims(_ changes: [String: String?] = [:]) -> String {
        let now = time.wall.seconds
        var members: [String: String] = [
            "iss": "\"bank\"", "aud": "\"\(Self.issuer)\"", "exp": "\(now + 300)", "nbf": "\(now)", "iat": "\(now)",
            "jti": "\"request-1\"", "scope": "\"openid\"", "login_hint": "\"a@example.com\"",
        ]
        for (name, value) in changes { members[name] = value }
        return "{" + members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    private var jwk: String {
        let point = Array(key.publicKey.rawRepresentation)
        return "{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"\(Base64URL.encode(point.prefix(32)))\","
            + "\"y\":\"\(Base64URL.encode(point.suffix(32)))\"}"
    }
}

/// Knows one id token.
struct ScriptedHints: IDTokenHints {
    func account(of token: String, for client: OAuthClient) -> AccountID? {
        token == "ours-for-\(client.id)" ? BackchannelHarness.account : nil
    }
}

/// An endpoint of a client that answers as it is told.
final class ScriptedEndpoint: BackchannelSending {
    private struct State {
        var outcome = DeliveryOutcome<String>.delivered
        var sent: [BackchannelNotice] = []
        var hanging: String?
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var sent: [BackchannelNotice] { state.withLock(\.sent) }

    /// The number of callers without an answer.
    var hangingCount: Int { state.withLock(\.held.count) }

    func answer(_ outcome: DeliveryOutcome<String>) { state.withLock { $0.outcome = outcome } }

    /// Keeps callers waiting until ``letGo()``.
    func hang(_ endpoint: String) { state.withLock { $0.hanging = endpoint } }

    func letGo() {
        let held = state.withLock { state in
            state.hanging = nil
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(_ notice: BackchannelNotice) async -> DeliveryOutcome<String> {
        await withCheckedContinuation { continuation in
            let isHeld = state.withLock { state in
                state.sent.append(notice)
                guard state.hanging == notice.endpoint else { return false }
                state.held.append(continuation)
                return true
            }
            if !isHeld { continuation.resume() }
        }
        return state.withLock(\.outcome)
    }
}

/// Says what is pushed, and remembers what was taken.
final class ScriptedResults: BackchannelResults {
    private let taken = Mutex<[Digest256]>([])
    private let body = Mutex<[UInt8]?>(Array("tokens".utf8))

    var acknowledged: [Digest256] { taken.withLock(\.self) }

    func say(_ bytes: [UInt8]?) { body.withLock { $0 = bytes } }

    func result(of pending: PendingBackchannel, authReqID: Secret) async throws -> [UInt8]? { body.withLock(\.self) }

    func acknowledge(_ pending: PendingBackchannel) async throws { taken.withLock { $0.append(pending.id) } }
}
