// Tokens: the signing of tokens, and the keys for it.
// Owns the key rings and their folder, claims as JSON, refresh succession, and the encryption of database rows.
// Looks nothing up: SignIn passes the claims.
// Survives a kill in the middle of a rotation, and a folder that another process uses.
// Never logs private keys, and encrypts them on disk if a key for that is configured.

package import Kernel
package import TokenReading

/// Signs tokens.
///
/// Nothing is stored: if an answer was lost, the same claims are signed again.
package struct TokenIssuer: Sendable {
    private let issuer: String
    private let ring: KeyRing
    private let refreshKey: RefreshKey

    /// - Parameters:
    ///   - issuer: The `iss` of access tokens.
    ///   - ring: The key ring that signs access tokens.
    ///   - folder: The folder from which the key of refresh tokens is derived.
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

    /// Whether there is a key for id tokens with that algorithm.
    ///
    /// The key for RS256 is created in the background.
    package func signsIdentity(by algorithm: SigningAlgorithm?) -> Bool {
        identityKeys(for: algorithm) != nil
    }

    /// Returns the key ring that signs id tokens with that algorithm; `nil` for RS256 until its keys are created.
    ///
    /// Without an algorithm, or with an earlier one of the access tokens, id tokens are signed like access tokens now.
    private func identityKeys(for algorithm: SigningAlgorithm?) -> KeyRingSnapshot? {
        algorithm == .rs256 ? ring.identity?.snapshot : ring.snapshot
    }

    /// Returns an id token (`typ: JWT`) that is issued together with an access token, signed with the current key of
    /// its ring.
    ///
    /// - Parameters:
    ///   - claims: The claims of the id token.
    ///   - accessToken: The access token, whose hash becomes `at_hash`.
    ///   - refreshToken: The refresh token, if both tokens are pushed to the client (CIBA Core §10.3.1).
    ///   - algorithm: The algorithm that the client registered (`id_token_signed_response_alg`).
    /// - Returns: The id token in the compact form.
    /// - Throws: ``SigningError``; ``SigningError/keyNotReady`` until the keys for RS256 are created.
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

    /// Returns a logout token (`typ: logout+jwt`), signed like the client's id tokens (Back-Channel Logout §2.4).
    ///
    /// - Parameters:
    ///   - claims: The claims of the logout token.
    ///   - algorithm: The algorithm that the client registered (`id_token_signed_response_alg`).
    /// - Returns: The logout token in the compact form.
    /// - Throws: ``SigningError``; ``SigningError/keyNotReady`` until the keys for RS256 are created.
    package func sign(
        logout claims: LogoutClaims,
        by algorithm: SigningAlgorithm? = nil
    ) throws(SigningError) -> Secret {
        guard let snapshot = identityKeys(for: algorithm) else { throw .keyNotReady }
        var token = Self.unsigned(snapshot.headers.logout, claims.json(issuer: issuer))
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
