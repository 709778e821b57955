package import Kernel
import Operations
package import Passkeys
package import Sessions

/// The cookie with which a browser will hold a session.
package struct BrowserHolder: Sendable {
    /// The new cookie.
    package let cookie: Secret
    /// The digest of the cookie that the browser presented.
    package let replaced: Digest256?
    /// Whether the answer also hands out tokens.
    package let wantsTokens: Bool

    package init(cookie: Secret, replaced: Digest256?, wantsTokens: Bool) {
        self.cookie = cookie
        self.replaced = replaced
        self.wantsTokens = wantsTokens
    }
}

/// A browser's session, and the cookie that presents it.
package struct BrowserSession: Sendable {
    package let opened: OpenedSession
    /// `nil` for a session that is bound to a key, which a cookie would open without the key.
    package let cookie: Secret?
    /// Whether the answer hands out tokens: on request, or because there is no cookie.
    package let handsOutTokens: Bool
}

/// Signs people in by a passkey: one session, held by the browser's cookie, and by tokens on request.
package struct PasskeySignIn: Sendable {
    /// The reason of a refused passkey: the account can't sign in, or the session has ended or is missing.
    package enum RefusedError: Error {
        case account
        case session
    }

    private let passkeys: PasskeyService
    private let door: Door
    private let sessions: SessionService
    private let browsers: WebSessionService
    private let descents: any DescentLinks
    private let unitOfWork: any UnitOfWork

    package init(
        passkeys: PasskeyService,
        door: Door,
        sessions: SessionService,
        browsers: WebSessionService,
        descents: any DescentLinks,
        unitOfWork: any UnitOfWork
    ) {
        self.passkeys = passkeys
        self.door = door
        self.sessions = sessions
        self.browsers = browsers
        self.descents = descents
        self.unitOfWork = unitOfWork
    }

    /// Opens the session of a valid signature without a cookie, for apps.
    ///
    /// - Returns: `nil` if the account can't sign in.
    /// - Throws: The errors of ``PasskeyService/redeem(_:in:)`` and ``PresentedKey/use``; ``StoreError``.
    package func open(_ request: SignInRequest, by checked: CheckedSignIn) async throws -> OpenedSession? {
        try await unitOfWork.run { [passkeys, door] transaction in
            try passkeys.redeem(checked, in: transaction)
            return try door.open(request, in: transaction)
        }
    }

    /// Opens a browser's session of a valid signature.
    ///
    /// - Parameters:
    ///   - request: The sign-in.
    ///   - checked: The signature.
    ///   - holder: The browser's cookie.
    ///   - work: Runs in the same unit of work; an error that it throws undoes the sign-in.
    /// - Returns: The session, and its cookie.
    /// - Throws: ``RefusedError``; the errors of `work` and ``PresentedKey/use``; ``StoreError``.
    package func open(
        _ request: SignInRequest,
        by checked: CheckedSignIn,
        holder: BrowserHolder,
        alongside work: SessionWork? = nil
    ) async throws -> BrowserSession {
        try await unitOfWork.run { [self] transaction in
            try passkeys.redeem(checked, in: transaction)
            let session = try open(request, holder, in: transaction)
            try work?(session.opened, transaction)
            return session
        }
    }

    /// Adds a passkey to the account of a session.
    ///
    /// `countsFrom`: The time from which the passkey counts for clients that require one.
    /// - Throws: ``RefusedError/session`` if that session ended since the request was admitted; ``StoreError``.
    package func add(
        _ checked: CheckedRegistration,
        in session: SessionID,
        of account: AccountID,
        client: String,
        requester: Requester,
        countsFrom: Instant
    ) async throws -> Passkey {
        try await unitOfWork.run { [self] transaction in
            // Checked again in this unit: a passkey must not restore a session that was ended meanwhile.
            guard try sessions.isOpen(session, of: account, in: transaction) else { throw RefusedError.session }
            let passkey = try passkeys.register(
                checked,
                client: client,
                requester: requester,
                countsFrom: countsFrom,
                in: transaction
            )
            try descents.note(.passkey(passkey.id), of: passkey.account, from: session, in: transaction)
            return passkey
        }
    }

    /// Opens an account with a new passkey, and signs its owner in.
    ///
    /// - Parameters:
    ///   - checked: The new passkey.
    ///   - client: The client at which it was created.
    ///   - requester: The person behind the request, for the notice to the owner.
    ///   - holder: The browser's cookie.
    ///   - request: Returns the sign-in of the passkey's owner.
    ///   - work: Runs in the same unit of work; an error that it throws undoes everything.
    /// - Returns: The stored passkey, and the session.
    /// - Throws: ``RefusedError``, also for a passkey of an existing account; the errors of `work` and
    ///   ``PresentedKey/use``; ``StoreError``.
    package func register(
        _ checked: CheckedRegistration,
        client: String,
        requester: Requester,
        holder: BrowserHolder,
        request: @escaping @Sendable (Passkey) -> SignInRequest,
        alongside work: SessionWork? = nil
    ) async throws -> (Passkey, BrowserSession) {
        // Another passkey of an existing account requires a session of that account.
        guard checked.account == nil else { throw RefusedError.session }
        return try await unitOfWork.run { [self] transaction in
            let passkey = try passkeys.register(checked, client: client, requester: requester, in: transaction)
            let session = try open(request(passkey), holder, in: transaction)
            let id = session.opened.claims.session
            try descents.note(.passkey(passkey.id), of: passkey.account, from: id, in: transaction)
            try work?(session.opened, transaction)
            return (passkey, session)
        }
    }

    private func open(
        _ request: SignInRequest,
        _ holder: BrowserHolder,
        in transaction: borrowing Transaction
    ) throws -> BrowserSession {
        guard let opened = try door.open(request, in: transaction) else { throw RefusedError.account }
        guard request.key == nil else { return BrowserSession(opened: opened, cookie: nil, handsOutTokens: true) }
        try browsers.open(
            Digest256(sha256: holder.cookie.expose()),
            for: opened.claims.session,
            isAlone: !holder.wantsTokens,
            replacing: holder.replaced,
            until: opened.claims.issuedAt + request.policy.refreshTokenLifetime,
            in: transaction
        )
        return BrowserSession(opened: opened, cookie: holder.cookie, handsOutTokens: holder.wantsTokens)
    }
}
