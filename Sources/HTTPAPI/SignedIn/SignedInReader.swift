import Accounts
import Hummingbird
import Kernel
import Sessions
import TokenReading

/// The signed-in person of a request, read again from the store.
///
/// Only ``SignedInReader`` creates one, and only ``AccessGate`` hands it on.
struct SignedIn: Sendable {
    /// The session itself, as the store has it.
    private let found: Session
    /// The account's address; empty for an account without one.
    let email: String
    /// Whether the account is vouched for: its address is proven to be the person's, or an operator created it.
    ///
    /// An operator's account has neither address nor user name. Anybody may open an account with a user name.
    let isEmailProved: Bool
    /// The methods by which the person authenticated (RFC 8176).
    ///
    /// A token that was refreshed without the key claims none of the key's methods, and counts for none of them.
    let methods: [String]
    /// Whether the person authenticated within the last ten minutes, by the token's time and never later than the
    /// session's.
    let isRecent: Bool

    /// Combines session and account; `methods` are the token's, and `nil` if a cookie presents the session.
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
    /// The client that the session is of.
    var client: String { found.client }
    /// The linked device that the session is on.
    var device: DeviceID? { found.linkedDevice?.id }
    /// Whether the session has proved to be on that device, and did not only name it.
    var isDeviceProven: Bool { found.linkedDevice?.isProven ?? false }
    /// The time at which the session's person authenticated.
    var authenticatedAt: Instant { found.authentication.at }
    /// Whether the device's key proved it: a passkey has the same methods, and does not count.
    var isOfDeviceKey: Bool { found.tokenBinding.proof == .deviceKey && methods.contains("hwk") }
    /// Whether its access or refresh tokens require a proof of a key.
    var isBoundToKey: Bool { found.tokenBinding.proof != .none || found.tokenBinding.key != nil }
    /// The passkey that the session began with, which may have been removed.
    var passkey: PasskeyID? { found.authentication.passkey }
    /// Whether there is an address that is proven to be the person's.
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
/// A token is accepted while its session and its account are active. Both are read from the store, so that a revocation
/// counts at once.
struct SignedInReader: Sendable {
    /// The time for which an authentication counts as recent.
    private static let recency: Duration = .seconds(600)

    static let otherAccount = APIError.invalidRequest(
        "The session cookie and the access token are of different accounts. Send only one."
    )

    let tokens: AccessTokenReader
    let accounts: AccountService
    let sessions: SessionService
    let browsers: WebSessionService
    let cookies: CompanionCookies
    let environment: Environment

    /// Returns the caller by an access token, else, with `webSessions`, by the cookie of a browser's session.
    ///
    /// A token has precedence over a cookie, and the cookie does not replace an invalid token. Both are presented at
    /// once only where somebody else tossed one of them.
    ///
    /// `admit` gets the session before the store is asked about it; an error that it throws ends the request.
    /// - Throws: ``APIError/unauthorized(_:)``, ``APIError/invalidDPoPProof(_:isAccess:)``;
    ///   ``APIError/insufficientScope(_:isBound:)``; ``APIError/invalidRequest(_:)`` if token and cookie are of
    ///   different accounts; ``StoreError``.
    func read(
        _ request: Request,
        _ demand: TokenDemand,
        takingCookie webSessions: TokenDemand? = nil,
        admit: (SessionID) throws -> Void = { _ in }
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
        try admit(session.id)
        guard let record = try await accounts.active(session.account) else { throw APIError.unauthorized(.noToken) }
        return SignedIn(in: session, record.profile, isRecent: isRecent(session.authentication.at))
    }

    private func read(
        token request: Request,
        _ demand: TokenDemand,
        _ admit: (SessionID) throws -> Void
    ) async throws -> SignedIn {
        let claims = try tokens.claims(request, demand)
        try admit(claims.session)
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

    /// Whether that time is within the last ten minutes.
    func isRecent(_ authenticatedAt: Instant) -> Bool { environment.now() - authenticatedAt < Self.recency }

    /// Returns the token's claims; the store is asked only if its session may have been revoked.
    func claims(_ request: Request, _ demand: TokenDemand) async throws -> AccessClaims {
        let claims = try tokens.claims(request, demand)
        guard try await sessions.isOpen(claims.session, of: claims.account, issuedAt: claims.issuedAt) else {
            throw APIError.unauthorized(.badToken)
        }
        try tokens.checkScopes(of: claims, demand)
        return claims
    }
}
