import Foundation
import Wire

/// One sign-in, from the e-mail address to the stored tokens.
struct LoginRun: Sendable {
    let exchange: LoginExchange
    let options: FaceLogin.Options
    let prover: DeviceProver
    let store: any TokenStore
    let environment: ClientEnvironment
    let report: @Sendable (FaceLogin.Progress) -> Void

    func signIn(email: String, open: FaceLogin.OpenPage) async throws(FaceLoginError) -> SignedIn {
        let login = try await begin(email: email)
        do throws(FaceLoginError) {
            try await show(login, open: open)
            var follower = LoginFollower(
                login,
                exchange: exchange,
                options: options,
                environment: environment,
                report: report
            )
            let grant = try await follower.follow()
            return try await keep(grant, of: login, email: email)
        } catch {
            if error.leavesOperationOpen { await callOff(login) }
            throw error
        }
    }

    // MARK: Begin

    /// The time in which a start is repeated.
    ///
    /// A repeated start is a new login, and the first one expires by itself.
    private static let initiateWindow = Duration.seconds(20)
    private static let initiateAttempts = 4

    private func begin(email: String) async throws(FaceLoginError) -> BegunLogin {
        let end = environment.uptime() + Self.initiateWindow
        var attempt = 0
        while true {
            attempt += 1
            let verifier = options.sendsVerifier ? CodeVerifier(bytes: environment.randomBytes(32)) : nil
            let request = try await request(email: email, verifier: verifier)
            let sentAt = environment.uptime()
            let reply = try await exchange.initiate(request, timeout: min(options.requestTimeout, end - sentAt))
            let failure: FaceLoginError
            var pause: Duration?
            switch reply {
            case .answered(let body):
                if let login = BegunLogin(body, sentAt: sentAt, verifier: verifier) { return login }
                failure = .networkError(.unreadableAnswer)
            case .refused(let refusal): throw .serverRefused(refusal)
            case .busy(let refusal, let retryAfter):
                failure = .serverRefused(refusal)
                pause = retryAfter
            case .faulted(let fault, let retryAfter):
                failure = .networkError(fault)
                guard fault.mayPass else { throw failure }
                pause = retryAfter
            }
            let backoff = Duration.milliseconds(500) * (1 << attempt) * (0.5 + environment.unitInterval() / 2)
            let delay = pause.map { max($0, backoff) } ?? backoff
            guard attempt < Self.initiateAttempts, environment.uptime() + delay < end else { throw failure }
            try await environment.pause(delay)
        }
    }

    private func request(email: String, verifier: CodeVerifier?) async throws(FaceLoginError) -> InitiateLoginRequest {
        let signature = try await prover.signature(over: verifier?.challenge)
        return InitiateLoginRequest(
            email: email,
            clientId: options.clientID,
            codeChallenge: verifier?.challenge,
            codeChallengeMethod: verifier == nil ? nil : "S256",
            mode: options.mode == .sameDevice ? nil : options.mode.rawValue,
            deviceId: signature?.device,
            deviceSignature: signature?.bytes.base64EncodedString(),
            deviceCount: signature?.count,
            returnUrl: options.returnURL
        )
    }

    // MARK: Show the page

    private func show(_ login: BegunLogin, open: FaceLogin.OpenPage) async throws(FaceLoginError) {
        guard let page = login.page, ServerAddress.mayBeUsed(page) else { throw .invalidURL(.page) }
        report(.started(FaceLogin.Started(page: page, number: login.number, lifetime: login.lifetime)))
        let opened = await open(page)
        if Task.isCancelled { throw .cancelled }
        guard opened else { throw .cannotOpenPage }
    }

    // MARK: Keep

    /// Stores the tokens and then acknowledges them.
    ///
    /// After the acknowledgement, the server never sends them again.
    private func keep(
        _ grant: PollReading.Grant,
        of login: BegunLogin,
        email: String
    ) async throws(FaceLoginError) -> SignedIn {
        let tokens = StoredTokens(
            accessToken: grant.accessToken,
            refreshToken: grant.refreshToken,
            tokenType: grant.tokenType,
            expiresAt: environment.now().addingTimeInterval(Double(grant.expiresIn))
        )
        try await store.change {
            $0.tokens = tokens
            $0.email = email
        }
        let result = SignedIn(tokens: tokens, user: grant.user)
        report(.completed(result))
        await acknowledge(login)
        return result
    }

    private static let acknowledgements = 3
    /// The timeout of an acknowledgement or a cancellation.
    ///
    /// It is short, because the person waits and the result is already known.
    private static let courtesyTimeout = Duration.seconds(3)

    /// Tells the server that the tokens arrived.
    ///
    /// A failure is ignored: the server ends the login by itself a little later.
    private func acknowledge(_ login: BegunLogin) async {
        await Self.shielded { [self] in
            for attempt in 1...Self.acknowledgements {
                switch try? await exchange.acknowledge(login, timeout: Self.courtesyTimeout) {
                case .answered, .refused, nil: return
                case .busy, .faulted:
                    guard attempt < Self.acknowledgements else { return }
                    try? await environment.sleep(.milliseconds(500))
                }
            }
        }
    }

    private func callOff(_ login: BegunLogin) async {
        await Self.shielded { [self] in
            _ = try? await exchange.cancel(login, timeout: Self.courtesyTimeout)
        }
    }

    /// Runs `body` to its end even if the task is cancelled, because the server must still be told.
    private static func shielded(_ body: @escaping @Sendable () async -> Void) async {
        await Task { await body() }.value
    }
}
