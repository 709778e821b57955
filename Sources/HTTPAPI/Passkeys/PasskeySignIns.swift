import Hummingbird
package import Kernel
import Operations
package import Passkeys
package import Sessions
import Wire

/// What comes of a ceremony that holds: one session like any other, held by the browser's cookie, and by tokens where a
/// request asks for them.
package struct PasskeySignIns: Sendable {
    private let desk: PasskeyDesk
    private let opener: SessionOpener
    private let surface: AccountSurface
    private let sessions: SessionDesk
    private let browsers: WebSessionDesk
    private let cookies: WebSessionCookies
    private let unitOfWork: any UnitOfWork
    private let facts: Facts

    package init(
        desk: PasskeyDesk,
        opener: SessionOpener,
        surface: AccountSurface,
        sessions: SessionDesk,
        browsers: WebSessionDesk,
        cookies: WebSessionCookies,
        unitOfWork: any UnitOfWork,
        facts: Facts
    ) {
        self.desk = desk
        self.opener = opener
        self.surface = surface
        self.sessions = sessions
        self.browsers = browsers
        self.cookies = cookies
        self.unitOfWork = unitOfWork
        self.facts = facts
    }

    /// A session that was opened, and the cookie that stands for it.
    struct Opened: Sendable {
        let session: OpenedSession
        let cookie: Secret
    }

    /// Whether a browser's cookie is one of ours: it stands for a session, or ties a ceremony that is open.
    func knows(_ cookie: Secret) async throws -> Bool {
        if try await desk.isBound(to: .cookie(cookie)) { return true }
        return try await browsers.session(of: Digest256(sha256: cookie.expose())) != nil
    }

    /// Signs in whoever answered a sign-in's options.
    func signIn(_ checked: CheckedSignIn, _ request: Request) async throws -> Opened {
        let (policy, proof) = (try surface.policy(nil, request), try opener.proof(of: request))
        let cookie = facts.newSecret()
        let order = order(checked.account, by: checked.passkeyID, checked.methods, policy, proof, request)
        let brought = cookies.brought(request)
        return try await unitOfWork.run { [self] transaction in
            try desk.redeem(checked, in: transaction)
            return try open(order, cookie, replacing: brought, in: transaction)
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
        let (policy, proof) = (try surface.policy(nil, request), try opener.proof(of: request))
        let cookie = facts.newSecret()
        let brought = cookies.brought(request)
        let language = AcceptedLanguage.texts(for: request).language
        return try await unitOfWork.run { [self] transaction in
            // Asked once more in this unit: a passkey is no way back into a session that was ended meanwhile.
            if let account = checked.account, let who {
                guard try sessions.isOpen(who.session, of: account, in: transaction) else {
                    throw Problem.challengeOver
                }
            }
            let passkey = try desk.register(checked, client: policy.clientID, language: language, in: transaction)
            guard passkey.account != who?.account else { return (passkey, nil) }
            let order = order(passkey.account, by: passkey.id, passkey.methods, policy, proof, request)
            return (passkey, try open(order, cookie, replacing: brought, in: transaction))
        }
    }

    /// The answer with who signed in, its cookies, and with `?tokens=true` the tokens.
    func answer(_ opened: Opened, _ request: Request) throws -> Response {
        let pair = try opener.pair(of: opened.session)
        let wantsTokens = request.uri.queryParameters["tokens"] == "true"
        let body = PasskeySignInResponse(
            user: SignedInUser(opened.session.person),
            tokens: wantsTokens ? pair : nil
        )
        var response = JSONReply.encode(body)
        set(opened, on: &response, request)
        return response
    }

    /// Sets the cookies of that session on another answer.
    func set(_ opened: Opened, on response: inout Response, _ request: Request) {
        cookies.set(opened.cookie, on: &response)
        opener.setDeviceCookie(of: opened.session, on: &response, for: request)
    }

    private func open(
        _ order: SignInOrder,
        _ cookie: Secret,
        replacing old: Digest256?,
        in transaction: borrowing Transaction
    ) throws -> Opened {
        guard let session = try opener.open(order, in: transaction) else { throw Problem.unauthorized(.passkey) }
        _ = try browsers.open(
            Digest256(sha256: cookie.expose()),
            for: session.claims.session,
            replacing: old,
            until: session.claims.issuedAt + order.policy.refreshTokenLifetime,
            in: transaction
        )
        return Opened(session: session, cookie: cookie)
    }

    private func order(
        _ account: AccountID,
        by passkey: PasskeyID,
        _ methods: [String],
        _ policy: ClientPolicy,
        _ proof: ShownProof?,
        _ request: Request
    ) -> SignInOrder {
        SignInOrder(
            account: account,
            methods: methods,
            policy: policy,
            passkey: passkey,
            proof: proof,
            // A passkey is made for the whole origin, and so is the cookie: no client alone.
            alsoKnownTo: surface.clientsOfKnownDevices,
            cookies: SignInCookies.brought(request)
        )
    }
}

extension Passkey {
    /// What making it has proved (RFC 8176), as ``CheckedSignIn/methods`` has it of a sign-in.
    var methods: [String] {
        [record.isBackupEligible ? "swk" : "hwk", "user"] + (record.isUserVerified ? ["mfa"] : [])
    }

    /// What clients in the field call it that it can be in several places.
    var deviceType: String { record.isBackupEligible ? "multiDevice" : "singleDevice" }
}
