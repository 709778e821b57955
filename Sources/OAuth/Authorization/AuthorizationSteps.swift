import Kernel

/// Decides what is to be done next about an authorization request: pure, and asked again after every step.
///
/// (OpenID Connect Core §3.1.2.1, §3.1.2.3, §3.1.2.4.)
struct AuthorizationSteps: Sendable {
    let request: AuthorizationRequest
    let client: OAuthClient
    /// What was proved in the interaction.
    let fresh: Interaction.Proven?
    /// What the browser's session says, from before.
    let session: Interaction.Proven?
    /// Who has agreed in the interaction.
    let consentedBy: AccountID?
    /// Whether somebody's earlier consent covers all that is asked for.
    let hasConsented: Bool
    let answers: AuthorizationAnswers
    let now: Instant

    func next() -> AuthorizationStep {
        if let fresh, let hinted = request.hintedAccount, fresh.account != hinted {
            // OpenID Connect Core §3.1.2.2: never somebody else's answer in the place of the one whom the client expects.
            return refuse(.loginRequired, "Somebody else signed in than the one whom the request names.")
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

    // MARK: Who it is

    /// The proof that is good enough: of this interaction first.
    private var accepted: Interaction.Proven? {
        if let fresh, meetsContext(fresh) { return fresh }
        if let session, isUsable(session), meetsContext(session) { return session }
        return nil
    }

    /// Whether a sign-in from before counts for this request.
    private func isUsable(_ session: Interaction.Proven) -> Bool {
        // A session of the person who signed in just now, or of nobody else's interaction.
        if let fresh, fresh.account != session.account { return false }
        if let hinted = request.hintedAccount, hinted != session.account { return false }
        guard request.prompts.isDisjoint(with: [.login, .selectAccount]) else { return false }
        guard let maxAge = request.maxAge else { return true }
        // `max_age=0` is `prompt=login` in other words.
        return maxAge > 0 && now - session.authentication.at <= .seconds(maxAge)
    }

    /// Whether that sign-in, of now or from before, is what client and request want.
    private func meetsContext(_ proven: Interaction.Proven) -> Bool {
        guard client.requires.isMet(by: proven.authentication) else { return false }
        guard let wanted = request.contextClass else { return true }
        if ContextClassReference(proven.authentication)?.satisfies(wanted) == true { return true }
        // Where nobody can be asked, a wish is no more than that (Core §3.1.2.1, `acr_values`).
        return isSilent && !request.isContextClassEssential
    }

    private func signIn() -> AuthorizationStep {
        guard !isSilent else {
            return refuse(.loginRequired, "Nobody is signed in who could answer without being asked.")
        }
        return .signIn(ways, hint: request.loginHint)
    }

    /// The ways that lead to what is wanted, without those that were gone already; any, where none in particular is.
    private var ways: Set<SignInWay> {
        let shown = fresh.flatMap { ContextClassReference($0.authentication) }?.ways ?? []
        let wanted = [client.requires.contextClass, request.contextClass].compactMap { $0?.ways }
        let needed = wanted.reduce(into: Set<SignInWay>()) { $0.formUnion($1) }
        return needed.isEmpty ? [.face, .passkey] : needed.subtracting(shown)
    }

    // MARK: Whether they agree

    private func isAgreed(by account: AccountID) -> Bool {
        if consentedBy == account { return true }
        guard !request.prompts.contains(.consent) else { return false }
        // Somebody else may be behind the name of such a client, and would be handed codes without anybody noticing
        // (RFC 6749 §10.2, RFC 8252 §8.6): the person has to have done something for this very request.
        guard isIdentityAssured || fresh != nil else { return false }
        return client.origin.isFirstParty || (hasConsented && isIdentityAssured)
    }

    /// Whether the answer can reach this client and no other: it can keep a secret, or its address is an `https` one.
    private var isIdentityAssured: Bool { client.isConfidential || request.redirectURI.hasPrefix("https://") }

    private func consent() -> AuthorizationStep {
        guard isSilent else { return .consent(request.scopes) }
        return client.origin.isFirstParty
            ? refuse(.interactionRequired, "The person has to see that this client asks.")
            : refuse(.consentRequired, "The person has to agree to what this client asks for.")
    }

    private var isSilent: Bool { request.prompts.contains(.none) }

    private func refuse(_ code: OAuthErrorCode, _ description: String) -> AuthorizationStep {
        .answer(answers.error(OAuthError(code, description), to: request))
    }
}
