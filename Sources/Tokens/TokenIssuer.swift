// Tokens: signing, and the keys for it.
// Owns the key rings and their folder, claims as JSON, refresh succession, encryption of rows.
// Looks nothing up: SignIn hands it the claims.
// Survives a kill in the middle of a rotation, and a folder that another process holds.
// Private keys are never logged, and encrypted on disk where a key for that is set.

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

    /// Returns an access token (`typ: at+jwt`, RFC 9068) signed with the ring's current key.
    package func sign(access claims: AccessClaims) throws(SigningError) -> Secret {
        let snapshot = ring.snapshot
        var token = Self.unsigned(snapshot.headers.access, claims.json(issuer: issuer))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// Returns an approval token (`typ: vst-approval+jwt`) signed with the ring's current key.
    package func sign(approval claims: ApprovalClaims) throws(SigningError) -> Secret {
        let snapshot = ring.snapshot
        var token = Self.unsigned(snapshot.headers.approval, claims.json(issuer: issuer))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// Returns a receipt (`typ: vestibule-receipt+jwt`) signed with the ring's current key.
    package func sign(receipt claims: ReceiptClaims) throws(SigningError) -> Secret {
        let snapshot = ring.snapshot
        var token = Self.unsigned(snapshot.headers.receipt, claims.json(issuer: issuer))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// Returns whether there is a key for id tokens by that algorithm; the one for RS256 is made in the background at
    /// first.
    package func signsIdentity(by algorithm: SigningAlgorithm?) -> Bool {
        identityKeys(for: algorithm) != nil
    }

    /// Returns the ring whose key signs id tokens by that algorithm; `nil` for RS256 until its keys are made.
    ///
    /// A client that asks for none, or for one that access tokens were once signed with, gets what those are signed with now.
    private func identityKeys(for algorithm: SigningAlgorithm?) -> KeyRingSnapshot? {
        algorithm == .rs256 ? ring.identity?.snapshot : ring.snapshot
    }

    /// Returns an id token (`typ: JWT`) that goes with those tokens, signed with the current key of its ring.
    ///
    /// - Parameters:
    ///   - claims: What it says.
    ///   - accessToken: The token beside it.
    ///   - refreshToken: The refresh token beside it, where both are pushed to the client and not asked for (CIBA Core §10.3.1).
    ///   - algorithm: What the client asks for (`id_token_signed_response_alg`).
    /// - Returns: The token in the compact form.
    /// - Throws: ``SigningError``; ``SigningError/keyNotReady`` until the keys for RS256 are made.
    package func sign(
        identity claims: IDTokenClaims,
        beside accessToken: Secret,
        pushed refreshToken: Secret? = nil,
        by algorithm: SigningAlgorithm? = nil
    ) throws(SigningError) -> Secret {
        guard let snapshot = identityKeys(for: algorithm) else { throw .keyNotReady }
        let algorithm = snapshot.current.verificationKey.algorithm
        let beside = IDTokenClaims.SiblingTokens(
            accessTokenHash: TokenHash.half(of: accessToken, for: algorithm),
            refreshTokenHash: refreshToken.map { TokenHash.half(of: $0, for: algorithm) }
        )
        var token = Self.unsigned(snapshot.headers.identity, claims.json(issuer: issuer, beside: beside))
        let signature = try snapshot.current.signature(for: token.bytes)
        return Self.signed(&token, signature)
    }

    /// Returns a refresh token (`typ: rt+jwt`) that only this server can verify.
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
