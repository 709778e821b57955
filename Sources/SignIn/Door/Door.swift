// SignIn: the only code that opens a session and issues its tokens; it also ends the results of a sign-in.
// Owns `Door`, the methods that each proof gives, the ways to sign in, token sets, and remedies.
// Checks no password, signature or code itself: other modules do, and pass a proof.
// Survives a remedy or a disabling during a sign-in: the unit that opens the session reads everything again.
// A proof is used up in the same unit of work, so that it opens one session at most.

package import Accounts
import Devices
package import Kernel
package import OAuth
import Operations
package import Sessions
import Tokens

/// Opens sessions: the only way from a proof to a session, for every kind of proof.
///
/// A caller checks the proof outside a unit of work, and opens the session in the unit that uses the proof up. The
/// account is read again in that unit, so that a disabling takes precedence over a concurrent sign-in.
package struct Door: Sendable {
    let environment: Environment
    let accounts: any AccountStore
    let sessions: SessionService
    let devices: SignInDevices
    let descents: any DescentLinks
    let grants: any OAuthGrantStore
    let tokens: TokenSet
    let unitOfWork: any UnitOfWork

    package init(
        environment: Environment,
        accounts: any AccountStore,
        sessions: SessionService,
        devices: SignInDevices,
        descents: any DescentLinks,
        grants: any OAuthGrantStore,
        tokens: TokenSet,
        unitOfWork: any UnitOfWork
    ) {
        self.environment = environment
        self.accounts = accounts
        self.sessions = sessions
        self.devices = devices
        self.descents = descents
        self.grants = grants
        self.tokens = tokens
        self.unitOfWork = unitOfWork
    }

    /// Opens a separate session, whatever session the caller presents, and uses the request's key up.
    ///
    /// - Parameters:
    ///   - request: The account that signs in, and its proof.
    ///   - transaction: The unit of work that uses the proof up.
    /// - Returns: The session; `nil` if the account is disabled or deleted.
    /// - Throws: The errors of ``PresentedKey/use``, and nothing is opened; ``StoreError``.
    package func open(_ request: SignInRequest, in transaction: borrowing Transaction) throws -> OpenedSession? {
        guard let person = try active(request.account, in: transaction) else { return nil }
        try request.key?.use(transaction)
        let now = environment.now()
        let id = environment.newID(SessionID.self, of: request.account)
        let settled = try devices.settle(request, opening: id, in: transaction)
        let linked = try devices.link(request, on: settled.device, opening: id, in: transaction)
        let claims = SessionClaims(
            account: request.account,
            session: id,
            deviceID: settled.name,
            accessTokenID: environment.newUUID(),
            refreshTokenID: environment.newUUID(),
            issuedAt: now,
            authentication: AuthenticationContext(
                methods: request.proof.methods,
                at: now,
                passkey: request.proof.passkey,
                session: id
            ),
            proofKey: request.key?.thumbprint
        )
        let session = NewSession(
            id,
            of: request.account,
            client: request.policy.clientID,
            device: linked.device.map { .init(id: $0, isProven: settled.isProven) },
            authentication: claims.authentication,
            binding: request.proof.binding,
            key: claims.proofKey,
            at: now,
            refreshToken: (id: claims.refreshTokenID.description, lifetime: request.policy.refreshTokenLifetime),
            from: request.device.person.flatMap { Session.Origin(ifKnown: $0.address, agent: $0.agent) }
        )
        try sessions.signIn(session, in: transaction)
        return OpenedSession(person: person, policy: request.policy, claims: claims, deviceCookie: linked.cookie)
    }

    func active(_ account: AccountID, in transaction: borrowing Transaction) throws -> AccountProfile? {
        try accounts.profile(account, in: transaction).flatMap { $0.account.state == .active ? $0 : nil }
    }
}

extension NewSession {
    /// Creates the rows of a session that is about to be opened, for every kind of proof.
    ///
    /// `key`: the thumbprint of the key that refresh tokens are bound to. `refreshToken`: the `jti` of the family's
    /// first refresh token, with its lifetime. `face`: the face that opens the session, if a face does. `origin`: the
    /// place and browser of the person, never those of an app's server.
    init(
        _ id: SessionID,
        of account: AccountID,
        client: String,
        device: SignInDevice?,
        authentication: AuthenticationContext,
        binding: Session.Binding = .none,
        key: Digest256?,
        at now: Instant,
        refreshToken: (id: String, lifetime: Duration),
        face: FaceInForce? = nil,
        from origin: Session.Origin? = nil
    ) {
        self.init(
            session: Session(
                id: id,
                account: account,
                client: client,
                linkedDevice: device.map { Session.LinkedDevice(id: $0.id, isProven: $0.isProven) },
                createdAt: now,
                authentication: Session.Authentication(
                    at: authentication.at,
                    methods: authentication.methods,
                    passkey: authentication.passkey,
                    origin: origin
                ),
                tokenBinding: Session.TokenBinding(proof: binding, key: key)
            ),
            refreshKey: refreshRowKey(refreshToken.id),
            refreshExpiresAt: now + refreshToken.lifetime,
            face: face
        )
    }
}
