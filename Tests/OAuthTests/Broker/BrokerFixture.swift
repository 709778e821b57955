import CodeFlow
import Crypto
import Kernel
import Logging
import MemoryStore
import Synchronization
import Testing

@testable import OAuth

/// A broker over a gateway that answers as the test says.
struct BrokerFixture {
    static let callback = "https://login.example.com/oauth/upstream/callback"
    static let redirectURI = "myapp.scheme.demo://code_callback"

    let time = VirtualTime()
    let environment: Environment
    let gateway = ScriptedGateway()
    let people: UserInfoCache
    let tickets: BrokerTickets
    let marks: UsedMarks
    let service: BrokerService

    /// `disk`: what an earlier process may have written.
    init(limits: UserInfoCache.Limits = .init(), ticketLimit: Int = 1000, disk: MemoryDisk = MemoryDisk()) throws {
        environment = time.environment()
        people = UserInfoCache(gateway, clock: time, limits: limits)
        let storage = disk.open()
        marks = UsedMarks(store: storage.usedMarks, unitOfWork: storage.unitOfWork)
        tickets = BrokerTickets(
            key: try #require(Digest256(Array(1...32))),
            environment: environment,
            marks: marks,
            limit: ticketLimit
        )
        service = BrokerService(
            gateway: gateway,
            tickets: tickets,
            people: people,
            callback: Self.callback,
            issuer: "https://login.example.com",
            environment: environment,
            logger: Logger(label: "broker") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    static func upstream(
        _ name: String = "ates",
        issuer: String? = nil,
        takesCodeChallenge: Bool = false,
        scopes: [String] = ["profile"],
        status: String? = nil,
        audience: String? = nil,
        keepsFor: Duration = .seconds(3600)
    ) throws -> Upstream {
        let lookup = PersonLookup(
            url: "https://scif.example.com/UserManagement/GetPersonalInformation",
            person: .xml(try #require(XMLPath("/PersonalInformation/BPId"))),
            status: try status.map { .xml(try #require(XMLPath($0))) },
            activeWords: ["ACTIVE"],
            audience: try audience.map { .init(path: .xml(try #require(XMLPath($0))), client: "ates-client") },
            keepsFor: keepsFor
        )
        return Upstream(
            name: name,
            server: AuthorizationServer(
                issuer: issuer,
                authorizeURL: "https://ates.example.com/authorize",
                tokenURL: "https://ates.example.com/token",
                client: ClientRegistration(
                    id: "ates-client",
                    secret: Secret("ates-secret"),
                    authentication: .post
                ),
                scopes: scopes
            ),
            takesCodeChallenge: takesCodeChallenge,
            resource: .init(lookup: lookup, dataURL: "https://esb.example.com/people/{person}")
        )
    }

    static func client(
        _ id: String = "myvoo",
        codeChallenge: OAuthClient.CodeChallengeRule = .optional
    ) -> OAuthClient {
        OAuthClient(
            id: id,
            name: "myVOO",
            origin: .config,
            authentication: .none,
            access: OAuthClient.Access(
                grants: [.authorizationCode, .refreshToken],
                scopes: ScopeSet([]),
                audience: id
            ),
            authorization: OAuthClient.AuthorizationRules(
                redirectURIs: [redirectURI],
                codeChallenge: codeChallenge,
                upstream: "ates"
            )
        )
    }

    static func request(
        client: String = "myvoo",
        state: String? = "app-state",
        challenge: Digest256? = nil,
        mode: AuthorizationRequest.ResponseMode = .query,
        prompts: Set<AuthorizationRequest.Prompt> = [],
        loginHint: String? = nil
    ) -> AuthorizationRequest {
        AuthorizationRequest(
            clientID: client,
            redirectURI: redirectURI,
            namesRedirectURI: true,
            responseMode: mode,
            state: state,
            scopes: ScopeSet([]),
            resources: [],
            codeChallenge: challenge,
            nonce: nil,
            prompts: prompts,
            maxAge: nil,
            contextClass: nil,
            isContextClassEssential: false,
            loginHint: loginHint,
            hintedAccount: nil,
            proofKey: nil
        )
    }

    /// The code that the app gets for one of the upstream's.
    func code(
        _ code: String = "upstream-code",
        _ request: AuthorizationRequest = request(),
        at upstream: Upstream
    ) async throws -> Secret {
        let redirect = try service.redirect(request, to: upstream)
        let back = AuthorizationCallback(
            state: redirect.answer["state"],
            code: code,
            error: nil,
            issuer: upstream.server.issuer
        )
        let answer = try await service.redirectBack(back, browser: redirect.browser) {
            $0 == upstream.name ? upstream : nil
        }
        return Secret(try #require(answer["code"]))
    }
}

extension AuthorizationAnswer {
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }
}

/// Answers in the order in which they were put in, the last one for ever, and remembers what it was asked.
final class ScriptedGateway: UpstreamGateway {
    typealias Reply = Result<UpstreamAnswer, ExchangeError>

    struct Asked {
        var grants: [TokenGrant] = []
        var tokens: [String] = []
        var people: [String] = []
    }

    private struct State {
        var asked = Asked()
        var tokenReplies: [Reply] = []
        var personReplies: [Reply] = []
        var dataReplies: [Reply] = []
        var isHeld = false
        var held: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    static let person = "<PersonalInformation><BPId>4711</BPId><Status>ACTIVE</Status></PersonalInformation>"
    static let tokens = """
        {"access_token":"at-1","refresh_token":"rt-1","token_type":"bearer","expires_in":600,"scope":"profile",
         "id_token":"of-another-client","client_secret":"echoed"}
        """

    static func ok(_ text: String, _ status: Int = 200) -> Reply {
        .success(UpstreamAnswer(status: status, body: Array(text.utf8)))
    }

    var asked: Asked { state.withLock(\.asked) }

    func answerTokens(_ replies: Reply...) { state.withLock { $0.tokenReplies = replies } }
    func answerPerson(_ replies: Reply...) { state.withLock { $0.personReplies = replies } }
    func answerData(_ replies: Reply...) { state.withLock { $0.dataReplies = replies } }

    /// Lookups wait from now on, until ``release()``.
    func hold() { state.withLock { $0.isHeld = true } }

    func release() {
        let held = state.withLock { state in
            state.isHeld = false
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func tokens(for grant: TokenGrant, at upstream: Upstream) async throws(ExchangeError) -> TokenAnswer {
        let reply = state.withLock { state in
            state.asked.grants.append(grant)
            return Self.next(&state.tokenReplies) ?? Self.ok(Self.tokens)
        }
        let answer = try reply.get()
        return TokenAnswer(status: answer.status, body: answer.body, isLoose: true)
    }

    func person(
        behind accessToken: Secret,
        by lookup: PersonLookup,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer {
        let reply = state.withLock { state in
            state.asked.tokens.append(accessToken.expose())
            return Self.next(&state.personReplies) ?? Self.ok(Self.person)
        }
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                if state.isHeld { state.held.append(continuation) }
                return !state.isHeld
            }
            if isFree { continuation.resume() }
        }
        return try reply.get()
    }

    func data(
        of person: String,
        in resource: Upstream.Resource,
        at upstream: Upstream
    ) async throws(ExchangeError) -> UpstreamAnswer {
        let reply = state.withLock { state in
            state.asked.people.append(person)
            return Self.next(&state.dataReplies) ?? Self.ok(#"{"balance":42}"#)
        }
        return try reply.get()
    }

    private static func next(_ replies: inout [Reply]) -> Reply? {
        replies.count > 1 ? replies.removeFirst() : replies.first
    }
}

/// Lets others run until it is so; the suite's time limit ends a wait in vain.
func wait(until isSo: () -> Bool) async { while !isSo() { await Task.yield() } }

extension Digest256 {
    static func challenge(of verifier: String) -> Digest256 {
        SHA256.hash(data: Array(verifier.utf8)).withUnsafeBytes { Digest256($0) } ?? .zero
    }
}
