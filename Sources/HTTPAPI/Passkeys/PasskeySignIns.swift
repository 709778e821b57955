import Accounts
import Hummingbird
package import Kernel
import Operations
package import Passkeys
package import Sessions
package import SignIn
import Wire

/// What comes of a ceremony that holds: one session like any other, held by the browser's cookie, and by tokens where a
/// request asks for them.
package struct PasskeySignIns: Sendable {
    private let desk: PasskeyDesk
    private let door: Door
    private let replies: SignInReplies
    private let surface: AccountSurface
    private let sessions: SessionDesk
    private let browsers: WebSessionDesk
    private let cookies: WebSessionCookies
    private let links: any DescentStore
    private let unitOfWork: any UnitOfWork
    private let facts: Facts

    package init(
        desk: PasskeyDesk,
        door: Door,
        replies: SignInReplies,
        surface: AccountSurface,
        sessions: SessionDesk,
        browsers: WebSessionDesk,
        cookies: WebSessionCookies,
        links: any DescentStore,
        unitOfWork: any UnitOfWork,
        facts: Facts
    ) {
        self.desk = desk
        self.door = door
        self.replies = replies
        self.surface = surface
        self.sessions = sessions
        self.browsers = browsers
        self.cookies = cookies
        self.links = links
        self.unitOfWork = unitOfWork
        self.facts = facts
    }

    /// A session that was opened, and what stands for it.
    struct Opened: Sendable {
        let session: OpenedSession
        /// `nil` for a session that is bound to a key: a cookie would open it without.
        let cookie: Secret?
        /// Whether the answer hands out tokens as well: they were asked for, or there is no cookie.
        let handsOutTokens: Bool
    }

    /// Whether a browser's cookie is one of ours: it stands for a session, or ties a ceremony that is open.
    func knows(_ cookie: Secret) async throws -> Bool {
        if try await desk.isBound(to: .cookie(cookie)) { return true }
        return try await browsers.session(of: Digest256(sha256: cookie.expose())) != nil
    }

    /// Signs in whoever answered a sign-in's options.
    ///
    /// `work`: done in the same unit of work; what it throws undoes the sign-in.
    func signIn(
        _ checked: CheckedSignIn,
        _ request: Request,
        alongside work: (@Sendable (Opened, borrowing Transaction) throws -> Void)? = nil
    ) async throws -> Opened {
        let (policy, key) = (try surface.policy(nil, request), try replies.key(of: request))
        let signIn = signIn(checked.account, by: checked.proof, policy, key, request)
        let holding = holding(request)
        return try await unitOfWork.run { [self] transaction in
            try desk.redeem(checked, in: transaction)
            let opened = try open(signIn, holding, in: transaction)
            try work?(opened, transaction)
            return opened
        }
    }

    /// Keeps the passkey that was made, and signs its owner in where nobody is signed in to the account.
    ///
    /// `who`: whose session the request is of.
    /// - Throws: ``Problem/stepUpRequired`` for an account that is there, if that session's sign-in is too long ago.
    func register(
        _ checked: CheckedRegistration,
        by who: SignedIn?,
        _ request: Request
    ) async throws -> (Passkey, Opened?) {
        guard checked.account == nil || checked.account == who?.account else { throw Problem.challengeOver }
        if checked.account != nil { try who?.requireRecent() }
        // A further passkey opens no session: the proof beside its request is of the token's key.
        let key = checked.account == nil ? try replies.key(of: request) : nil
        let (policy, holding) = (try surface.policy(nil, request), holding(request))
        let language = AcceptedLanguage.texts(for: request).language
        return try await unitOfWork.run { [self] transaction in
            // Asked once more in this unit: a passkey is no way back into a session that was ended meanwhile.
            if let account = checked.account, let who {
                guard try sessions.isOpen(who.session, of: account, in: transaction) else {
                    throw Problem.challengeOver
                }
            }
            let passkey = try desk.register(checked, client: policy.clientID, language: language, in: transaction)
            if let who, passkey.account == who.account {
                try links.note(.passkey(passkey.id), of: passkey.account, from: who.session, in: transaction)
                return (passkey, nil)
            }
            let signIn = signIn(passkey.account, by: passkey.proof, policy, key, request)
            let opened = try open(signIn, holding, in: transaction)
            let session = opened.session.claims.session
            try links.note(.passkey(passkey.id), of: passkey.account, from: session, in: transaction)
            return (passkey, opened)
        }
    }

    /// The answer with who signed in, what stands for the session, and its cookies.
    func answer(_ opened: Opened, _ request: Request) throws -> Response {
        let user = SignedInUser(opened.session.person)
        var body = PasskeySignInResponse(user: user, tokens: try tokens(of: opened))
        body.username = opened.session.person.usernameAsTyped ?? user.username
        var response = JSONReply.encode(body)
        set(opened, on: &response, request)
        return response
    }

    /// The tokens of that session; `nil` where the answer has none.
    func tokens(of opened: Opened) throws -> LoginTokens? {
        opened.handsOutTokens ? try replies.tokens(of: opened.session) : nil
    }

    /// Sets the cookies of that session on another answer.
    func set(_ opened: Opened, on response: inout Response, _ request: Request) {
        if let cookie = opened.cookie { cookies.set(cookie, on: &response) }
        replies.setDeviceCookie(of: opened.session, on: &response, for: request)
    }

    /// What a request wants to hold its session by.
    private struct Holding: Sendable {
        let cookie: Secret
        /// The cookie that it brought.
        let brought: Digest256?
        let wantsTokens: Bool
    }

    private func holding(_ request: Request) -> Holding {
        Holding(
            cookie: facts.newSecret(),
            brought: cookies.brought(request),
            wantsTokens: request.uri.queryParameters["tokens"] == "true"
        )
    }

    private func open(
        _ signIn: SignInRequest,
        _ holding: Holding,
        in transaction: borrowing Transaction
    ) throws -> Opened {
        guard let session = try door.open(signIn, in: transaction) else { throw Problem.unauthorized(.passkey) }
        guard signIn.key == nil else { return Opened(session: session, cookie: nil, handsOutTokens: true) }
        try browsers.open(
            Digest256(sha256: holding.cookie.expose()),
            for: session.claims.session,
            isAlone: !holding.wantsTokens,
            replacing: holding.brought,
            until: session.claims.issuedAt + signIn.policy.refreshTokenLifetime,
            in: transaction
        )
        return Opened(session: session, cookie: holding.cookie, handsOutTokens: holding.wantsTokens)
    }

    private func signIn(
        _ account: AccountID,
        by proof: AuthenticationProof,
        _ policy: ClientPolicy,
        _ key: PresentedKey?,
        _ request: Request
    ) -> SignInRequest {
        SignInRequest(
            account: account,
            proof: proof,
            policy: policy,
            device: SignInOrigin(
                cookies: SignInCookies.brought(request).digests,
                // A passkey is made for the whole origin, and so is the cookie: no client alone.
                alsoKnownTo: surface.clientsOfKnownDevices
            ),
            key: key
        )
    }
}

extension AccountProfile {
    /// The user name in the letters that it was chosen in, as far as the name that is shown still has them: published apps
    /// greet people by it.
    fileprivate var usernameAsTyped: String? {
        let called = account.displayName
        let typed = called.hasPrefix(Username.mark) ? String(called.dropFirst(Username.mark.count)) : called
        guard let username, Username(typed) == username else { return nil }
        return typed
    }
}

extension Passkey {
    /// What clients in the field call it that it can be in several places.
    var deviceType: String { record.isBackupEligible ? "multiDevice" : "singleDevice" }
}
