package import CodeFlow
package import Kernel

/// The code that an app presents, with its redirect URI and verifier.
package struct PresentedCode: Sendable {
    package let code: Secret
    /// `nil` where the token request has none; the published app sends none.
    package let redirectURI: String?
    package let verifier: Secret?

    package init(code: Secret, redirectURI: String?, verifier: Secret?) {
        self.code = code
        self.redirectURI = redirectURI
        self.verifier = verifier
    }
}

extension BrokerService {
    /// Redeems a code of this server.
    ///
    /// A client that needs no code challenge may also redeem a code that the upstream sent to the app directly.
    /// - Throws: ``OAuthError``; ``StoreError``, before the upstream is asked.
    package func redeem(
        _ presented: PresentedCode,
        client: OAuthClient,
        at upstream: Upstream
    ) async throws -> GrantedTokens {
        let text = presented.code.expose()
        guard text.hasPrefix(Self.codePrefix) else {
            guard client.authorization.codeChallenge == .optional,
                (1...AuthorizationCallback.longestCode).contains(text.utf8.count)
            else {
                throw OAuthError.badCode
            }
            let verifier = upstream.takesCodeChallenge ? presented.verifier : nil
            // A verifier that nobody compares with a challenge would protect nothing.
            guard verifier != nil || presented.verifier == nil else { throw OAuthError.noChallenge }
            return try await tokens(
                for: .code(presented.code, redirectURI: presented.redirectURI, verifier: verifier),
                at: upstream
            )
        }
        let code = try await open(
            String(text.dropFirst(Self.codePrefix.count)),
            with: presented,
            of: client,
            at: upstream
        )
        return try await tokens(
            for: .code(Secret(code.code), redirectURI: callback, verifier: code.verifier.map { Secret($0) }),
            at: upstream
        )
    }

    /// Exchanges a refresh token.
    ///
    /// The request is never repeated, because an upstream accepts the token once.
    package func refresh(
        _ token: Secret,
        scope: String?,
        at upstream: Upstream
    ) async throws(OAuthError) -> GrantedTokens {
        guard (1...AuthorizationCallback.longestCode).contains(token.expose().utf8.count) else {
            throw .badRefreshToken
        }
        if let scope {
            guard let asked = ScopeSet(parsing: scope), asked.values.isSubset(of: upstream.server.scopes) else {
                throw OAuthError(.invalidScope, "A refresh can't add a scope to those of the sign-in.")
            }
        }
        return try await tokens(for: .refreshToken(token, scope: scope), at: upstream)
    }

    /// Checks everything about a code, and then marks it as used.
    private func open(
        _ ticket: String,
        with presented: PresentedCode,
        of client: OAuthClient,
        at upstream: Upstream
    ) async throws -> CodeTicket {
        guard let code = tickets.open(ticket, as: CodeTicket.self, for: .code), code.client == client.id,
            code.upstream == upstream.name, environment.now() < Instant(milliseconds: code.expiresAt)
        else { throw OAuthError.badCode }
        if let redirectURI = presented.redirectURI {
            // RFC 6749 §4.1.3. Without a `redirect_uri`, only the code challenge, if there is one, binds the code
            // (OAuth 2.1 §10.2).
            guard redirectURI.utf8.elementsEqual(code.redirectURI.utf8) else {
                throw OAuthError(.invalidGrant, "redirect_uri is another than the code was sent to.")
            }
        }
        try check(presented.verifier, against: code.challenge)
        guard try await tickets.use(ticket, for: .code, until: Instant(milliseconds: code.expiresAt)) else {
            throw OAuthError.badCode
        }
        return code
    }

    /// Checks the verifier (RFC 7636 §4.6).
    ///
    /// A verifier for a code without a challenge shows a downgrade (RFC 9700 §4.8.2).
    private func check(_ verifier: Secret?, against challenge: String?) throws(OAuthError) {
        guard let challenge else {
            guard verifier == nil else { throw .noChallenge }
            return
        }
        guard let verifier else { throw OAuthError(.invalidGrant, "code_verifier is missing.") }
        guard let expected = Base64URL.decode(challenge).flatMap({ Digest256($0) }),
            (43...128).contains(verifier.expose().utf8.count),
            expected.matches(Digest256(sha256: verifier.expose()))
        else { throw OAuthError(.invalidGrant, "code_verifier does not fit the code_challenge.") }
    }
}

extension OAuthError {
    static let badCode = OAuthError(.invalidGrant, "The code is not valid, has expired, or was used. Begin again.")
    static let badRefreshToken = OAuthError(
        .invalidGrant,
        "The refresh token is not valid, or was used. Sign in again."
    )
    static let noChallenge = OAuthError(
        .invalidGrant,
        "code_verifier does not belong here: the sign-in began without a code_challenge."
    )
    static let upstreamDown = OAuthError(
        .temporarilyUnavailable,
        "The authorization server behind this one does not answer. Try again.",
        retryAfter: 5
    )
    static let upstreamBroken = OAuthError(
        .serverError,
        "The authorization server behind this one gave an unusable answer. Tell the operator.",
        isUpstreams: true
    )
    static let refusedByUpstream = OAuthError(
        .serverError,
        "The authorization server behind this one refuses this server's requests. Tell the operator."
    )
}
