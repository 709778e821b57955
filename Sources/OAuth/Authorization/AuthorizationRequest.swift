package import Kernel

/// An authorization request that was found good for its client: nothing in it is a guess any more.
package struct AuthorizationRequest: Sendable, Equatable {
    package let clientID: String
    package let redirectURI: String
    /// Whether the request wrote it, so that the token request has to repeat it (RFC 6749 §4.1.3).
    package let namesRedirectURI: Bool
    package let responseMode: ResponseMode
    package let state: String?
    package let scopes: ScopeSet
    package let resources: [String]
    /// The decoded S256 challenge (RFC 7636 §4.2).
    package let codeChallenge: Digest256?
    package let nonce: String?
    package let prompts: Set<Prompt>
    /// Seconds since the sign-in, at the most.
    package let maxAge: Int?
    /// The first of `acr_values` that this server knows; voluntary, but met wherever it can be.
    package let contextClass: ContextClassReference?
    /// Whether ``contextClass`` was asked for as essential, by a `claims` parameter.
    package let isContextClassEssential: Bool
    package let loginHint: String?
    /// Whom alone the answer may be about: the account of `id_token_hint`, behind its signature, or of the claim `sub` that
    /// was asked for with a value.
    package let hintedAccount: AccountID?
    /// `dpop_jkt` (RFC 9449 §10).
    package let proofKey: Digest256?
    /// `ui_locales`: the languages that the pages are wanted in, the best first, with a space between two.
    package let uiLocales: String?
    /// What it asks the id token to say of the person.
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

    /// How the answer travels (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode).
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
