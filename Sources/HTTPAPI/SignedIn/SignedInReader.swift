package import Accounts
import Hummingbird
package import Kernel
package import Sessions
import TokenReading
package import Tokens

/// Who asks with an access token, read again from the store.
struct SignedIn: Sendable {
    let account: AccountID
    /// The account's address; empty for an account without one.
    let email: String
    /// Whether the address is known to be the person's, or there is none: then an operator vouches for the account.
    let isEmailProved: Bool
    let session: SessionID
    /// The client that the session is of.
    let client: String
    /// The linked device that the session is on.
    let device: DeviceID?
    /// When the person last proved who they are: what the token says, and never later than the session.
    let authenticatedAt: Instant
    /// What they proved it with (RFC 8176).
    let methods: [String]

    /// Whether the session began with a code from the owner's mailbox.
    var isMailboxProven: Bool { methods.contains("otp") }
}

/// Tells from a bearer token who is asking.
///
/// A token is believed for as long as its session and its account stand: both are read from the store, so that a
/// revocation counts at once.
package struct SignedInReader: Sendable {
    /// How long a person counts as having just proved who they are.
    static let freshness: Duration = .seconds(600)

    private let verifier: TokenVerifier
    private let audiences: Set<String>
    private let accounts: AccountDesk
    private let sessions: SessionDesk
    private let facts: Facts

    package init(
        verifier: TokenVerifier,
        audiences: Set<String>,
        accounts: AccountDesk,
        sessions: SessionDesk,
        facts: Facts
    ) {
        self.verifier = verifier
        self.audiences = audiences
        self.accounts = accounts
        self.sessions = sessions
        self.facts = facts
    }

    /// Who asks.
    ///
    /// `admit`: told whose session the token is of before the store is asked anything; what it throws ends it there.
    /// - Throws: ``Problem/unauthorized(_:)``; ``StoreFailure``.
    func read(_ request: Request, admit: (SessionID) throws -> Void = { _ in }) async throws -> SignedIn {
        let claims = try verified(request)
        try admit(claims.session)
        guard let session = try await sessions.find(claims.session), session.revokedAt == nil,
            session.account == claims.account, session.client == claims.clientID,
            let record = try await accounts.active(claims.account)
        else { throw Problem.unauthorized(.badToken) }
        return SignedIn(
            account: session.account,
            email: record.profile.email?.text ?? "",
            isEmailProved: record.profile.email == nil || record.profile.isEmailVerified,
            session: session.id,
            client: session.client,
            device: session.device,
            authenticatedAt: min(claims.authenticatedAt, session.authenticatedAt),
            methods: session.methods
        )
    }

    /// Who asks, on a route for everybody: a token that is no good is as good as none there, since apps send stale ones
    /// everywhere.
    func readIfGood(_ request: Request) async throws -> SignedIn? {
        do { return try await read(request) } catch is Problem { return nil }
    }

    /// Whether they proved it within the last ten minutes.
    func isFresh(_ who: SignedIn) -> Bool { facts.now() - who.authenticatedAt < Self.freshness }

    /// Who asks, having proved it within the last ten minutes.
    ///
    /// A token that is good but old is no 401: apps would refresh it, in vain, and sign the person out.
    /// - Throws: ``Problem/stepUpRequired`` as well.
    func readFresh(_ request: Request) async throws -> SignedIn {
        let who = try await read(request)
        guard isFresh(who) else { throw Problem.stepUpRequired }
        return who
    }

    /// What the token says; the store is asked only where its session may have been revoked.
    func claims(_ request: Request) async throws -> AccessClaims {
        let claims = try verified(request)
        guard try await sessions.isOpen(claims.session, of: claims.account, issuedAt: claims.issuedAt) else {
            throw Problem.unauthorized(.badToken)
        }
        return claims
    }

    private func verified(_ request: Request) throws -> AccessClaims {
        guard let token = BearerToken.of(request) else { throw Problem.unauthorized(.noToken) }
        do { return try verifier.verifyAccess(token, audiences: audiences, now: facts.now()) } catch {
            throw Problem.unauthorized(.badToken)
        }
    }
}
