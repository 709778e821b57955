package import Accounts
package import Devices
import HTTPTypes
import Hummingbird
package import Kernel
import Operations
package import Sessions
import Tokens
import Wire

/// Somebody who has just proved who they are, by something else than an operation.
struct SignInOrder: Sendable {
    let account: AccountID
    /// What they proved it with (RFC 8176): `pwd`, `otp`, `hwk`; nothing where they opened the account just now.
    let methods: [String]
    let policy: ClientPolicy
    /// The passkey that they proved it with.
    var passkey: PasskeyID?
    /// The registered device that they are on, where they have proved that.
    var device: DeviceID?
    /// What they say of the device that they are on: a sign-in on one without an owner makes it theirs.
    var registration: DeviceRegistration?
    /// The tag of the language that the owner is told in of a device that is theirs from now on; `nil` to tell nobody: the
    /// account was opened just now.
    var language: String?
    /// The client's own name for that device; tokens carry it, unless it is registered and not theirs.
    var deviceName: String?
    /// What the session's refresh tokens are to be no good without.
    var binding: Session.Binding = .none
    /// The proof of the key that the session's tokens are to be bound to: see ``SessionOpener/proof(of:)``.
    var proof: ShownProof?
    /// Further clients whose logins the device may start from then on, where cookies are kept.
    var alsoKnownTo: [String] = []
    /// The proofs of devices that the request brought; `nil` for an app that keeps no cookies, which is left none.
    var cookies: DeviceCookies?
}

/// A session that was opened, and for whom.
struct OpenedSession: Sendable {
    let person: AccountProfile
    let policy: ClientPolicy
    let claims: FirstClaims
    let deviceCookie: Delivery.DeviceCookie
}

