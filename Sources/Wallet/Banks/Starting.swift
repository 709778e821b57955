import CodeFlow
import Kernel

extension BankService {
    /// Begins an enrolment.
    ///
    /// The state and the verifier are of 256 random bits; the store has a digest of the one, and the other sealed
    /// (RFC 9700 §2.1.1 and §4.7.1).
    /// - Throws: ``EnrolmentRefusal``; ``StoreError``.
    package func start(_ order: BankEnrolmentRequest) async throws -> StartedEnrolment {
        let (state, verifier) = (environment.newSecret(), environment.newSecret())
        let attempt = try attempt(order, state: Digest256(sha256: state.expose()), verifier: verifier)
        try await unitOfWork.run { [attempts, isActive] transaction in
            guard try isActive(order.session, order.account, transaction) else {
                throw EnrolmentRefusal.sessionOver
            }
            try attempts.insert(attempt, keepingPerAccount: Self.attemptsPerAccount, in: transaction)
        }
        let parameters = order.bank.authorizationParameters(
            redirectURI: order.redirectURI,
            state: state.expose(),
            verifier: verifier
        )
        return StartedEnrolment(
            authURL: QueryText.add(parameters, to: order.bank.authorizeURL),
            expiresIn: Self.attemptLifetime,
            state: state
        )
    }

    private func attempt(
        _ order: BankEnrolmentRequest,
        state: Digest256,
        verifier: Secret
    ) throws -> EnrolmentAttempt {
        let now = environment.now()
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
}
