// OAuth: the authorization server, as values, checks and ports.
// Owns clients, requests and codes, grants, CIBA, the device flow, the broker, logout and discovery.
// Knows no HTTP, opens no session and signs no token: HTTPAPI and SignIn do.
// Survives hostile clients: addresses are compared exactly but for loopback ports, codes are good once.
// Each rule names its RFC and section.

package import Kernel

/// The use cases of the authorization endpoint: a request that waits for a person, what the person does about it, and the
/// code that comes of it.
///
/// Whoever calls the methods for an interaction has looked it up with the browser's cookie first
/// (``interaction(_:browser:)``): its id alone gives no right to anything.
package struct AuthorizationService: Sendable {
    let environment: Environment
    let unitOfWork: any UnitOfWork
    let interactions: any InteractionStore
    let codes: any AuthorizationCodeStore
    let consents: any ConsentStore
    package let answers: AuthorizationAnswers
    package let policy: AuthorizationPolicy

    package init(
        environment: Environment,
        unitOfWork: any UnitOfWork,
        interactions: any InteractionStore,
        codes: any AuthorizationCodeStore,
        consents: any ConsentStore,
        answers: AuthorizationAnswers,
        policy: AuthorizationPolicy
    ) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.interactions = interactions
        self.codes = codes
        self.consents = consents
        self.answers = answers
        self.policy = policy
    }

    /// Keeps a request until a person has answered it; returns the id of the interaction.
    ///
    /// `browser`: the value of the cookie by which that browser alone goes on.
    package func begin(_ request: AuthorizationRequest, browser: Secret) async throws -> Secret {
        let (id, now) = (environment.newSecret(), environment.now())
        let interaction = Interaction(
            id: Digest256(sha256: id.expose()),
            browser: Digest256(sha256: browser.expose()),
            request: request,
            proven: nil,
            operation: nil,
            consentedBy: nil,
            createdAt: now,
            expiresAt: now + policy.interactionLifetime
        )
        try await unitOfWork.run { [interactions] transaction in
            try interactions.insert(interaction, keepingInAll: AuthorizationPolicy.openInAll, in: transaction)
        }
        return id
    }

    /// The interaction of that id, if it is open and that browser's.
    package func interaction(_ id: String, browser: Digest256) async throws -> Interaction? {
        guard let found = try await interactions.find(Digest256(sha256: id)), found.browser.matches(browser),
            environment.now() < found.expiresAt
        else { return nil }
        return found
    }

    /// What is to be done next.
    ///
    /// `session`: what the browser's session proves; `hasConsented`: see ``hasConsented(_:to:)``.
    package func step(
        _ interaction: Interaction,
        session: Interaction.Proven?,
        client: OAuthClient,
        hasConsented: Bool
    ) -> AuthorizationStep {
        AuthorizationSteps(
            request: interaction.request,
            client: client,
            fresh: interaction.proven,
            session: session,
            consentedBy: interaction.consentedBy,
            hasConsented: hasConsented,
            answers: answers,
            now: environment.now()
        ).next()
    }

    /// What is to be done first about a request that has no interaction yet.
    package func step(
        _ request: AuthorizationRequest,
        session: Interaction.Proven?,
        client: OAuthClient,
        hasConsented: Bool
    ) -> AuthorizationStep {
        AuthorizationSteps(
            request: request,
            client: client,
            fresh: nil,
            session: session,
            consentedBy: nil,
            hasConsented: hasConsented,
            answers: answers,
            now: environment.now()
        ).next()
    }

    /// Whether that person agreed earlier to all that the request asks for.
    package func hasConsented(_ account: AccountID, to request: AuthorizationRequest) async throws -> Bool {
        let now = environment.now()
        let given = try await consents.find(account, client: request.clientID).filter { now < $0.expiresAt }
        guard !given.isEmpty else { return false }
        let scopes = given.reduce(into: Set<String>()) { $0.formUnion($1.scopes.values) }
        let resources = given.reduce(into: Set<String>()) { $0.formUnion($1.resources) }
        return request.scopes.isSubset(of: ScopeSet(scopes)) && resources.isSuperset(of: request.resources)
    }

    /// Forgets what that person agreed that the client gets, in the caller's unit of work: the next time they are asked.
    package func revokeConsent(
        of account: AccountID,
        to clientID: String,
        in transaction: borrowing Transaction
    ) throws {
        try consents.remove(account, client: clientID, in: transaction)
    }

    // MARK: What happens in an interaction

    /// Notes that somebody has proved who they are, in the caller's unit of work.
    ///
    /// What the same account has shown in the interaction before still counts; another account takes its place, and whatever
    /// was agreed to counts no longer.
    /// - Returns: The session of the earlier proof that counts together with this one; `nil` if there is none.
    /// - Throws: ``InteractionEndedError``.
    @discardableResult
    package func prove(
        _ id: String,
        _ proven: Interaction.Proven,
        in transaction: borrowing Transaction
    ) throws -> SessionID? {
        let held = try open(id, in: transaction)
        var proved = held
        proved.proven = proven.merged(with: held.proven)
        try write(proved, in: transaction)
        guard let earlier = held.proven, earlier.account == proven.account else { return nil }
        return earlier.authentication.session
    }

    /// Notes which face login runs for the interaction; `false` if the interaction is over.
    package func attach(operation: UUIDBits, to id: String) async throws -> Bool {
        try await change(id) { $0.operation = operation }
    }

    /// Notes that this person agrees; `false` if the interaction is over.
    package func consent(_ id: String, by account: AccountID) async throws -> Bool {
        try await change(id) { $0.consentedBy = account }
    }

    /// Ends the interaction with `access_denied`; `nil` if it is over.
    package func cancel(_ id: String) async throws -> AuthorizationAnswer? {
        let denied = OAuthError(.accessDenied, "The person said no.")
        return try await unitOfWork.run { [self] transaction in
            guard let held = try? open(id, in: transaction), try interactions.remove(held.id, in: transaction) else {
                return nil
            }
            return answers.error(denied, to: held.request)
        }
    }

    private func change(_ id: String, _ change: @escaping @Sendable (inout Interaction) -> Void) async throws -> Bool {
        try await unitOfWork.run { [self] transaction in
            do {
                var held = try open(id, in: transaction)
                change(&held)
                try write(held, in: transaction)
                return true
            } catch is InteractionEndedError { return false }
        }
    }

    private func open(_ id: String, in transaction: borrowing Transaction) throws -> Interaction {
        guard let held = try interactions.find(Digest256(sha256: id), in: transaction),
            environment.now() < held.expiresAt
        else { throw InteractionEndedError() }
        return held
    }

    private func write(_ interaction: Interaction, in transaction: borrowing Transaction) throws {
        guard try interactions.update(interaction, in: transaction) else { throw InteractionEndedError() }
    }
}

