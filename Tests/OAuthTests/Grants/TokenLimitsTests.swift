import Kernel
import MemoryStore
import StoreContract
import Testing

@testable import OAuth

/// Tests the limits of one token of a grant.
struct TokenLimitsTests {
    private static func client(
        _ grants: Set<OAuthClient.GrantType> = [.authorizationCode, .refreshToken],
        _ rule: OAuthClient.RefreshRule = .offlineAccess
    ) -> OAuthClient {
        OAuthClient(
            id: "web",
            name: "Web",
            origin: .added,
            authentication: .none,
            access: OAuthClient.Access(
                grants: grants,
                scopes: ScopeSet(["openid", "orders", "offline_access"]),
                audience: "web",
                resources: (["api", "other", "a", "b", "evil"] as [String]).map { "https://\($0).example.com" }
            ),
            tokens: OAuthClient.TokenRules(refresh: rule)
        )
    }

    private static func limits(_ scope: String?, _ asked: [String] = [], granted: [String] = []) throws -> TokenLimits {
        try TokenLimits(
            of: ScopeSet(["openid", "orders"]),
            resources: granted,
            client: client(),
            request: TokenLimitsRequest(scope: scope, resources: asked)
        )
    }

    @Test func `without scope and resource a token has all granted scopes and the client's audience`() throws {
        let limits = try Self.limits(nil)
        #expect(limits.scopes == ScopeSet(["openid", "orders"]) && limits.audience == "web")
    }

    @Test func `a token may be requested with fewer scopes than were granted`() throws {
        #expect(try Self.limits("orders").scopes == ScopeSet(["orders"]))
    }

    // O-063
    @Test(arguments: ["admin", "openid orders admin", "", " ", "open\"id", "openid\u{7F}"])
    func `attack: a scope that was not granted or is malformed gets invalid_scope`(_ scope: String) {
        let error = #expect(throws: OAuthError.self) { try Self.limits(scope) }
        #expect(error?.code == .invalidScope)
    }

    // O-065
    @Test func `a token is for the one resource that was granted, or for the one that is named`() throws {
        let (one, other) = ("https://api.example.com", "https://other.example.com")
        #expect(try Self.limits(nil, granted: [one]).audience == one)
        #expect(try Self.limits(nil, [other], granted: [one, other]).audience == other)
    }

    // O-057, O-065
    @Test(
        arguments: [
            (["https://api.example.com"], []), (["https://evil.example.com"], ["https://api.example.com"]),
            (["https://api.example.com/"], ["https://api.example.com"]),
            ([], ["https://a.example.com", "https://b.example.com"]),
            (["https://a.example.com", "https://b.example.com"], ["https://a.example.com", "https://b.example.com"]),
        ] as [([String], [String])]
    )
    func `attack: a resource that was not granted, or more than one, gets invalid_target`(
        _ asked: [String],
        _ granted: [String]
    ) {
        let error = #expect(throws: OAuthError.self) { try Self.limits(nil, asked, granted: granted) }
        #expect(error?.code == .invalidTarget)
    }

    private static func narrowed(_ scopes: Set<String>, _ resources: [String] = []) -> OAuthClient {
        OAuthClient(
            id: "web",
            name: "Web",
            origin: .added,
            authentication: .none,
            access: OAuthClient.Access(
                grants: [.authorizationCode, .refreshToken],
                scopes: ScopeSet(scopes),
                audience: "web",
                resources: resources
            )
        )
    }

    // O-063
    @Test func `a right that the client lost since the grant is in no token any more`() throws {
        let (granted, one) = (ScopeSet(["openid", "orders"]), "https://api.example.com")
        let limits = { (client: OAuthClient, scope: String?, resources: [String]) throws(OAuthError) in
            try TokenLimits(
                of: granted,
                resources: resources,
                client: client,
                request: TokenLimitsRequest(scope: scope)
            )
        }
        #expect(try limits(Self.narrowed(["openid", "admin"]), nil, []).scopes == ScopeSet(["openid"]))
        let left = Self.narrowed(["openid"], ["https://b.example.com"])
        #expect(throws: OAuthError.self) { try limits(left, "orders", []) }
        #expect(throws: OAuthError.self) { try limits(Self.narrowed(["admin"]), nil, []) }
        #expect(throws: OAuthError.self, "nor is it for the client in the resource's place") {
            try limits(left, nil, [one])
        }
        #expect(try limits(left, nil, [one, "https://b.example.com"]).audience == "https://b.example.com")
    }

    // O-058
    @Test func `a refresh token goes by the client's rule, and to no client that may not use it`() {
        let offline = ScopeSet(["openid", "offline_access"])
        #expect(Self.client().getsRefreshToken(for: offline))
        #expect(!Self.client().getsRefreshToken(for: ScopeSet(["openid"])))
        let always = Self.client([.authorizationCode, .refreshToken], .always)
        #expect(always.getsRefreshToken(for: ScopeSet([])))
        #expect(!Self.client([.authorizationCode], .always).getsRefreshToken(for: offline))
    }

    @Test(arguments: OAuthGrantStoreContract.allCases)
    func `the store in memory keeps grants by the contract`(_ promise: OAuthGrantStoreContract) async throws {
        let store = MemoryOAuthGrantStore()
        let sessions = [1, 2].map { SessionID(UUIDBits(high: 1, low: $0)) }
        try await promise.check(over: store, store, sessions: sessions) { session, transaction in
            try store.remove(session, in: transaction)
        }
    }
}
