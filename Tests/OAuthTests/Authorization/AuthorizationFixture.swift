import Crypto
import Kernel
import MemoryStore
import Testing

@testable import OAuth

/// Clients, people and the service between them, in virtual time.
struct AuthorizationFixture: Sendable {
    static let issuer = "https://login.example.com"
    static let ada = AccountID(UUIDBits(high: 0xA, low: 1))
    static let eve = AccountID(UUIDBits(high: 0xA, low: 2))
    static let verifier = "verifier-of-the-tests-0123456789-ABCDEFGHIJ"
    static let callback = "https://app.example.com/callback"

    let time = VirtualTime()
    let disk = MemoryDisk()
    let storage: MemoryStorage
    let environment: Environment
    let service: AuthorizationService
    let reader: AuthorizationRequestReader
    let pushed: PushedRequests
    let clients: [String: OAuthClient]

    init(_ clients: [OAuthClient] = [Self.client()]) {
        storage = disk.open()
        environment = time.environment()
        let named = Dictionary(uniqueKeysWithValues: clients.map { ($0.id, $0) })
        self.clients = named
        let answers = AuthorizationAnswers(issuer: Self.issuer)
        service = AuthorizationService(
            environment: environment,
            unitOfWork: storage.unitOfWork,
            interactions: storage.interactions,
            codes: storage.authorizationCodes,
            consents: storage.consents,
            answers: answers,
            policy: AuthorizationPolicy()
        )
        reader = AuthorizationRequestReader(clients: { named[$0] }, hints: HintsOfTest(), answers: answers)
        pushed = PushedRequests(
            environment: environment,
            unitOfWork: storage.unitOfWork,
            store: storage.pushedRequests,
            reader: reader,
            lifetime: .seconds(90)
        )
    }

    static func client(
        _ id: String = "app",
        origin: OAuthClient.Origin = .config,
        authentication: OAuthClient.Authentication = .none,
        grants: Set<OAuthClient.GrantType> = [.authorizationCode, .refreshToken],
        redirectURIs: [String] = [callback],
        scopes: Set<String> = ["openid", "profile", "email", "offline_access"],
        codeChallenge: OAuthClient.CodeChallengeRule = .required,
        requiresPushedRequests: Bool = false,
        requires: RequiredProof = .faceOrPasskey,
        ways: Set<SignInWay> = [],
        isEnabled: Bool = true
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "The App",
            origin: origin,
            isEnabled: isEnabled,
            authentication: authentication,
            access: OAuthClient.Access(
                grants: grants,
                scopes: ScopeSet(scopes),
                audience: id,
                resources: ["https://api.example.com"]
            ),
            authorization: OAuthClient.AuthorizationRules(
                redirectURIs: redirectURIs,
                codeChallenge: codeChallenge,
                requiresPushedRequests: requiresPushedRequests,
                requires: requires,
                ways: ways
            )
        )
    }

    static let secret = OAuthClient.Authentication.secret([SecretHash(Digest256(sha256: "secret"))])

    static func challenge(of verifier: String = verifier) -> String {
        Base64URL.encode(Digest256(sha256: verifier).bytes)
    }

    /// The parameters of a good request; `change`: what is otherwise, `nil` for what is left out.
    static func parameters(_ change: [String: String?] = [:], resources: [String] = []) -> AuthorizationParameters {
        var values = [
            "client_id": "app", "redirect_uri": callback, "response_type": "code", "scope": "openid email",
            "state": "s", "code_challenge": challenge(), "code_challenge_method": "S256",
        ]
        for (name, value) in change { values[name] = value }
        return AuthorizationParameters(values: values, resources: resources)
    }

    /// Returns a refusal's code and whether it is a page, or `nil`.
    func refusal(
        _ change: [String: String?],
        resources: [String] = [],
        by way: AuthorizationRequestReader.Way = .browser
    ) -> Refused? {
        do throws(AuthorizationError) {
            _ = try reader.read(Self.parameters(change, resources: resources), by: way, at: environment.now())
            return nil
        } catch {
            switch error {
            case .page(let cause): return .page(cause.code)
            case .redirect(let cause, let answer):
                #expect(answer.parameters.first == .init("error", cause.code.rawValue))
                return .told(cause.code)
            }
        }
    }

    func read(_ change: [String: String?] = [:], resources: [String] = []) throws -> AuthorizationRequest {
        try reader.read(Self.parameters(change, resources: resources), by: .browser, at: environment.now()).request
    }

    func proven(
        _ methods: [String] = ["face"],
        of account: AccountID = ada,
        before: Duration = .zero
    ) -> Interaction.Proven {
        let hasPasskey = methods.contains("hwk") || methods.contains("swk")
        return Interaction.Proven(
            account: account,
            authentication: AuthenticationContext(
                methods: methods,
                at: environment.now() - before,
                passkey: hasPasskey ? PasskeyID(UUIDBits(high: 1, low: 2)) : nil
            )
        )
    }

    func grant(_ request: AuthorizationRequest, of account: AccountID = ada) -> AuthorizedGrant {
        AuthorizedGrant(
            account: account,
            clientID: request.clientID,
            scopes: request.scopes,
            resources: request.resources,
            authentication: proven().authentication,
            nonce: request.nonce
        )
    }

    /// A code that was issued for a request.
    func code(for request: AuthorizationRequest) async throws -> String {
        let grant = grant(request)
        let answer = try await storage.unitOfWork.run { [service] in
            try service.issueCode(for: request, grant: grant, in: $0)
        }
        return try #require(answer.parameters.first { $0.name == "code" }).value
    }

    /// Redeems a code and notes a session, as the token endpoint does.
    func redeem(
        _ code: String,
        by client: OAuthClient? = nil,
        redirectURI: String? = callback,
        verifier: String? = verifier,
        proofKey: Digest256? = nil,
        opening session: SessionID = SessionID(UUIDBits(high: 5, low: 5))
    ) async throws -> RedeemedCode {
        let client = AuthenticatedClient(client: client ?? Self.client(), method: .none)
        return try await storage.unitOfWork.run { [service] transaction in
            let redeemed = try service.redeem(
                code: code,
                by: client,
                redirectURI: redirectURI,
                verifier: verifier,
                proofKey: proofKey,
                in: transaction
            )
            try service.note(session: session, for: redeemed.code, in: transaction)
            return redeemed
        }
    }
}

/// A refusal, told to the person or to the client.
enum Refused: Equatable {
    case page(OAuthErrorCode)
    case told(OAuthErrorCode)
}

/// Id tokens of the tests: the account's id is the token.
struct HintsOfTest: IDTokenHints {
    func account(of token: String, for client: OAuthClient) -> AccountID? { AccountID(parsing: token) }
}