/// An interaction has ended, expired, or never was.
package struct InteractionEndedError: Error, Sendable, Equatable {
    package init() {}
}

/// How long what belongs to authorization requests lasts, and how much of it there may be.
package struct AuthorizationPolicy: Sendable, Equatable {
    /// At most ten minutes (RFC 6749 §4.1.2); a minute does.
    package var codeLifetime: Duration
    package var interactionLifetime: Duration
    /// Of a pushed request (RFC 9126 §2.2).
    package var requestLifetime: Duration
    /// After which people are asked again.
    package let consentLifetime: Duration

    package init(
        codeLifetime: Duration = .seconds(60),
        interactionLifetime: Duration = .seconds(600),
        requestLifetime: Duration = .seconds(90),
        consentLifetime: Duration = .seconds(180 * 86_400)
    ) {
        self.codeLifetime = codeLifetime
        self.interactionLifetime = interactionLifetime
        self.requestLifetime = requestLifetime
        self.consentLifetime = consentLifetime
    }

    /// Interactions, and pushed requests, of which the oldest go first.
    package static let openInAll = 100_000
    /// Pushed requests of one client, which would else push everybody's out: more than the browsers that are on their way at
    /// one time.
    package static let pushedOfClient = 2_000
    /// For how long a code is remembered after its time, so that a late replay is known for one.
    package static let codeMemory: Duration = .seconds(86_400)
}

extension Interaction.Proven {
    /// Together with what the same account has shown before.
    func merged(with held: Interaction.Proven?) -> Interaction.Proven {
        guard let held, held.account == account else { return self }
        let earlier = held.authentication.methods.filter { !authentication.methods.contains($0) }
        return Interaction.Proven(
            account: account,
            authentication: AuthenticationContext(
                methods: earlier + authentication.methods,
                at: authentication.at,
                passkey: authentication.passkey ?? held.authentication.passkey,
                session: authentication.session ?? held.authentication.session
            )
        )
    }
}
