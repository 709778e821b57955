import Kernel
import TokenReading

/// Reads the parameters of an authorization request.
///
/// Each function names the clause that it implements.
struct RequestParameters {
    private let parameters: AuthorizationParameters
    private let client: OAuthClient

    init(_ parameters: AuthorizationParameters, _ client: OAuthClient) {
        self.parameters = parameters
        self.client = client
    }

    /// Returns the response mode (OAuth 2.0 Multiple Response Types §2.1); a code never uses `fragment` (RFC 9700 §4.3.1).
    func responseMode(to redirectURI: String) throws(OAuthError) -> AuthorizationRequest.ResponseMode {
        guard let text = parameters["response_mode"] else { return .query }
        guard let mode = AuthorizationRequest.ResponseMode(rawValue: text) else {
            throw OAuthError(.invalidRequest, "The response_mode can only be query or form_post.")
        }
        let isWeb = redirectURI.hasPrefix("https:") || redirectURI.hasPrefix("http:")
        guard mode == .query || isWeb else {
            throw OAuthError(.invalidRequest, "The response_mode form_post needs a redirect_uri of the web.")
        }
        return mode
    }

    /// Returns the scopes (RFC 6749 §3.3).
    ///
    /// The default is all scopes of the client except `openid` and `offline_access`.
    func scopes() throws(OAuthError) -> ScopeSet {
        guard let text = parameters["scope"] else {
            return ScopeSet(client.access.scopes.values.subtracting([ScopeSet.openID, ScopeSet.offlineAccess]))
        }
        guard let scopes = ScopeSet(parsing: text) else {
            throw OAuthError(.invalidScope, "The scope is not a list of scopes.")
        }
        guard scopes.isSubset(of: client.access.scopes) else {
            throw OAuthError(.invalidScope, "The scope has more than this client may ask for.")
        }
        return scopes
    }

