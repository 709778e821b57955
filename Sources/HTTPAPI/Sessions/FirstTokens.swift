package import Kernel
import Operations
import TokenReading
package import Tokens
import Wire

/// What the first two tokens of a session say.
struct FirstClaims: Sendable {
    let account: AccountID
    let session: SessionID
    /// The client's own name for its device, as it came.
    let deviceID: String?
    let accessTokenID: UUIDBits
    let refreshTokenID: UUIDBits
    let issuedAt: Instant
    let authenticatedAt: Instant
    /// RFC 8176.
    let methods: [String]
    /// The key that the tokens are bound to, by its thumbprint.
    let proofKey: Digest256?
}

extension FirstClaims {
    /// Those of a login by face.
    init(_ grant: Grant, of account: AccountID, boundTo proofKey: Digest256?) {
        self.init(
            account: account,
            session: grant.session,
            deviceID: nil,
            accessTokenID: grant.accessTokenID,
            refreshTokenID: grant.refreshTokenID,
            issuedAt: grant.issuedAt,
            authenticatedAt: grant.authenticatedAt,
            methods: ["face"],
            proofKey: proofKey
        )
    }
}

/// Signs the first two tokens of a session: the same claims each time they are handed out.
package struct FirstTokens: Sendable {
    private let issuer: TokenIssuer
    private let facts: Facts

    package init(issuer: TokenIssuer, facts: Facts) {
        self.issuer = issuer
        self.facts = facts
    }

    /// Signs the tokens, under the policy in force at the sign-in.
    ///
    /// `isRepeated`: whether they were handed out before. The first answer says the whole lifetime, as RFC 6749 §5.1 has it of
    /// the answer that was just made; a repeated one says what is left of it.
    func sign(_ claims: FirstClaims, under policy: ClientPolicy, isRepeated: Bool = false) throws -> LoginTokens {
        // A clock that was set back meanwhile makes no token good for longer than it ever was.
        let now = isRepeated ? max(facts.now(), claims.issuedAt) : claims.issuedAt
        let expiresAt = claims.issuedAt + policy.accessTokenLifetime
        let access = try issuer.sign(
            access: AccessClaims(
                account: claims.account,
                audience: policy.audience,
                clientID: policy.clientID,
                session: claims.session,
                deviceID: claims.deviceID,
                tokenID: claims.accessTokenID.description,
                issuedAt: claims.issuedAt,
                expiresAt: expiresAt,
                authenticatedAt: claims.authenticatedAt,
                methods: claims.methods,
                contextClass: ContextClass.of(claims.methods),
                confirmation: claims.proofKey.map { KeyID($0) }
            )
        )
        let refresh = issuer.sign(
            refresh: RefreshClaims(
                account: claims.account,
                session: claims.session,
                deviceID: claims.deviceID,
                tokenID: claims.refreshTokenID.description,
                issuedAt: claims.issuedAt,
                expiresAt: claims.issuedAt + policy.refreshTokenLifetime
            )
        )
        return LoginTokens(
            accessToken: access.expose(),
            refreshToken: refresh.expose(),
            expiresIn: Int(max(0, (expiresAt - now).wholeMilliseconds / 1000)),
            tokenType: TokenScheme.of(claims.proofKey)
        )
    }
}

/// The `tokenType` of an answer: the scheme that its access token is sent in (RFC 6749 §7.1, RFC 9449 §5).
enum TokenScheme {
    static func of(_ proofKey: Digest256?) -> String { proofKey == nil ? "Bearer" : DPoPGate.scheme }
}

/// The `acr` that a sign-in by those methods has (OpenID Connect Core §2).
enum ContextClass {
    static func of(_ methods: [String]) -> String? { methods.contains("face") ? "face" : nil }
}
