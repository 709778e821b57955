import Accounts
import Hummingbird
import Kernel
import Operations
import Passkeys
import Sessions
import SignIn
import Web
import Wire

/// Opens the session of a valid ceremony, which the browser's cookie holds, and tokens where a request asks for them.
struct PasskeySessions: Sendable {
    let service: PasskeyService
    let signIn: PasskeySignIn
    let replies: SignInReplies
    let surface: AccountSurface
    let browsers: WebSessionService
    let cookies: CompanionCookies
    let environment: Environment

    /// Whether this server issued the cookie: it belongs to a session, or binds an open ceremony.
    func knows(_ cookie: Secret) async throws -> Bool {
        if try await service.isBound(to: .cookie(cookie)) { return true }
        return try await browsers.session(of: Digest256(sha256: cookie.expose())) != nil
    }

    /// Signs in the person who answered a sign-in's options.
    ///
    /// `work` runs in the same unit of work; an error that it throws undoes the sign-in.
    func open(
        _ checked: CheckedSignIn,
        _ request: Request,
        alongside work: (@Sendable (OpenedSession, borrowing Transaction) throws -> Void)? = nil
    ) async throws -> BrowserSession {
        let (policy, key) = (try surface.policy(nil, request), try replies.key(of: request))
        let isYoung = !CoolingOff.isOver(since: checked.passkeyMadeAt, at: environment.now())
        let origin = origin(request, isKeyYoung: isYoung)
        return try await signIn.open(
            SignInRequest(account: checked.account, proof: checked.proof, policy: policy, device: origin, key: key),
            by: checked,
            holder: holder(request),
            alongside: work
        )
    }

    /// Keeps the new passkey, and signs its owner in unless the request has a session of the account.
    ///
    /// `who` is the session of the request.
    /// - Throws: ``APIError/stepUpRequired`` for an existing account, if that session's sign-in is too long ago.
    func register(
        _ checked: CheckedRegistration,
        by who: SignedIn?,
        _ request: Request
    ) async throws -> (Passkey, BrowserSession?) {
        guard checked.account == nil || checked.account == who?.account else { throw APIError.challengeOver }
        let client = try surface.policy(nil, request).clientID
        let language = AcceptedLanguage.texts(for: request).language
        // A further passkey opens no session: the proof beside its request belongs to the token's key.
        if let account = checked.account, let who {
            try who.requireRecent()
            let passkey = try await signIn.add(
                checked,
                in: who.session,
                of: account,
                client: client,
                language: language
            )
            return (passkey, nil)
        }
        let (policy, key) = (try surface.policy(nil, request), try replies.key(of: request))
        let origin = origin(request, isKeyYoung: true)
        return try await signIn.register(
            checked,
            client: client,
            language: language,
            holder: holder(request)
        ) { passkey in
            SignInRequest(account: passkey.account, proof: passkey.proof, policy: policy, device: origin, key: key)
        }
    }

    /// Returns the answer with the user, the tokens and the cookies of the session.
    func answer(_ session: BrowserSession, _ request: Request) throws -> Response {
        let user = SignedInUser(session.opened.person)
        var body = PasskeySignInResponse(user: user, tokens: try tokens(of: session))
        body.username = session.opened.person.usernameAsTyped ?? user.username
        var response = JSONReply.encode(body)
        set(session, on: &response, request)
        return response
    }

    /// Returns the tokens of that session; `nil` where the answer has none.
    func tokens(of session: BrowserSession) throws -> LoginTokens? {
        session.handsOutTokens ? try replies.tokens(of: session.opened) : nil
    }

    /// Sets the cookies of that session on another answer.
    func set(_ session: BrowserSession, on response: inout Response, _ request: Request) {
        if let cookie = session.cookie { cookies.set(cookie, on: &response) }
        let opened = session.opened
        replies.cookies.setDevice(opened.deviceCookie, of: opened.claims.session, on: &response, for: request)
    }

    private func holder(_ request: Request) -> BrowserHolder {
        BrowserHolder(
            cookie: environment.newSecret(),
            replaced: cookies.digest(in: request),
            wantsTokens: request.uri.queryParameters["tokens"] == "true"
        )
    }

    private func origin(_ request: Request, isKeyYoung: Bool) -> SignInOrigin {
        SignInOrigin(
            isKeyYoung: isKeyYoung,
            cookies: SignInCookies.deviceCookies(of: request).digests,
            // A passkey belongs to the whole origin, and so does the cookie, not to one client.
            alsoKnownTo: surface.clientsOfKnownDevices
        )
    }
}

extension AccountProfile {
    /// The user name in the letters in which it was chosen, as far as the displayed name still has them.
    ///
    /// Published apps greet people by it.
    fileprivate var usernameAsTyped: String? {
        let called = account.displayName
        let typed = called.hasPrefix(Username.mark) ? String(called.dropFirst(Username.mark.count)) : called
        guard let username, Username(typed) == username else { return nil }
        return typed
    }
}
