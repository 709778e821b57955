import Accounts
import Hummingbird
import Kernel
import Sessions
import TokenReading

/// The signed-in person of a request, with session and account as they are in the database now.
///
/// Only ``SignedInReader`` creates one, and only ``AccessGate`` passes it to routes.
struct SignedIn: Sendable {
    /// The session as it is stored.
    private let found: Session
    /// The account's address; empty for an account without one.
    let email: String
    /// Whether the account's address is proven to be the person's, or an operator created the account.
    ///
    /// An operator's account has neither address nor user name. Anybody can open an account with a user name.
    let isEmailProved: Bool
    /// The methods by which the person authenticated (RFC 8176).
    ///
    /// A token that was refreshed without the session's key omits the key's methods, and they do not count here.
    let methods: [String]
    /// Whether the person authenticated within the last ten minutes, by the older of the token's and the session's
    /// time.
    let isRecent: Bool

    /// Combines session and account; `methods` are the token's, or `nil` for a session that a cookie presents.
    fileprivate init(in session: Session, _ person: AccountProfile, isRecent: Bool, claiming methods: [String]? = nil) {
        found = session
        email = person.email?.text ?? ""
        isEmailProved = person.email == nil ? person.username == nil : person.isEmailVerified
        self.methods =
            methods.map { claimed in session.authentication.methods.filter { claimed.contains($0) } }
            ?? session.authentication.methods
        self.isRecent = isRecent
    }

    var account: AccountID { found.account }
    var session: SessionID { found.id }
    /// The client of the session.
    var client: String { found.client }
    /// The linked device of the session.
    var device: DeviceID? { found.linkedDevice?.id }
    /// Whether the session has proved that it is on that device, instead of only naming it.
    var isDeviceProven: Bool { found.linkedDevice?.isProven ?? false }
    /// The time at which the session's person authenticated.
    var authenticatedAt: Instant { found.authentication.at }
    /// Whether the session began with the device's key; a passkey has the same methods, but does not count.
    var isOfDeviceKey: Bool { found.tokenBinding.proof == .deviceKey && methods.contains("hwk") }
    /// Whether the session's access or refresh tokens require proof of a key.
    var isBoundToKey: Bool { found.tokenBinding.proof != .none || found.tokenBinding.key != nil }
    /// The passkey that the session began with, which may have been removed since.
    var passkey: PasskeyID? { found.authentication.passkey }
    /// Whether the account has an address that is proven to be the person's.
    var hasProvenEmail: Bool { !email.isEmpty && isEmailProved }
    /// Whether the session began with a code from the owner's mailbox.
    var isMailboxProven: Bool { methods.contains("otp") }

    /// Checks that the sign-in was within the last ten minutes.
    ///
    /// Called where a route declares ``SessionAccess/Recency/recentToChange``.
    /// - Throws: ``APIError/stepUpRequired`` if it is longer ago.
    func requireRecent() throws(APIError) {
        guard isRecent else { throw .stepUpRequired }
    }
}

/// Identifies the caller of a request, for ``AccessGate`` alone.
///
/// A token is accepted while its session and its account are active. Both are read from the database, so that a
/// revocation takes effect at once.
struct SignedInReader: Sendable {
    /// The time for which an authentication counts as recent.
    static let recency: Duration = .seconds(600)

    static let otherAccount = APIError.invalidRequest(
        "The session cookie and the access token are of different accounts. Send only one."
    )

    let tokens: AccessTokenReader
    let accounts: AccountService
    let sessions: SessionService
    let browsers: WebSessionService
    let cookies: CompanionCookies
    let environment: Environment

    /// Returns the caller of the access token or, with `webSessions`, of the cookie of a browser's session.
    ///
    /// A token has precedence, and an invalid token is refused even beside a valid cookie. Token and cookie of
    /// different accounts are refused, because another site may have set one of them.
    ///
    /// `admit` gets the session before the account is read; an error that it throws ends the request.
    /// - Throws: ``APIError/unauthorized(_:)``, ``APIError/invalidDPoPProof(_:isAccess:)``;
    ///   ``APIError/insufficientScope(_:isBound:)``; ``APIError/invalidRequest(_:)`` if token and cookie are of
    ///   different accounts; ``StoreError``.
    func read(
        _ request: Request,
        _ demand: TokenDemand,
        takingCookie webSessions: TokenDemand? = nil,
        admit: (SessionID) async throws -> Void = { _ in }
    ) async throws -> SignedIn {
        guard let webSessions, let cookie = cookies.digest(in: request) else {
            return try await read(token: request, demand, admit)
        }
        let session = try await browsers.session(of: cookie)
        guard PresentedToken(request) == nil else {
            let who = try await read(token: request, demand, admit)
            guard session == nil || session?.account == who.account else { throw Self.otherAccount }
            return who
        }
        guard let session, tokens.takes(client: session.client, webSessions) else {
            throw APIError.unauthorized(.noToken)
        }
        try await admit(session.id)
        guard let record = try await accounts.active(session.account) else { throw APIError.unauthorized(.noToken) }
        return SignedIn(in: session, record.profile, isRecent: isRecent(session.authentication.at))
    }

    /// Returns the person of a browser's session, whatever tokens the request presents; `nil` if there is none.
    func browser(_ request: Request, _ webSessions: TokenDemand) async throws -> SignedIn? {
        guard let cookie = cookies.digest(in: request), let session = try await browsers.session(of: cookie),
            tokens.takes(client: session.client, webSessions),
            let record = try await accounts.active(session.account)
        else { return nil }
        return SignedIn(in: session, record.profile, isRecent: isRecent(session.authentication.at))
    }

    private func read(
        token request: Request,
        _ demand: TokenDemand,
        _ admit: (SessionID) async throws -> Void
    ) async throws -> SignedIn {
        let claims = try tokens.claims(request, demand)
        try await admit(claims.session)
        guard let session = try await sessions.find(claims.session), session.revocation == nil,
            session.account == claims.account, session.client == claims.clientID,
            let record = try await accounts.active(claims.account)
        else { throw APIError.unauthorized(.badToken) }
        try tokens.checkScopes(of: claims, demand)
        return SignedIn(
            in: session,
            record.profile,
            isRecent: isRecent(min(claims.authenticatedAt, session.authentication.at)),
            claiming: claims.methods
        )
    }

    /// Returns whether that time is within the last ten minutes.
    func isRecent(_ authenticatedAt: Instant) -> Bool { environment.now() - authenticatedAt < Self.recency }

    /// Returns the token's claims; the database is read only if the token's session may have been revoked.
    func claims(_ request: Request, _ demand: TokenDemand) async throws -> AccessClaims {
        let claims = try tokens.claims(request, demand)
        guard try await sessions.isOpen(claims.session, of: claims.account, issuedAt: claims.issuedAt) else {
            throw APIError.unauthorized(.badToken)
        }
        try tokens.checkScopes(of: claims, demand)
        return claims
    }
}
