// OAuth: the authorization server, as values, checks and ports.
// Owns clients, requests and codes, grants, CIBA, the device flow, the broker, logout and discovery.
// Knows no HTTP, opens no session and signs no token: HTTPAPI and SignIn do.
// Survives hostile clients: redirect URIs match exactly except for loopback ports, and codes work once.
// Each rule names its RFC and section.

package import Kernel

/// The use cases of the authorization endpoint: a request waits for a person, the person acts, and the client gets a
/// code.
///
/// Callers first find an interaction by its id and the browser's cookie (``interaction(_:browser:)``). The id alone
/// grants nothing.
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

    /// Stores a request as an interaction, which waits for a person.
    ///
    /// `browser` is the value of the cookie that binds the interaction to that browser.
    /// - Returns: The id of the interaction.
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

    /// Returns the interaction with that id, if it is open and belongs to that browser.
    package func interaction(_ id: String, browser: Digest256) async throws -> Interaction? {
        let found = try await unitOfWork.read { [interactions] in
            try interactions.find(Digest256(sha256: id), in: $0)
        }
        guard let found, found.browser.matches(browser), environment.now() < found.expiresAt
        else { return nil }
        return found
    }

    /// Returns the next step of an interaction.
    ///
    /// `session` is the proof of identity of the browser's session. `hasConsented` is the result of
    /// ``hasConsented(_:to:)``.
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

    /// Returns the first step of a request that has no interaction yet.
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

    /// Whether that person consented earlier to everything that the request asks for.
    package func hasConsented(_ account: AccountID, to request: AuthorizationRequest) async throws -> Bool {
        let now = environment.now()
        let given = try await unitOfWork.read { [consents] in
            try consents.find(account, client: request.clientID, in: $0).filter { now < $0.expiresAt }
        }
        guard !given.isEmpty else { return false }
        let scopes = given.reduce(into: Set<String>()) { $0.formUnion($1.scopes.values) }
        let resources = given.reduce(into: Set<String>()) { $0.formUnion($1.resources) }
        return request.scopes.isSubset(of: ScopeSet(scopes)) && resources.isSuperset(of: request.resources)
    }

    /// Deletes that person's consents to the client, in the caller's unit of work, so that the person is asked again.
    package func revokeConsent(
        of account: AccountID,
        to clientID: String,
        in transaction: borrowing Transaction
    ) throws {
        try consents.remove(account, client: clientID, in: transaction)
    }

    // MARK: Interactions

    /// Records a person's proof of identity, in the caller's unit of work.
    ///
    /// Earlier proofs of the same account in the interaction still count. A proof of another account replaces the
    /// earlier proof.
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

    /// Records the face login of the interaction; returns `false` if the interaction has ended.
    package func attach(operation: UUIDBits, to id: String) async throws -> Bool {
        try await change(id) { $0.operation = operation }
    }

    /// Records that person's consent; returns `false` if the interaction has ended.
    package func consent(_ id: String, by account: AccountID) async throws -> Bool {
        try await change(id) { $0.consentedBy = account }
    }

    /// Ends the interaction and returns the answer `access_denied`; `nil` if the interaction has ended already.
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

/// The error of an interaction that has ended or expired, or that never existed.
package struct InteractionEndedError: Error, Sendable, Equatable {
    package init() {}
}

/// The lifetimes and limits of authorization requests, interactions, codes and consents.
package struct AuthorizationPolicy: Sendable, Equatable {
    /// The lifetime of a code.
    ///
    /// RFC 6749 §4.1.2 allows ten minutes, but clients need less than one.
    package var codeLifetime: Duration
    package var interactionLifetime: Duration
    /// The lifetime of a pushed request (RFC 9126 §2.2).
    package var requestLifetime: Duration
    /// The time after which a person is asked for consent again.
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

    /// The most interactions, and the most pushed requests.
    ///
    /// The oldest are deleted first.
    package static let openInAll = 100_000
    /// The most pushed requests of one client, so that it cannot displace the requests of other clients.
    ///
    /// A client never has that many browsers on their way to this server at one time.
    package static let pushedOfClient = 2_000
    /// The time for which an expired code is kept in the database, so that a late replay is recognised.
    package static let codeMemory: Duration = .seconds(86_400)
}

extension Interaction.Proven {
    /// Returns the proof together with the earlier ones of the same account.
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
