package import Accounts
import Hummingbird
import Kernel
package import Sessions
import TokenReading

/// Who asks with an access token, read again from the store.
///
/// ``SignedInReader`` alone makes one, and ``AccessGate`` alone hands it on.
struct SignedIn: Sendable {
    let account: AccountID
    /// The account's address; empty for an account without one.
    let email: String
    /// Whether somebody vouches for the account: the address is known to be the person's, or an operator made it.
    ///
    /// An account with neither address nor user name is an operator's. Under a user name everybody opens accounts.
    let isEmailProved: Bool
    /// Whether there is an address, and it is known to be the person's.
    var hasProvenEmail: Bool { !email.isEmpty && isEmailProved }
    let session: SessionID
    /// The client that the session is of.
    let client: String
    /// The linked device that the session is on.
    let device: DeviceID?
    /// Whether it has proved to be on that one, and did not only name it.
    let isDeviceProven: Bool
    /// What the person proved with who they are (RFC 8176).
    let methods: [String]
    /// When they did.
    let authenticatedAt: Instant
    /// Whether the device's key proved it: a passkey, which has the same methods, is none.
    let isOfDeviceKey: Bool
    /// Whether its tokens, or its refresh tokens, are no good without a proof of a key.
    let isBoundToKey: Bool

    /// The passkey that the session began with, which may be gone by now.
    let passkey: PasskeyID?

    /// `shown`: what the access token says of the methods; `nil` where a cookie stands for the session.
    fileprivate init(in session: Session, _ person: AccountProfile, isRecent: Bool, showing shown: [String]? = nil) {
        account = session.account
        email = person.email?.text ?? ""
        isEmailProved = person.email == nil ? person.username == nil : person.isEmailVerified
        self.session = session.id
        client = session.client
        device = session.device
        isDeviceProven = session.isDeviceProven
        // A token that was refreshed without the key claims none of what the key had shown, and counts for none of it.
        let claimed = shown.map { shown in session.methods.filter { shown.contains($0) } } ?? session.methods
        methods = claimed
        authenticatedAt = session.authenticatedAt
        isOfDeviceKey = session.binding == .deviceKey && claimed.contains("hwk")
        isBoundToKey = session.binding != .none || session.proofKey != nil
        passkey = session.passkey
        self.isRecent = isRecent
    }

    /// Whether the session began with a code from the owner's mailbox.
    var isMailboxProven: Bool { methods.contains("otp") }
    /// Whether they proved it within the last ten minutes: by what the token says, and never later than the session.
    let isRecent: Bool

    /// Goes on for a sign-in of the last ten minutes alone, where a route declares ``SessionAccess/Recency/recentToChange``.
    ///
    /// - Throws: ``APIError/stepUpRequired`` where it is longer ago.
    func requireRecent() throws(APIError) {
        guard isRecent else { throw .stepUpRequired }
    }
}

/// Tells from an access token who is asking, for ``AccessGate`` alone.
///
/// A token is believed for as long as its session and its account stand: both are read from the store, so that a
/// revocation counts at once.
package struct SignedInReader: Sendable {
    /// How long a person counts as having just proved who they are.
    private static let recency: Duration = .seconds(600)

    static let otherAccount = APIError.invalidRequest(
        "The session cookie and the access token are of different accounts."
    )

    private let tokens: AccessTokenReader
    private let accounts: AccountService
    private let sessions: SessionService
    private let browsers: WebSessionService
    private let cookies: CompanionCookies
    private let environment: Environment

    package init(
        tokens: AccessTokenReader,
        accounts: AccountService,
        sessions: SessionService,
        browsers: WebSessionService,
        cookies: CompanionCookies,
        environment: Environment
    ) {
        self.tokens = tokens
        self.accounts = accounts
        self.sessions = sessions
        self.browsers = browsers
        self.cookies = cookies
        self.environment = environment
    }

    /// Who asks: by an access token, else, with `webSessions`, by the cookie of a browser's session of one of those clients.
    ///
    /// A token wins over a cookie, and one that is no good is not made up for by the cookie: both are shown at once only
    /// where somebody else planted one of them.
    ///
    /// `admit`: told whose session it is before the store is asked about it; what it throws ends it there.
    /// - Throws: ``APIError/unauthorized(_:)``, ``APIError/invalidDPoPProof(_:isAccess:)``;
    ///   ``APIError/insufficientScope(_:isBound:)``; ``APIError/invalidRequest(_:)`` if token and cookie are of different accounts; ``StoreError``.
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
        return SignedIn(in: session, record.profile, isRecent: isRecent(session.authenticatedAt))
    }

    private func read(
        token request: Request,
        _ demand: TokenDemand,
        _ admit: (SessionID) throws -> Void
    ) async throws -> SignedIn {
        let claims = try tokens.claims(request, demand)
        try admit(claims.session)
        guard let session = try await sessions.find(claims.session), session.revokedAt == nil,
            session.account == claims.account, session.client == claims.clientID,
            let record = try await accounts.active(claims.account)
        else { throw APIError.unauthorized(.badToken) }
        try tokens.checkScopes(of: claims, demand)
        return SignedIn(
            in: session,
            record.profile,
            isRecent: isRecent(min(claims.authenticatedAt, session.authenticatedAt)),
            showing: claims.methods
        )
    }

    /// Whether that is within the last ten minutes.
    func isRecent(_ authenticatedAt: Instant) -> Bool { environment.now() - authenticatedAt < Self.recency }

    /// What the token says; the store is asked only where its session may have been revoked.
    func claims(_ request: Request, _ demand: TokenDemand) async throws -> AccessClaims {
        let claims = try tokens.claims(request, demand)
        guard try await sessions.isOpen(claims.session, of: claims.account, issuedAt: claims.issuedAt) else {
            throw APIError.unauthorized(.badToken)
        }
        try tokens.checkScopes(of: claims, demand)
        return claims
    }
}