    /// Returns the resources (RFC 8707 §2).
    ///
    /// Each must be one for which the client may have tokens.
    func resources() throws(OAuthError) -> [String] {
        let asked = parameters.resources
        let allowed = Set((client.access.resources + [client.access.audience]).map { Array($0.utf8) })
        guard asked.count <= Self.mostResources, asked.allSatisfy({ allowed.contains(Array($0.utf8)) }) else {
            throw OAuthError(.invalidTarget, "The resource is not one that tokens of this client may be for.")
        }
        return asked.enumerated().filter { asked.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    /// Returns the code challenge (RFC 7636 §4.3, §4.4.1).
    ///
    /// A confidential client may rely on its `nonce` instead (OAuth 2.1 §7.5.1).
    func codeChallenge(_ scopes: ScopeSet, _ nonce: String?) throws(OAuthError) -> Digest256? {
        let method = parameters["code_challenge_method"]
        guard let text = parameters["code_challenge"] else {
            guard method == nil else {
                throw OAuthError(.invalidRequest, "A code_challenge_method was sent without a code_challenge.")
            }
            let hasNonce = client.isConfidential && scopes.contains(ScopeSet.openID) && nonce != nil
            guard client.authorization.codeChallenge == .optional || hasNonce else {
                throw OAuthError(.invalidRequest, "The parameter code_challenge is missing: this client needs PKCE.")
            }
            return nil
        }
        // The default method is `plain`, which reveals the verifier to anybody who sees the request (RFC 9700 §2.1.1).
        // One published client writes `S256` in lower case.
        guard method == "S256" || method == "s256" else {
            throw OAuthError(.invalidRequest, "The code_challenge_method has to be S256.")
        }
        guard text.utf8.count == 43, let challenge = Base64URL.decode(text).flatMap({ Digest256($0) }) else {
            throw OAuthError(.invalidRequest, "The code_challenge is not a SHA-256 in base64url.")
        }
        return challenge
    }

    /// Returns the nonce (OpenID Connect Core §3.1.2.1).
    func nonce() throws(OAuthError) -> String? {
        guard let nonce = parameters["nonce"] else { return nil }
        guard RequestText.isPlain(nonce, upTo: Self.longestNonce) else {
            throw OAuthError(.invalidRequest, "The nonce is too long, or has control characters.")
        }
        return nonce
    }

    /// Returns the prompts (OpenID Connect Core §3.1.2.1); `none` excludes all others.
    func prompts() throws(OAuthError) -> Set<AuthorizationRequest.Prompt> {
        guard let text = parameters["prompt"] else { return [] }
        var prompts: Set<AuthorizationRequest.Prompt> = []
        for word in text.split(separator: " ") {
            guard let prompt = AuthorizationRequest.Prompt(rawValue: String(word)) else {
                throw OAuthError(.invalidRequest, "The prompt can be none, login, consent and select_account.")
            }
            prompts.insert(prompt)
        }
        guard !prompts.contains(.none) || prompts.count == 1 else {
            throw OAuthError(.invalidRequest, "The prompt none can't be combined with another.")
        }
        return prompts
    }

    /// Returns the maximum age of the sign-in in seconds, at most a century.
    func maxAge() throws(OAuthError) -> Int? {
        guard let text = parameters["max_age"] else { return nil }
        guard (1...10).contains(text.utf8.count), let age = Int(text), age >= 0, text.first != "+" else {
            throw OAuthError(.invalidRequest, "The max_age is not a number of seconds.")
        }
        return min(age, Self.longestAge)
    }

    /// Returns the requested context class: voluntary by `acr_values`, or essential by the `claims` parameter
    /// (OpenID Connect Core §3.1.2.1, §5.5.1.1).
    func contextClass() throws(OAuthError) -> (wanted: ContextClassReference?, isEssential: Bool) {
        if let claim = try acrClaim() {
            let known = claim.values.compactMap(ContextClassReference.init).first
            guard known != nil || !claim.isEssential || claim.values.isEmpty else {
                throw OAuthError(.unmetAuthenticationRequirements, "No sign-in here reaches the acr that is essential.")
            }
            if known != nil { return (known, claim.isEssential) }
        }
        let preferences = parameters["acr_values"]?.split(separator: " ").prefix(Self.mostPreferences) ?? []
        return (preferences.compactMap { ContextClassReference(rawValue: String($0)) }.first, false)
    }

    /// Returns the login hint, which may be an e-mail address or a name (OpenID Connect Core §3.1.2.1).
    func loginHint() throws(OAuthError) -> String? {
        guard let hint = parameters["login_hint"] else { return nil }
        guard RequestText.isPlain(hint, upTo: Self.longestHint) else {
            throw OAuthError(.invalidRequest, "The login_hint is too long, or has control characters.")
        }
        return hint
    }

    /// Returns the thumbprint of the key that the code is to be bound to (RFC 9449 §10).
    func proofKey() throws(OAuthError) -> Digest256? {
        guard let text = parameters["dpop_jkt"] else { return nil }
        guard let key = KeyID(text) else {
            throw OAuthError(.invalidRequest, "The dpop_jkt is not the thumbprint of a key.")
        }
        return key.digest
    }

    /// Returns the preferred languages.
    ///
    /// Unknown ones are not an error (OpenID Connect Core §3.1.2.1).
    func uiLocales() -> String? {
        let tags = parameters["ui_locales"]?.split(separator: " ").filter(Self.isLanguageTag) ?? []
        return tags.isEmpty ? nil : tags.prefix(Self.mostLanguages).joined(separator: " ")
    }

    /// Whether a text has only the characters of a language tag (RFC 5646 §2.1), and at most 35 of them.
    private static func isLanguageTag(_ text: Substring) -> Bool {
        (1...Self.longestTag).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    // MARK: The claims parameter

    /// Returns the requested claims about the person: those for the id token, and all of them (OpenID Connect Core
    /// §5.5).
    ///
    /// Essential claims are treated like voluntary ones, because a missing claim is not an error of the request
    /// (§5.5.1).
    func personClaims() throws(OAuthError) -> (inToken: Set<IdentityClaim>, anywhere: Set<IdentityClaim>) {
        guard let claims = try claims() else { return ([], []) }
        func asked(_ place: String) -> Set<IdentityClaim> {
            guard case .object(let members)? = claims[place] else { return [] }
            let asked = members.filter { member in
                switch member.value {
                case .null, .object: true
                case .bool, .number, .string, .array: false
                }
            }
            return Set(asked.keys.compactMap { IdentityClaim(requested: $0) })
        }
        let inToken = asked("id_token").filter { client.access.scopes.contains($0.scope) }
        return (inToken, inToken.union(asked("userinfo").filter { client.access.scopes.contains($0.scope) }))
    }

    private struct ACRClaim {
        let values: [String]
        let isEssential: Bool
    }

    /// Returns the member `id_token.acr` of the parameter `claims`.
    private func acrClaim() throws(OAuthError) -> ACRClaim? {
        guard let acr = try idTokenClaim("acr") else { return nil }
        var values: [String] = []
        if case .string(let value)? = acr["value"] { values.append(value) }
        if case .array(let several)? = acr["values"] {
            for case .string(let value) in several.prefix(Self.mostPreferences) { values.append(value) }
        }
        return ACRClaim(values: values, isEssential: acr["essential"] == .bool(true))
    }

    /// Returns the only account that the answer may be about, from the requested value of `id_token.sub` (OpenID
    /// Connect Core §3.1.2.2, §5.5.1).
    func subject() throws(OAuthError) -> AccountID? {
        guard let claim = try idTokenClaim("sub") else { return nil }
        let wanted: JSONValue
        switch (claim["value"], claim["values"]) {
        case (nil, nil): return nil
        case (let value?, nil): wanted = value
        case (nil, .array(let several)?) where several.count == 1: wanted = several[0]
        case (_, _?): throw OAuthError(.invalidRequest, "The claim sub can be asked for with one value.")
        }
        guard case .string(let text) = wanted else {
            throw OAuthError(.invalidRequest, "The value of the claim sub has to be a text.")
        }
        // The comparison is case-sensitive (Core §2): only the spelling that this server uses matches.
        guard let account = AccountID(parsing: text), account.description == text else {
            throw OAuthError(.loginRequired, "Nobody here has the requested sub.")
        }
        return account
    }

    /// Returns the details of the request for a claim in the id token; `nil` if the request has none.
    private func idTokenClaim(_ name: String) throws(OAuthError) -> [String: JSONValue]? {
        guard case .object(let tokenClaims)? = try claims()?["id_token"], case .object(let claim)? = tokenClaims[name]
        else { return nil }
        return claim
    }

    private func claims() throws(OAuthError) -> [String: JSONValue]? {
        guard let text = parameters["claims"] else { return nil }
        guard text.utf8.count <= Self.longestClaims,
            case .object(let claims)? = try? JSONReader.read(Array(text.utf8), maximumDepth: 8)
        else { throw OAuthError(.invalidRequest, "The parameter claims is not a JSON object.") }
        return claims
    }

    private static let mostResources = 8
    private static let mostPreferences = 16
    private static let mostLanguages = 5
    private static let longestTag = 35
    private static let longestNonce = 1024
    private static let longestHint = 1024
    private static let longestClaims = 8192
    private static let longestAge = 100 * 366 * 86_400
}
