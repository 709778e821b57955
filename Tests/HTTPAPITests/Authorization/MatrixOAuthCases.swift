import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Operations
import Settings
import Testing

@testable import Assembly
@testable import HTTPAPI

extension MatrixCases {
    /// The endpoints of tokens, for the laptop's public client.
    static let oauthTokens: [MatrixCase] =
        ["/oauth/token", "/token"].map { path in
            MatrixCase("POST \(path)", .inRequest(ofAccount: true)) { context in
                let code =
                    context.isProved
                    ? try await context.harness.oauthCode(of: context.person.email) : MatrixContext.guess
                return MatrixRequest(
                    path,
                    form: "grant_type=authorization_code&client_id=myvoo&code=\(code)&code_verifier=\(Harness.verifier)"
                )
            }
        } + [
            MatrixCase("POST /token/refresh", .inRequest(ofAccount: true)) { context in
                var token = MatrixContext.guess
                if context.isProved {
                    let code = try await context.harness.oauthCode(of: context.person.email)
                    let fields = "client_id=myvoo&code=\(code)&code_verifier=\(Harness.verifier)"
                    let answer = try await context.harness.sendForm(
                        "/oauth/token",
                        "grant_type=authorization_code&" + fields
                    )
                    token = try answer.decode(TokensOfTest.self).refreshToken ?? token
                }
                return MatrixRequest(
                    "/token/refresh",
                    form: "grant_type=refresh_token&client_id=myvoo&refresh_token=\(token)"
                )
            },
            // The holder of a token who names its client may end it; any other text counts as ended.
            MatrixCase("POST /oauth/revoke", .nothing) { _ in
                MatrixRequest("/oauth/revoke", form: "client_id=myvoo&token=x")
            },
            MatrixCase("POST /oauth/introspect", .inRequest(ofAccount: false)) { context in
                var metadata = ClientMetadata()
                metadata.redirectURIs = ["https://app.example.com/callback"]
                metadata.method = .secretPost
                let id = "api-\(context.person.number)"
                let issued = try await context.harness.composition.oauth.clients.add(metadata, id: id)
                let secret = context.isProved ? try #require(issued.secret).expose() : MatrixContext.guess
                return MatrixRequest("/oauth/introspect", form: "client_id=\(id)&client_secret=\(secret)&token=x")
            },
            MatrixCase("GET /oauth/userinfo", .access) { _ in MatrixRequest("/oauth/userinfo") },
            MatrixCase("POST /oauth/userinfo", .access) { _ in MatrixRequest("/oauth/userinfo") },
            MatrixCase("GET /oauth/logout", .nothing) { _ in MatrixRequest("/oauth/logout") },
            MatrixCase("POST /oauth/logout", .nothing) { _ in
                MatrixRequest("/oauth/logout", form: "client_id=myvoo")
            }.answered(303),
            MatrixCase("POST /oauth/logout/confirm", .nothing) { _ in MatrixRequest("/oauth/logout/confirm") },
        ]
        + ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"].flatMap { path in
            MatrixCases.fetching(path, .nothing) { _ in MatrixRequest(path) }
        }
}

extension MatrixRequest {
    init(_ path: String, form: String) {
        self.init(path, [.contentType: "application/x-www-form-urlencoded"])
        body = form
    }
}

extension Harness {
    func sendForm(_ path: String, _ form: String) async throws -> TestResponse {
        try await send(.post, path, [.contentType: "application/x-www-form-urlencoded"], body: form)
    }

    /// A code that a person has just granted to the laptop's client.
    func oauthCode(of email: String) async throws -> String {
        let account = try await composition.accounts.show(email).account.id
        let service = AuthorizationService(
            environment: composition.environment,
            unitOfWork: composition.unitOfWork,
            interactions: composition.stores.oauth.interactions,
            codes: composition.stores.oauth.codes,
            consents: composition.stores.oauth.consents,
            answers: AuthorizationAnswers(issuer: settings.issuer),
            policy: AuthorizationPolicy()
        )
        let request = AuthorizationRequest(
            clientID: "myvoo",
            redirectURI: "myapp.scheme.demo://code_callback",
            namesRedirectURI: true,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet(["openid"]),
            resources: [],
            codeChallenge: Digest256(sha256: Harness.verifier),
            nonce: nil,
            prompts: [],
            maxAge: nil,
            contextClass: nil,
            isContextClassEssential: false,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: nil
        )
        let grant = AuthorizedGrant(
            account: account,
            clientID: request.clientID,
            scopes: request.scopes,
            resources: [],
            authentication: AuthenticationContext(methods: ["face"], at: composition.environment.now())
        )
        let answer = try await composition.unitOfWork.run { transaction in
            try service.issueCode(for: request, grant: grant, in: transaction)
        }
        return try #require(answer.parameters.first { $0.name == "code" }).value
    }
}
