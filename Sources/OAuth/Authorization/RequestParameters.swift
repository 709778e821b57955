import Kernel
import TokenReading

/// The parameters of an authorization request one by one, each with the clause that it is held to.
struct RequestParameters {
    private let parameters: AuthorizationParameters
    private let client: OAuthClient

    init(_ parameters: AuthorizationParameters, _ client: OAuthClient) {
        self.parameters = parameters
        self.client = client
    }

    /// OAuth 2.0 Multiple Response Types §2.1; `fragment` is none of a code's (RFC 9700 §4.3.1).
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

    /// RFC 6749 §3.3; without one, all that the client is for but who its people are and tokens for later.
    func scopes() throws(OAuthError) -> ScopeSet {
        guard let text = parameters["scope"] else {
            return ScopeSet(client.scopes.values.subtracting([ScopeSet.openID, ScopeSet.offlineAccess]))
        }
        guard let scopes = ScopeSet(parsing: text) else {
            throw OAuthError(.invalidScope, "The scope is no list of scopes.")
        }
        guard scopes.isSubset(of: client.scopes) else {
            throw OAuthError(.invalidScope, "The scope has more in it than this client may ask for.")
        }
        return scopes
    }

    /// RFC 8707 §2: absolute, without a fragment, and one that tokens of this client may be for.
    func resources() throws(OAuthError) -> [String] {
        let asked = parameters.resources
        let allowed = Set((client.resources + [client.audience]).map { Array($0.utf8) })
        guard asked.count <= Self.mostResources, asked.allSatisfy({ allowed.contains(Array($0.utf8)) }) else {
            throw OAuthError(.invalidTarget, "The resource is not one that tokens of this client may be for.")
        }
        return asked.enumerated().filter { asked.firstIndex(of: $0.element) == $0.offset }.map(\.element)
    }

    /// RFC 7636 §4.3, §4.4.1; OAuth 2.1 §7.5.1 lets a client that keeps a secret rely on its `nonce` instead.
    func codeChallenge(_ scopes: ScopeSet, _ nonce: String?) throws(OAuthError) -> Digest256? {
        let method = parameters["code_challenge_method"]
        guard let text = parameters["code_challenge"] else {
            guard method == nil else {
                throw OAuthError(.invalidRequest, "A code_challenge_method came without a code_challenge.")
            }
            let hasNonce = client.isConfidential && scopes.contains(ScopeSet.openID) && nonce != nil
            guard client.codeChallenge == .optional || hasNonce else {
                throw OAuthError(.invalidRequest, "The parameter code_challenge is missing: this client needs PKCE.")
            }
            return nil
        }
        // Without a method it would be plain, which shows the verifier to whoever sees the request (RFC 9700 §2.1.1). A client
        // in the field writes the method in a small letter.
        guard method == "S256" || method == "s256" else {
            throw OAuthError(.invalidRequest, "The code_challenge_method has to be S256.")
        }
        guard text.utf8.count == 43, let challenge = Base64URL.decode(text).flatMap({ Digest256($0) }) else {
            throw OAuthError(.invalidRequest, "The code_challenge is no base64url of a SHA-256.")
        }
        return challenge
    }

    /// OpenID Connect Core §3.1.2.1.
    func nonce() throws(OAuthError) -> String? {
        guard let nonce = parameters["nonce"] else { return nil }
        guard RequestText.isPlain(nonce, upTo: Self.longestNonce) else {
            throw OAuthError(.invalidRequest, "The nonce is too long, or has control characters.")
        }
        return nonce
    }

