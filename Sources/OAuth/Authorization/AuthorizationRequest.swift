package import Kernel

/// A valid, completely parsed authorization request.
package struct AuthorizationRequest: Sendable, Equatable {
    package let clientID: String
    package let target: Target
    package let scopes: ScopeSet
    package let resources: [String]
    package let binding: Binding
    package let nonce: String?
    package let demands: SignInDemands
    /// The claims about the person that the request asks for in the id token.
    package let identityClaims: Set<IdentityClaim>

    /// The redirect URI of the answer and the way in which the answer is sent.
    package struct Target: Sendable, Equatable {
        package let redirectURI: String
        /// Whether the request contained `redirect_uri`.
        ///
        /// If so, the token request must repeat it (RFC 6749 §4.1.3).
        package let namesRedirectURI: Bool
        package let responseMode: ResponseMode
        package let state: String?
    }

    /// The values that the code and its tokens are bound to.
    package struct Binding: Sendable, Equatable {
        /// The decoded S256 challenge (RFC 7636 §4.2).
        package let codeChallenge: Digest256?
        /// `dpop_jkt`: the thumbprint of a DPoP key (RFC 9449 §10).
        package let proofKey: Digest256?
    }

    /// The client's requirements for the person's sign-in and for the pages.
    package struct SignInDemands: Sendable, Equatable {
        package let prompts: Set<Prompt>
        /// `max_age`: the most seconds since the person's sign-in.
        package let maxAge: Int?
        /// The first of `acr_values` that this server knows.
        ///
        /// It is voluntary, but met where possible.
        package let contextClass: ContextClassReference?
        /// Whether a `claims` parameter requested ``contextClass`` as essential.
        package let isContextClassEssential: Bool
        package let loginHint: String?
        /// The only account that the answer may be about, from a verified `id_token_hint` or a requested value of
        /// `sub`.
        package let hintedAccount: AccountID?
        /// `ui_locales`: the preferred languages of the pages, the most preferred first, separated by spaces.
        package let uiLocales: String?
    }

    /// Creates a request from its parameters.
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
        target = Target(
            redirectURI: redirectURI,
            namesRedirectURI: namesRedirectURI,
            responseMode: responseMode,
            state: state
        )
        self.scopes = scopes
        self.resources = resources
        binding = Binding(codeChallenge: codeChallenge, proofKey: proofKey)
        self.nonce = nonce
        demands = SignInDemands(
            prompts: prompts,
            maxAge: maxAge,
            contextClass: contextClass,
            isContextClassEssential: isContextClassEssential,
            loginHint: loginHint,
            hintedAccount: hintedAccount,
            uiLocales: uiLocales
        )
        self.identityClaims = identityClaims
    }

    /// The way in which the answer reaches the client (OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode).
    package enum ResponseMode: String, Sendable, CaseIterable {
        case query
        case formPost = "form_post"
    }

    /// The pages that the request asks for (OpenID Connect Core §3.1.2.1, `prompt`).
    package enum Prompt: String, Sendable, CaseIterable {
        case none, login, consent
        case selectAccount = "select_account"
    }
}
