import Kernel
import OAuth
import Sessions
import TokenReading
import Tokens

/// The times and the `jti` of a token.
struct TokenLife {
    let id: String
    let issuedAt: Instant
    let expiresAt: Instant

    /// Returns `expires_in`: whole seconds, never negative.
    func secondsLeft(at now: Instant) -> Int { Int(max(0, (expiresAt - now).wholeMilliseconds / 1000)) }
}

extension TokenLife {
    init(id: String, _ row: RefreshToken) {
        self.init(id: id, issuedAt: row.issuedAt, expiresAt: row.expiresAt)
    }
}

/// The claims about a session in all its tokens: the only source of `amr`, `acr` and `auth_time`.
struct TokenSubject {
    let account: AccountID
    let client: String
    let session: SessionID
    let deviceID: String?
    let authentication: AuthenticationContext
    /// The key that access tokens are bound to, by its thumbprint.
    let proofKey: Digest256?

    init(_ claims: SessionClaims, of client: String) {
        account = claims.account
        self.client = client
        session = claims.session
        deviceID = claims.deviceID
        authentication = claims.authentication
        proofKey = claims.proofKey
    }

    init(_ session: Session, deviceID: String?) {
        account = session.account
        client = session.client
        self.session = session.id
        self.deviceID = deviceID
        authentication = AuthenticationContext(of: session)
        proofKey = session.tokenBinding.key
    }

    init(_ grant: AuthorizedGrant, in session: SessionID, boundTo proofKey: Digest256?) {
        account = grant.account
        client = grant.clientID
        self.session = session
        deviceID = nil
        authentication = grant.authentication
        self.proofKey = proofKey
    }

    private var contextClass: String? { ContextClassReference(authentication)?.rawValue }

    func access(_ life: TokenLife, audience: String, scopes: Set<String>? = nil) -> AccessClaims {
        AccessClaims(
            account: account,
            audience: audience,
            clientID: client,
            session: session,
            deviceID: deviceID,
            tokenID: life.id,
            issuedAt: life.issuedAt,
            expiresAt: life.expiresAt,
            authenticatedAt: authentication.at,
            methods: authentication.methods,
            contextClass: contextClass,
            confirmation: proofKey.map { KeyID($0) },
            scopes: scopes
        )
    }

    func refresh(_ life: TokenLife, use: RefreshClaims.Use = .app) -> RefreshClaims {
        RefreshClaims(
            account: account,
            session: session,
            deviceID: deviceID,
            tokenID: life.id,
            issuedAt: life.issuedAt,
            expiresAt: life.expiresAt,
            use: use
        )
    }

    func identity(
        _ life: TokenLife,
        of grant: AuthorizedGrant,
        nonce: String?,
        _ person: IDTokenClaims.Person?
    ) -> IDTokenClaims {
        IDTokenClaims(
            account: account,
            clientID: client,
            session: session,
            issuedAt: life.issuedAt,
            expiresAt: life.expiresAt,
            authenticatedAt: authentication.at,
            methods: authentication.methods,
            contextClass: contextClass,
            nonce: nonce,
            backchannelRequest: grant.backchannelRequest,
            person: person
        )
    }
}