/// Opens sessions for people who sign in without an operation: the one way from a proof to tokens.
///
/// Whoever checks a password, a code or a key calls ``open(_:in:)`` in the unit of work that notes its success, and
/// answers with ``answer(_:_:status:for:)`` when that is durable.
package struct SessionOpener: Sendable {
    private let accounts: AccountDesk
    private let sessions: SessionDesk
    private let links: DeviceLinks
    private let registrar: DeviceRegistrar
    private let tokens: FirstTokens
    private let gate: DPoPGate
    private let cookies: SignInCookies
    private let facts: Facts

    package init(
        accounts: AccountDesk,
        sessions: SessionDesk,
        links: DeviceLinks,
        registrar: DeviceRegistrar,
        tokens: FirstTokens,
        gate: DPoPGate,
        cookies: SignInCookies,
        facts: Facts
    ) {
        self.accounts = accounts
        self.sessions = sessions
        self.links = links
        self.registrar = registrar
        self.tokens = tokens
        self.gate = gate
        self.cookies = cookies
        self.facts = facts
    }

    /// The proof of the key that a sign-in by that request binds its tokens to; `nil` for bearer tokens.
    ///
    /// To be asked before anything is used up, since a proof that is no good refuses the sign-in.
    func proof(of request: Request) throws(Problem) -> ShownProof? { try gate.signIn(request) }

    /// Opens a session of its own, whatever session the caller brought, in the caller's unit of work.
    ///
    /// `nil` if the account can't sign in: it is disabled, or gone. Uses the order's proof up.
    /// - Throws: what ``ShownProof/use()`` does, and nothing is opened; ``StoreFailure``.
    func open(_ order: SignInOrder, in transaction: borrowing Transaction) throws -> OpenedSession? {
        guard let person = try accounts.active(order.account, in: transaction) else { return nil }
        try order.proof?.use()
        let session = facts.newID(SessionID.self)
        let (order, isDeviceProven) = try settled(order, opening: session, in: transaction)
        let proofKey = order.proof?.thumbprint
        let now = facts.now()
        let claims = FirstClaims(
            account: order.account,
            session: session,
            deviceID: order.deviceName,
            accessTokenID: facts.newUUID(),
            refreshTokenID: facts.newUUID(),
            issuedAt: now,
            authenticatedAt: now,
            methods: order.methods,
            proofKey: proofKey
        )
        let (device, cookie) = try link(order, claims.session, in: transaction)
        try sessions.signIn(
            SessionOpeningOrder(
                session: Session(
                    id: claims.session,
                    account: order.account,
                    client: order.policy.clientID,
                    device: device,
                    isDeviceProven: isDeviceProven,
                    createdAt: now,
                    authenticatedAt: now,
                    methods: order.methods,
                    binding: order.binding,
                    proofKey: proofKey,
                    passkey: order.passkey,
                    revokedAt: nil
                ),
                refreshKey: refreshRowKey(claims.refreshTokenID.description),
                refreshExpiresAt: now + order.policy.refreshTokenLifetime
            ),
            in: transaction
        )
        return OpenedSession(person: person, policy: order.policy, claims: claims, deviceCookie: cookie)
    }

    /// The session's tokens: the same claims each time.
    func pair(of opened: OpenedSession) throws -> LoginTokens { try tokens.sign(opened.claims, under: opened.policy) }

    /// Sets the cookie that proves the device on an answer that has no tokens.
    func setDeviceCookie(of opened: OpenedSession, on response: inout Response, for request: Request) {
        cookies.setDevice(opened.deviceCookie, of: opened.claims.session, on: &response, for: request)
    }

    /// The answer that every app in the field finds its members in: tokens both nested and flat, and who signed in.
    func answer(
        _ opened: OpenedSession,
        _ message: String,
        status: HTTPResponse.Status = .ok,
        for request: Request
    ) throws -> Response {
        let pair = try tokens.sign(opened.claims, under: opened.policy)
        var response = JSONReply.encode(
            SignInResponse(message: message, user: SignedInUser(opened.person), tokens: pair),
            status: status
        )
        cookies.set(
            opened.deviceCookie,
            of: opened.claims.session,
            opened.policy.clientID,
            refreshToken: Secret(pair.refreshToken),
            until: opened.claims.issuedAt + opened.policy.refreshTokenLifetime,
            on: &response,
            for: request
        )
        return response
    }

    /// The order with the registered device that it is on, whose owner the account now is, and whether it is proven to be on
    /// it.
    ///
    /// A device that is the account's already is proven by its credential, or by a code from the owner's mailbox: its name can
    /// be said by whoever learned the password. A passkey or a face is not enough here, since a password sets up either.
    private func settled(
        _ order: SignInOrder,
        opening session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> (order: SignInOrder, isDeviceProven: Bool) {
        guard order.device == nil, let registration = order.registration else { return (order, order.device != nil) }
        var settled = order
        let device = try registrar.signIn(
            order.account,
            on: registration,
            language: order.language,
            opening: session,
            in: transaction
        )
        settled.device = device?.id
        // A token names no device that is somebody else's, or nobody's.
        guard let device else {
            settled.deviceName = nil
            return (settled, false)
        }
        return (settled, device.isProven || order.methods.contains("otp"))
    }

    private func link(
        _ order: SignInOrder,
        _ session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> (DeviceID?, Delivery.DeviceCookie) {
        guard let brought = order.cookies else { return (order.device, .none) }
        let link = try links.signIn(
            order.account,
            client: order.policy.clientID,
            by: order.methods,
            alsoFor: order.alsoKnownTo,
            brought: brought.digests,
            minted: cookies.digest(for: session),
            registered: order.device,
            in: transaction
        )
        return (order.device ?? link.device, link.isProlonged ? .prolonged : .minted)
    }
}

extension SignedInUser {
    init(_ person: AccountProfile) {
        let attributes = person.account.attributes
        self.init(
            id: person.account.id.description,
            displayName: person.account.displayName,
            email: person.email?.text ?? "",
            emailVerified: person.isEmailVerified,
            role: attributes.role,
            accessLevel: attributes.accessLevel,
            department: attributes.department,
            walletId: attributes.walletID,
            username: person.username?.text
        )
    }
}
