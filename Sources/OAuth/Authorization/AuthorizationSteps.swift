import Kernel

/// Decides the next step of an authorization request, again after every step, from its properties alone (OpenID Connect
/// Core §3.1.2.1, §3.1.2.3, §3.1.2.4).
struct AuthorizationSteps: Sendable {
    let request: AuthorizationRequest
    let client: OAuthClient
    /// The proof of identity given in this interaction.
    let fresh: Interaction.Proven?
    /// The proof of identity of the browser's existing session.
    let session: Interaction.Proven?
    /// The account that has consented in this interaction.
    let consentedBy: AccountID?
    /// Whether an earlier consent covers the whole request.
    let hasConsented: Bool
    let answers: AuthorizationAnswers
    let now: Instant

    func next() -> AuthorizationStep {
        if let fresh, let hinted = request.demands.hintedAccount, fresh.account != hinted {
            // OpenID Connect Core §3.1.2.2: the client never gets an answer about a person other than the one it
            // expects.
            return refuse(.loginRequired, "Another person signed in than the one that the request names.")
        }
        guard let proven = accepted else { return signIn() }
        guard isAgreed(by: proven.account) else { return consent() }
        return .grant(
            AuthorizedGrant(
                account: proven.account,
                clientID: client.id,
                scopes: request.scopes,
                resources: request.resources,
                authentication: proven.authentication,
                nonce: request.nonce,
                identityClaims: request.identityClaims
            )
        )
    }

    // MARK: Sign-in

    /// The sufficient proof of identity: of this interaction if possible, otherwise of the browser's session.
    private var accepted: Interaction.Proven? {
        if let fresh, meetsContext(fresh) { return fresh }
        if let session, isUsable(session), meetsContext(session) { return session }
        return nil
    }

    /// Whether the sign-in of the browser's session counts for this request.
    private func isUsable(_ session: Interaction.Proven) -> Bool {
        // The session must belong to the person who signed in during this interaction, if anybody did.
        if let fresh, fresh.account != session.account { return false }
        if let hinted = request.demands.hintedAccount, hinted != session.account { return false }
        guard request.demands.prompts.isDisjoint(with: [.login, .selectAccount]) else { return false }
        guard let maxAge = request.demands.maxAge else { return true }
        // `max_age=0` means the same as `prompt=login`.
        return maxAge > 0 && now - session.authentication.at <= .seconds(maxAge)
    }

    /// Whether a sign-in meets the requirements of the client and of the request.
    private func meetsContext(_ proven: Interaction.Proven) -> Bool {
        guard client.authorization.isMet(by: proven.authentication) else { return false }
        guard let wanted = request.demands.contextClass else { return true }
        if ContextClassReference(proven.authentication)?.satisfies(wanted) == true { return true }
        // With `prompt=none`, a class that is only voluntary causes no error (Core §3.1.2.1, `acr_values`).
        return isSilent && !request.demands.isContextClassEssential
    }

    private func signIn() -> AuthorizationStep {
        guard !isSilent else {
            return refuse(.loginRequired, "Nobody is signed in, and prompt none allows no page to sign in.")
        }
        return .signIn(ways, hint: request.demands.loginHint)
    }

    /// The ways to sign in that are still needed.
    ///
    /// If no context class is missing, these are the ways that are good enough for the client.
    private var ways: Set<SignInWay> {
        let shown = fresh.flatMap { ContextClassReference($0.authentication) }?.ways ?? []
        let wanted = [client.authorization.requires.contextClass, request.demands.contextClass].compactMap { $0?.ways }
        let missing = wanted.reduce(into: Set<SignInWay>()) { $0.formUnion($1) }.subtracting(shown)
        return missing.isEmpty ? client.authorization.acceptedWays : missing
    }

    // MARK: Consent

    private func isAgreed(by account: AccountID) -> Bool {
        if consentedBy == account { return true }
        guard !request.demands.prompts.contains(.consent) else { return false }
        // An attacker may impersonate a client of this kind and get codes unnoticed (RFC 6749 §10.2, RFC 8252 §8.6). So
        // the person must have acted in this interaction.
        guard isIdentityAssured || fresh != nil else { return false }
        return client.origin.isFirstParty || (hasConsented && isIdentityAssured)
    }

    /// Whether the answer reaches this client alone: the client can keep a secret, or its redirect URI is an `https`
    /// address.
    private var isIdentityAssured: Bool { client.isConfidential || request.target.redirectURI.hasPrefix("https://") }

    private func consent() -> AuthorizationStep {
        guard isSilent else { return .consent(request.scopes) }
        return client.origin.isFirstParty
            ? refuse(.interactionRequired, "The person has to see this request on a page: send it without prompt none.")
            : refuse(.consentRequired, "The person has to agree to what this client asks for.")
    }

    private var isSilent: Bool { request.demands.prompts.contains(.none) }

    private func refuse(_ code: OAuthErrorCode, _ description: String) -> AuthorizationStep {
        .answer(answers.error(OAuthError(code, description), to: request))
    }
}
