internal import Kernel
internal import TokenReading

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What an access token of Vestibule says (RFC 9068 §2.2), once ``AccessTokenVerifier`` has found it good.
public struct AccessToken: Sendable, Hashable {
    /// Whose it is: the account's id (`sub`).
    public let account: UUID
    /// Whom it is for (`aud`): one of the audiences that the verifier takes.
    public let audience: String
    /// The client that the person signed in to (`client_id`).
    public let clientID: String
    /// The sign-in that it belongs to (`sid`), the same in all tokens of that sign-in.
    public let session: UUID
    /// The client's own name for its device (`deviceId`), where it gave one; a name, and no proof.
    public let deviceID: String?
    /// The token's own name (`jti`).
    public let tokenID: String
    /// When it was signed (`iat`).
    public let issuedAt: Date
    /// From when on it is good no more (`exp`).
    public let expiresAt: Date
    /// When the person last proved who they are (`auth_time`): a refresh does not move it.
    public let authenticatedAt: Date
    /// How they did (`amr`, RFC 8176), like `face`.
    public let methods: [String]
    /// How sure that is (`acr`), where it is said.
    public let contextClass: String?
    /// What the token is limited to (`scope`, RFC 8693 §4.2); `nil` in one that is good for all that the account may.
    ///
    /// A token with scopes speaks for the account no further than they say.
    public let scopes: Set<String>?
}

extension AccessToken {
    init?(_ claims: AccessClaims) {
        guard let account = UUID(uuidString: claims.account.description),
            let session = UUID(uuidString: claims.session.description)
        else { return nil }
        self.init(
            account: account,
            audience: claims.audience,
            clientID: claims.clientID,
            session: session,
            deviceID: claims.deviceID,
            tokenID: claims.tokenID,
            issuedAt: Self.date(claims.issuedAt),
            expiresAt: Self.date(claims.expiresAt),
            authenticatedAt: Self.date(claims.authenticatedAt),
            methods: claims.methods,
            contextClass: claims.contextClass,
            scopes: claims.scopes
        )
    }

    private static func date(_ instant: Instant) -> Date { Date(timeIntervalSince1970: Double(instant.seconds)) }
}
