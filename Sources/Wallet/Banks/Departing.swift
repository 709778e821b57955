import Kernel

extension BankService {
    /// Begins an enrolment.
    ///
    /// The state and the verifier are of 256 random bits; the store has a digest of the one, and the other sealed
    /// (RFC 9700 §2.1.1 and §4.7.1).
    /// - Throws: ``EnrolmentRefusal``; ``StoreFailure``.
    package func start(_ order: EnrolmentOrder) async throws -> StartedEnrolment {
        let (state, verifier) = (facts.newSecret(), facts.newSecret())
        let attempt = try attempt(order, state: Digest256(sha256: state.expose()), verifier: verifier)
        try await unitOfWork.run { [attempts, sessions] transaction in
            guard try sessions.stands(order.session, of: order.account, in: transaction) else {
                throw EnrolmentRefusal.sessionOver
            }
            try attempts.insert(attempt, keepingPerAccount: Self.attemptsPerAccount, in: transaction)
        }
        return StartedEnrolment(
            authURL: Self.authURL(order, state: state, verifier: verifier),
            expiresIn: Self.attemptLifetime,
            state: state
        )
    }

    private func attempt(
        _ order: EnrolmentOrder,
        state: Digest256,
        verifier: Secret
    ) throws -> EnrolmentAttempt {
        let now = facts.now()
        return EnrolmentAttempt(
            state: state,
            account: order.account,
            session: order.session,
            bankID: order.bank.id,
            browser: order.browser.map { Digest256(sha256: $0.expose()) },
            verifier: try encryptor.encrypt(verifier, as: .bankVerifier(of: state)),
            redirectURI: order.redirectURI,
            isMobile: order.isMobile,
            deepLink: order.deepLink,
            // A cookie already says that the browser at the bank is the one of whoever began.
            needsConfirmation: order.needsConfirmation && order.browser == nil,
            createdAt: now,
            expiresAt: now + Self.attemptLifetime
        )
    }

    /// RFC 6749 §4.1.1, RFC 7636 §4.3.
    private static func authURL(_ order: EnrolmentOrder, state: Secret, verifier: Secret) -> String {
        let challenge = Digest256(sha256: verifier.expose())
        var parameters = [
            ("response_type", "code"), ("client_id", order.bank.clientID), ("redirect_uri", order.redirectURI),
            ("state", state.expose()), ("code_challenge", Base64URL.encode(challenge.bytes)),
            ("code_challenge_method", "S256"),
        ]
        if !order.bank.scopes.isEmpty { parameters.append(("scope", order.bank.scopes.joined(separator: " "))) }
        return QueryText.add(parameters, to: order.bank.authorizeURL)
    }
}
