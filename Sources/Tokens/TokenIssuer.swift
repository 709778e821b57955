package import Kernel
package import TokenReading

/// Signs tokens.
///
/// It remembers nothing: the same claims can be signed again when an answer was lost.
package struct TokenIssuer: Sendable {
    private let issuer: String
    private let ring: KeyRing
    private let refreshKey: RefreshKey

    /// - Parameters:
    ///   - issuer: The `iss` of access tokens.
    ///   - ring: Signs access tokens.
    ///   - folder: Where the key of refresh tokens comes from.
    package init(issuer: String, ring: KeyRing, folder: KeyFolder) {
        self.issuer = issuer
        self.ring = ring
        refreshKey = RefreshKey(folder)
    }

    /// An access token (`typ: at+jwt`, RFC 9068) signed with the ring's current key.
    package func sign(access claims: AccessClaims) throws(SigningFault) -> Secret {
        let snapshot = ring.snapshot
        var token = Self.unsigned(snapshot.accessHeader, claims.json(issuer: issuer))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// An approval token (`typ: vst-approval+jwt`) signed with the ring's current key.
    package func sign(approval claims: ApprovalClaims) throws(SigningFault) -> Secret {
        let snapshot = ring.snapshot
        var token = Self.unsigned(snapshot.approvalHeader, claims.json(issuer: issuer))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// A receipt (`typ: vestibule-receipt+jwt`) signed with the ring's current key.
    package func sign(receipt claims: ReceiptClaims) throws(SigningFault) -> Secret {
        let snapshot = ring.snapshot
        var token = Self.unsigned(snapshot.receiptHeader, claims.json(issuer: issuer))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// An id token (`typ: JWT`) that goes with those tokens, signed with the ring's current key.
    ///
    /// `pushed`: the refresh token beside it, where both are pushed to the client and not asked for (CIBA Core §10.3.1).
    package func sign(
        identity claims: IDTokenClaims,
        beside accessToken: Secret,
        pushed refreshToken: Secret? = nil
    ) throws(SigningFault) -> Secret {
        let snapshot = ring.snapshot
        let algorithm = snapshot.current.verificationKey.algorithm
        let beside = IDTokenClaims.Beside(
            accessTokenHash: TokenHash.half(of: accessToken, for: algorithm),
            refreshTokenHash: refreshToken.map { TokenHash.half(of: $0, for: algorithm) }
        )
        var token = Self.unsigned(snapshot.identityHeader, claims.json(issuer: issuer, beside: beside))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// A refresh token (`typ: rt+jwt`) that only this server can verify.
    package func sign(refresh claims: RefreshClaims) -> Secret {
        var token = Self.unsigned(refreshKey.header, claims.json())
        return Self.signed(&token, refreshKey.code(for: token.bytes))
    }

    private static func unsigned(_ header: [UInt8], _ payload: [UInt8]) -> TokenBuffer {
        var token = TokenBuffer(capacity: header.count + payload.count * 4 / 3 + 96)
        token.append(header)
        token.append(base64URL: payload)
        return token
    }

    private static func signed(_ token: inout TokenBuffer, _ signature: [UInt8]) -> Secret {
        token.appendDot()
        token.append(base64URL: signature)
        return Secret(token.text)
    }
}
