import Kernel
import OAuth

/// Rows of authorization requests, as the contract writes them.
struct AuthorizationSample {
    static let now = Instant(milliseconds: 1_800_000_000_123)

    let account: AccountID

    static func digest(_ number: UInt64) -> Digest256 {
        Digest256([UInt8](repeating: 0, count: 31) + [UInt8(truncatingIfNeeded: number)]) ?? .zero
    }

    var environment: AuthenticationContext { AuthenticationContext(methods: ["face", "hwk", "user"], at: Self.now) }

    var request: AuthorizationRequest {
        AuthorizationRequest(
            clientID: "app",
            redirectURI: "https://app.example.com/callback?tenant=7",
            namesRedirectURI: true,
            responseMode: .formPost,
            state: "st ate/\u{E4}",
            scopes: ScopeSet(["openid", "email"]),
            resources: ["https://api.example.com/a", "https://api.example.com/b"],
            codeChallenge: Self.digest(41),
            nonce: "n 1",
            prompts: [.login, .consent],
            maxAge: 60,
            contextClass: .both,
            isContextClassEssential: true,
            loginHint: "ada@example.com",
            hintedAccount: account,
            proofKey: Self.digest(42),
            uiLocales: "fr-CA fr en",
            identityClaims: [.name, .preferredUsername]
        )
    }

    var bareRequest: AuthorizationRequest {
        AuthorizationRequest(
            clientID: "app",
            redirectURI: "myapp.scheme.demo://code_callback",
            namesRedirectURI: false,
            responseMode: .query,
            state: nil,
            scopes: ScopeSet([]),
            resources: [],
            codeChallenge: nil,
            nonce: nil,
            prompts: [],
            maxAge: nil,
            contextClass: nil,
            isContextClassEssential: false,
            loginHint: nil,
            hintedAccount: nil,
            proofKey: nil
        )
    }

    func interaction(_ number: UInt64, request: AuthorizationRequest? = nil, proves: Bool = false) -> Interaction {
        Interaction(
            id: Self.digest(number),
            browser: Self.digest(number + 100),
            request: request ?? self.request,
            proven: proves ? Interaction.Proven(account: account, authentication: environment) : nil,
            operation: proves ? UUIDBits(high: 3, low: number) : nil,
            consentedBy: proves ? account : nil,
            createdAt: Self.now,
            expiresAt: expiry(number)
        )
    }

    func code(_ number: UInt64) -> AuthorizationCode {
        AuthorizationCode(
            digest: Self.digest(number),
            grant: AuthorizedGrant(
                account: account,
                clientID: "app",
                scopes: request.scopes,
                resources: request.resources,
                authentication: environment,
                nonce: "n 1",
                identityClaims: [.email]
            ),
            binding: AuthorizationCode.Binding(
                redirectURI: request.target.redirectURI,
                namesRedirectURI: true,
                codeChallenge: Self.digest(41),
                proofKey: Self.digest(42)
            ),
            issuedAt: Self.now,
            expiresAt: expiry(number)
        )
    }

    func bareCode(_ number: UInt64) -> AuthorizationCode {
        AuthorizationCode(
            digest: Self.digest(number),
            grant: AuthorizedGrant(
                account: account,
                clientID: "app",
                scopes: ScopeSet([]),
                resources: [],
                authentication: AuthenticationContext(methods: [], at: Self.now)
            ),
            binding: AuthorizationCode.Binding(
                redirectURI: bareRequest.target.redirectURI,
                namesRedirectURI: false,
                codeChallenge: nil,
                proofKey: nil
            ),
            issuedAt: Self.now,
            expiresAt: expiry(number)
        )
    }

    func pushed(_ number: UInt64) -> PushedRequest {
        PushedRequest(
            digest: Self.digest(number),
            clientID: "app",
            parameters: AuthorizationParameters(
                values: ["client_id": "app", "state": "a.b=\u{E4}&\"\n", "scope": "openid email"],
                resources: ["https://api.example.com/a", "https://api.example.com/b"]
            ),
            createdAt: Self.now,
            expiresAt: expiry(number)
        )
    }

    func consent(_ scopes: Set<String>, _ number: UInt64, client: String = "app") -> Consent {
        Consent(
            account: account,
            clientID: client,
            scopes: ScopeSet(scopes),
            resources: number == 1 ? [] : ["https://api.example.com/a", "https://api.example.com/b"],
            grantedAt: Self.now,
            expiresAt: expiry(number + 100)
        )
    }

    private func expiry(_ number: UInt64) -> Instant { Self.now + .seconds(Int64(60 + number)) }
}
