import CodeFlow
import Kernel

extension BankService {
    /// Begins an enrolment.
    ///
    /// The state and the verifier have 256 random bits. The database has only the state's digest and the encrypted
    /// verifier (RFC 9700 §2.1.1 and §4.7.1).
    /// - Throws: ``BankEnrolmentError``; ``StoreError``.
    package func start(_ request: BankEnrolmentRequest) async throws -> StartedEnrolment {
        let (state, verifier) = (environment.newSecret(), environment.newSecret())
        let attempt = try attempt(request, state: Digest256(sha256: state.expose()), verifier: verifier)
        try await records.unitOfWork.run { [records, isActive] transaction in
            guard try isActive(request.initiator.session, request.initiator.account, transaction) else {
                throw BankEnrolmentError.sessionOver
            }
            try records.attempts.insert(attempt, keepingPerAccount: Self.attemptsPerAccount, in: transaction)
        }
        let server = request.bank.server
        let parameters = server.authorizationParameters(
            redirectURI: request.redirectURI,
            state: state.expose(),
            verifier: verifier
        )
        return StartedEnrolment(
            authURL: QueryText.add(parameters, to: server.authorizeURL),
            expiresIn: Self.attemptLifetime,
            state: state
        )
    }

    private func attempt(
        _ request: BankEnrolmentRequest,
        state: Digest256,
        verifier: Secret
    ) throws -> EnrolmentAttempt {
        let now = environment.now()
        return EnrolmentAttempt(
            state: state,
            initiator: request.initiator,
            bankID: request.bank.id,
            redirect: EnrolmentAttempt.Redirect(
                redirectURI: request.redirectURI,
                browser: request.browser.map { Digest256(sha256: $0.expose()) },
                verifier: try encryptor.encrypt(verifier, as: .bankVerifier(of: state))
            ),
            destination: request.destination,
            // The cookie already shows that the browser at the callback is the one that began.
            needsConfirmation: request.needsConfirmation && request.browser == nil,
            validity: ValidityPeriod(createdAt: now, expiresAt: now + Self.attemptLifetime)
        )
    }
}
