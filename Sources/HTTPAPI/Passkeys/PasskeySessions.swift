import Accounts
import Hummingbird
import Kernel
import Operations
import Passkeys
import Sessions
import SignIn
import Web
import Wire

/// Opens the session after a valid ceremony: the browser's cookie holds it, and the answer has tokens on request.
struct PasskeySessions: Sendable {
    let service: PasskeyService
    let signIn: PasskeySignIn
    let replies: SignInReplies
    let surface: AccountSurface
    let browsers: WebSessionService
    let cookies: CompanionCookies
    let trust: PasskeyTrust
    let ownPages: OwnPages

    /// Returns whether this server issued the cookie: it belongs to a session, or binds an open ceremony.
    func knows(_ cookie: Secret) async throws -> Bool {
        if try await service.isBound(to: .cookie(cookie)) { return true }
        return try await browsers.session(of: Digest256(sha256: cookie.expose())) != nil
    }

    /// Signs in the person whose passkey answered the options of a sign-in.
    ///
    /// `work` runs in the same unit of work, and an error that it throws undoes the sign-in.
    func open(
        _ checked: CheckedSignIn,
        _ request: Request,
        of person: Requester,
        alongside work: SessionWork? = nil
    ) async throws -> BrowserSession {
        let (policy, key) = (try surface.policy(nil, request), try replies.key(of: request))
        let isYoung = !CoolingOff.isOver(since: checked.passkeyMadeAt, at: trust.environment.now())
        let origin = origin(request, isKeyYoung: isYoung, of: person)
        return try await signIn.open(
            SignInRequest(
                account: checked.account,
                proof: trust.proof(of: checked),
                policy: policy,
                device: origin,
                key: key
            ),
            by: checked,
            holder: holder(request),
            alongside: work
        )
    }

    /// Stores the new passkey, and signs its owner in unless the request has a session of the account.
    ///
    /// `who`: The person of the request's session. `work` runs in the unit of work that opens a session.
    /// - Throws: ``APIError/stepUpRequired`` if the sign-in to an existing account is too long ago, or not enough for the
    ///   account (``AuthenticatorEnrolmentPolicy``).
    func register(
        _ checked: CheckedRegistration,
        by who: SignedIn?,
        _ request: Request,
        requester: Requester,
        alongside work: SessionWork? = nil
    ) async throws -> (Passkey, BrowserSession?) {
        guard checked.account == nil || checked.account == who?.account else { throw APIError.challengeOver }
        let client = try surface.policy(nil, request).clientID
        // A further passkey opens no session, so the request's DPoP proof belongs to the key of the access token.
        if let account = checked.account, let who {
            try who.requireRecent()
            try await trust.enrolmentPolicy.require(ofApp: who)
            let passkey = try await signIn.add(
                checked,
                in: who.session,
                of: account,
                client: ownPages.surelySent(request) ? AccountVisit.client : client,
                requester: requester,
                countsFrom: try await trust.countsFrom(addedBy: who.means)
            )
            return (passkey, nil)
        }
        let (policy, key) = (try surface.policy(nil, request), try replies.key(of: request))
        let origin = origin(request, isKeyYoung: true, of: requester)
        return try await signIn.register(
            checked,
            client: client,
            requester: requester,
            holder: holder(request),
            request: { passkey in
                SignInRequest(account: passkey.account, proof: passkey.proof, policy: policy, device: origin, key: key)
            },
            alongside: work
        )
    }

    /// Returns the answer with the session's user, tokens and cookies.
    func answer(_ session: BrowserSession, _ request: Request) throws -> Response {
        let user = SignedInUser(session.opened.person)
        var body = PasskeySignInResponse(user: user, tokens: try tokens(of: session))
        body.username = session.opened.person.usernameAsTyped ?? user.username
        var response = JSONReply.encode(body)
        set(session, on: &response, request)
        return response
    }

    /// Returns the session's tokens; `nil` if the answer contains none.
    func tokens(of session: BrowserSession) throws -> LoginTokens? {
        session.handsOutTokens ? try replies.tokens(of: session.opened) : nil
    }

    /// Sets the session's cookies on another answer.
    func set(_ session: BrowserSession, on response: inout Response, _ request: Request) {
        if let cookie = session.cookie { cookies.set(cookie, on: &response) }
        let opened = session.opened
        replies.cookies.setDevice(opened.deviceCookie, of: opened.claims.session, on: &response, for: request)
    }

    private func holder(_ request: Request) -> BrowserHolder {
        BrowserHolder(
            cookie: trust.environment.newSecret(),
            replaced: cookies.digest(in: request),
            wantsTokens: request.uri.queryParameters["tokens"] == "true"
        )
    }

    private func origin(_ request: Request, isKeyYoung: Bool, of person: Requester) -> SignInOrigin {
        SignInOrigin(
            person: person,
            isKeyYoung: isKeyYoung,
            cookies: SignInCookies.deviceCookies(of: request).digests,
            // Passkey and cookie belong to the whole origin, not to one client.
            alsoKnownTo: surface.clientsOfKnownDevices
        )
    }
}

extension AccountProfile {
    /// The user name as its owner typed it, if the display name still contains it.
    ///
    /// Published apps greet people with it.
    fileprivate var usernameAsTyped: String? {
        let called = account.displayName
        let typed = called.hasPrefix(Username.mark) ? String(called.dropFirst(Username.mark.count)) : called
        guard let username, Username(typed) == username else { return nil }
        return typed
    }
}
