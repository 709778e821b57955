internal import Kernel
internal import TokenReading

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The verified claims of an access token of Vestibule (RFC 9068 §2.2).
///
/// ``AccessTokenVerifier`` returns them.
public struct AccessToken: Sendable, Hashable {
    /// The account's id (`sub`).
    public let account: UUID
    /// The audience (`aud`), which is one that the verifier accepts.
    public let audience: String
    /// The client that the person signed in to (`client_id`).
    public let clientID: String
    /// The session of the token (`sid`).
    ///
    /// It is the same in all tokens of one sign-in.
    public let session: UUID
    /// The client's own name for its device (`deviceId`), if the token has one.
    ///
    /// It proves nothing about the device.
    public let deviceID: String?
    /// The token's id (`jti`).
    public let tokenID: String
    /// The time of the signature (`iat`).
    public let issuedAt: Date
    /// The expiry of the token (`exp`).
    public let expiresAt: Date
    /// The time of the person's last sign-in (`auth_time`).
    ///
    /// A refresh does not change it.
    public let authenticatedAt: Date
    /// The methods of the sign-in (`amr`, RFC 8176), like `face`.
    public let methods: [String]
    /// The strength of the sign-in (`acr`), if the token states it.
    public let contextClass: String?
    /// The scopes that the token is limited to (`scope`, RFC 8693 §4.2); `nil` for a token with all rights of the
    /// account.
    ///
    /// A token with scopes may act for the account only within them. It has at least the scopes that its verifier
    /// requires. A verifier that requires no scopes refuses limited tokens.
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