    /// OpenID Connect Core §3.1.2.1: `none` stands alone.
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
            throw OAuthError(.invalidRequest, "The prompt none goes with no other.")
        }
        return prompts
    }

    /// Seconds; those beyond a century are one.
    func maxAge() throws(OAuthError) -> Int? {
        guard let text = parameters["max_age"] else { return nil }
        guard (1...10).contains(text.utf8.count), let age = Int(text), age >= 0, text.first != "+" else {
            throw OAuthError(.invalidRequest, "The max_age is no number of seconds.")
        }
        return min(age, Self.longestAge)
    }

    /// What sign-in is wanted: by `acr_values` as a wish, by the `claims` parameter also as a condition
    /// (OpenID Connect Core §3.1.2.1, §5.5.1.1).
    func contextClass() throws(OAuthError) -> (wanted: ContextClassReference?, isEssential: Bool) {
        if let claim = try acrClaim() {
            let known = claim.values.compactMap(ContextClassReference.init).first
            guard known != nil || !claim.isEssential || claim.values.isEmpty else {
                throw OAuthError(.unmetAuthenticationRequirements, "No sign-in here is of the acr that is essential.")
            }
            if known != nil { return (known, claim.isEssential) }
        }
        let preferences = parameters["acr_values"]?.split(separator: " ").prefix(Self.mostPreferences) ?? []
        return (preferences.compactMap { ContextClassReference(rawValue: String($0)) }.first, false)
    }

    /// OpenID Connect Core §3.1.2.1; an e-mail address or a name.
    func loginHint() throws(OAuthError) -> String? {
        guard let hint = parameters["login_hint"] else { return nil }
        guard RequestText.isPlain(hint, upTo: Self.longestHint) else {
            throw OAuthError(.invalidRequest, "The login_hint is too long, or has control characters.")
        }
        return hint
    }

    /// RFC 9449 §10.
    func proofKey() throws(OAuthError) -> Digest256? {
        guard let text = parameters["dpop_jkt"] else { return nil }
        guard let key = KeyID(text) else {
            throw OAuthError(.invalidRequest, "The dpop_jkt is no thumbprint of a key.")
        }
        return key.digest
    }

    /// OpenID Connect Core §3.1.2.1: languages that there are not are no fault of the request.
    func uiLocales() -> String? {
        let tags = parameters["ui_locales"]?.split(separator: " ").filter(Self.isLanguageTag) ?? []
        return tags.isEmpty ? nil : tags.prefix(Self.mostLanguages).joined(separator: " ")
    }

    /// The letters of RFC 5646 §2.1, and no more than a tag that is registered has.
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

    /// What the parameter asks about the person: in the id token, and anywhere (OpenID Connect Core §5.5).
    ///
    /// Essential or voluntary, it is given as far as there is any; what there is not is no fault of the request (§5.5.1).
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
        let inToken = asked("id_token").filter { client.scopes.contains($0.scope) }
        return (inToken, inToken.union(asked("userinfo").filter { client.scopes.contains($0.scope) }))
    }

    private struct ACRClaim {
        let values: [String]
        let isEssential: Bool
    }

    /// `id_token.acr` of the parameter.
    private func acrClaim() throws(OAuthError) -> ACRClaim? {
        guard let acr = try idTokenClaim("acr") else { return nil }
        var values: [String] = []
        if case .string(let value)? = acr["value"] { values.append(value) }
        if case .array(let several)? = acr["values"] {
            for case .string(let value) in several.prefix(Self.mostPreferences) { values.append(value) }
        }
        return ACRClaim(values: values, isEssential: acr["essential"] == .bool(true))
    }

    /// Whom alone the answer may be about, by `id_token.sub` with a value: nobody else's is given in that one's place
    /// (OpenID Connect Core §3.1.2.2, §5.5.1).
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
        // Compared with regard to case (Core §2), so that only what is written here is somebody's.
        guard let account = AccountID(parsing: text), account.description == text else {
            throw OAuthError(.loginRequired, "Nobody here has the sub that is asked for.")
        }
        return account
    }

    /// What is asked of a claim of the id token; `nil` where that is nothing in particular.
    private func idTokenClaim(_ name: String) throws(OAuthError) -> [String: JSONValue]? {
        guard case .object(let tokenClaims)? = try claims()?["id_token"], case .object(let claim)? = tokenClaims[name]
        else { return nil }
        return claim
    }

    private func claims() throws(OAuthError) -> [String: JSONValue]? {
        guard let text = parameters["claims"] else { return nil }
        guard text.utf8.count <= Self.longestClaims,
            case .object(let claims)? = try? JSONReader.read(Array(text.utf8), maximumDepth: 8)
        else { throw OAuthError(.invalidRequest, "The parameter claims is no JSON object.") }
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
