package import Kernel

/// A valid authorization request of its client, completely parsed.
package struct AuthorizationRequest: Sendable, Equatable {
    package let clientID: String
    package let redirectURI: String
    /// Whether the request named the redirect URI, so that the token request must repeat it (RFC 6749 §4.1.3).
    package let namesRedirectURI: Bool
    package let responseMode: ResponseMode
    package let state: String?
    package let scopes: ScopeSet
    package let resources: [String]
    /// The decoded S256 challenge (RFC 7636 §4.2).
    package let codeChallenge: Digest256?
    package let nonce: String?
    package let prompts: Set<Prompt>
    /// The most seconds since the sign-in.
    package let maxAge: Int?
    /// The first of `acr_values` that this server knows; voluntary, but met where possible.
    package let contextClass: ContextClassReference?
    /// Whether a `claims` parameter requested ``contextClass`` as essential.
    package let isContextClassEssential: Bool
    package let loginHint: String?
    /// The only account that the answer may be about, by a verified `id_token_hint` or by a requested value of `sub`.
    package let hintedAccount: AccountID?
    /// `dpop_jkt` (RFC 9449 §10).
    package let proofKey: Digest256?
    /// The preferred languages of the pages (`ui_locales`), the best first, separated by spaces.
    package let uiLocales: String?
    /// The claims about the person that the request asks for in the id token.
    package let identityClaims: Set<IdentityClaim>

    package init(
        clientID: String,
        redirectURI: String,
        namesRedirectURI: Bool,
        responseMode: ResponseMode,
        state: String?,
        scopes: ScopeSet,
        resources: [String],
        codeChallenge: Digest256?,
        nonce: String?,
        prompts: Set<Prompt>,
        maxAge: Int?,
        contextClass: ContextClassReference?,
        isContextClassEssential: Bool,
        loginHint: String?,
        hintedAccount: AccountID?,
        proofKey: Digest256?,
        uiLocales: String? = nil,
        identityClaims: Set<IdentityClaim> = []
    ) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.namesRedirectURI = namesRedirectURI
        self.responseMode = responseMode
        self.state = state
        self.scopes = scopes
        self.resources = resources
        self.codeChallenge = codeChallenge
        self.nonce = nonce
        self.prompts = prompts
        self.maxAge = maxAge
        self.contextClass = contextClass
        self.isContextClassEssential = isContextClassEssential
        self.loginHint = loginHint
        self.hintedAccount = hintedAccount
        self.proofKey = proofKey
        self.uiLocales = uiLocales
        self.identityClaims = identityClaims
    }

    /// The way in which the answer reaches the client (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode).
    package enum ResponseMode: String, Sendable, CaseIterable {
        case query
        case formPost = "form_post"
    }

    /// OpenID Connect Core §3.1.2.1.
    package enum Prompt: String, Sendable, CaseIterable {
        case none, login, consent
        case selectAccount = "select_account"
    }
}
