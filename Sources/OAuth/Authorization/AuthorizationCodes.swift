package import Kernel

extension AuthorizationService {
    /// Ends an interaction with a code, in the caller's unit of work, and stores the person's consent.
    ///
    /// - Throws: ``InteractionEndedError`` if the interaction has ended meanwhile: of two clicks on one button, one
    ///   gets a code.
    package func issueCode(
        for interaction: Interaction,
        grant: AuthorizedGrant,
        in transaction: borrowing Transaction
    ) throws -> AuthorizationAnswer {
        guard try interactions.remove(interaction.id, in: transaction) else { throw InteractionEndedError() }
        if interaction.consentedBy == grant.account { try remember(grant, in: transaction) }
        return try issueCode(for: interaction.request, grant: grant, in: transaction)
    }

    /// Answers a request with a code, in the caller's unit of work.
    package func issueCode(
        for request: AuthorizationRequest,
        grant: AuthorizedGrant,
        in transaction: borrowing Transaction
    ) throws -> AuthorizationAnswer {
        let (code, now) = (environment.newSecret(), environment.now())
        try codes.insert(
            AuthorizationCode(
                digest: Digest256(sha256: code.expose()),
                grant: grant,
                binding: AuthorizationCode.Binding(
                    redirectURI: request.target.redirectURI,
                    namesRedirectURI: request.target.namesRedirectURI,
                    codeChallenge: request.binding.codeChallenge,
                    proofKey: request.binding.proofKey
                ),
                issuedAt: now,
                expiresAt: now + policy.codeLifetime
            ),
            in: transaction
        )
        return answers.code(code, to: request)
    }

    private func remember(_ grant: AuthorizedGrant, in transaction: borrowing Transaction) throws {
        let (now, origin) = (environment.now(), grant.authentication.session)
        let held = try consents.find(grant.account, client: grant.clientID, in: transaction)
            .first { $0.origin == origin && now < $0.expiresAt }
        try consents.put(
            Consent(
                account: grant.account,
                clientID: grant.clientID,
                origin: origin,
                scopes: ScopeSet(grant.scopes.values.union(held?.scopes.values ?? [])),
                resources: Set(grant.resources).union(held?.resources ?? []),
                grantedAt: now,
                expiresAt: now + policy.consentLifetime
            ),
            in: transaction
        )
    }

    /// Checks that a code was issued to this client, before the unit of work that redeems the code.
    ///
    /// This check only reads, so that guessed codes do not occupy the database's writer.
    /// - Throws: ``OAuthError`` `invalid_grant`.
    package func requireIssued(_ code: String, to authenticated: AuthenticatedClient) async throws {
        let held = try await unitOfWork.read { [codes] in try codes.find(Digest256(sha256: code), in: $0) }
        guard held?.grant.clientID == authenticated.client.id else {
            throw Self.unknownCode
        }
    }

    /// Redeems a code, in the unit of work that also opens its session (RFC 6749 §4.1.3).
    ///
    /// A code with the wrong client, redirect URI, verifier or key stays valid, so that an eavesdropper cannot use it
    /// up.
    /// `verifier` is the code verifier of the token request. `proofKey` is the thumbprint of the key of the request's
    /// DPoP proof.
    /// - Throws: ``OAuthError`` `invalid_grant`; ``CodeReplayedError``, after which the caller revokes the code's
    ///   session.
    package func redeem(
        code: String,
        by authenticated: AuthenticatedClient,
        redirectURI: String?,
        verifier: String?,
        proofKey: Digest256?,
        in transaction: borrowing Transaction
    ) throws -> RedeemedCode {
        let (digest, now) = (Digest256(sha256: code), environment.now())
        // RFC 6749 §4.1.3: only its own client may redeem a code. RFC 9700 §4.5: other clients do not learn whose code
        // it is.
        guard let held = try codes.find(digest, in: transaction), held.grant.clientID == authenticated.client.id else {
            throw Self.unknownCode
        }
        try CodeBinding(held).check(
            redirectURI: redirectURI,
            verifier: verifier,
            proofKey: proofKey,
            isAddressWaived: authenticated.client.authorization.codeChallenge == .optional
        )
        // RFC 6749 §4.1.2: a late replay also shows that the code was stolen.
        guard held.redeemedAt == nil else { throw CodeReplayedError(session: held.session) }
        guard now < held.expiresAt, try codes.redeem(digest, at: now, in: transaction) else { throw Self.unknownCode }
        return RedeemedCode(grant: held.grant, code: digest)
    }

    /// Records the session that was opened with a code, in the same unit of work.
    ///
    /// A replay of the code revokes that session.
    package func note(session: SessionID, for code: Digest256, in transaction: borrowing Transaction) throws {
        try codes.note(session: session, for: code, in: transaction)
    }

    fileprivate static let unknownCode = OAuthError(
        .invalidGrant,
        "The code is not of this client, or has expired. Begin with a new authorization request."
    )
}

extension CodeReplayedError {
    /// The error that the client gets: the same as for an unknown code.
    package static let answer = AuthorizationService.unknownCode
}

/// Compares the bindings of a code with the token request.
struct CodeBinding {
    private let code: AuthorizationCode

    init(_ code: AuthorizationCode) { self.code = code }

    /// `isAddressWaived` tells whether the client may leave out `redirect_uri`, because its published app does not
    /// repeat it.
    func check(
        redirectURI: String?,
        verifier: String?,
        proofKey: Digest256?,
        isAddressWaived: Bool
    ) throws(OAuthError) {
        try check(redirectURI: redirectURI, isWaived: isAddressWaived)
        try check(verifier: verifier)
        // RFC 9449 §10.
        guard code.binding.proofKey == nil || code.binding.proofKey == proofKey else {
            throw OAuthError(.invalidGrant, "The code is bound to another key than that of the DPoP proof.")
        }
    }

    /// Checks the redirect URI (RFC 6749 §4.1.3).
    ///
    /// With a code challenge it may be left out (OAuth 2.1 §10.2), but not differ.
    private func check(redirectURI: String?, isWaived: Bool) throws(OAuthError) {
        guard let redirectURI else {
            guard !code.binding.namesRedirectURI || code.binding.codeChallenge != nil || isWaived else {
                throw OAuthError(.invalidGrant, "The redirect_uri of the authorization request has to be repeated.")
            }
            return
        }
        guard Array(redirectURI.utf8) == Array(code.binding.redirectURI.utf8) else {
            throw OAuthError(.invalidGrant, "The redirect_uri is not that of the authorization request.")
        }
    }

    /// Checks the verifier (RFC 7636 §4.6).
    private func check(verifier: String?) throws(OAuthError) {
        guard let challenge = code.binding.codeChallenge else {
            // RFC 9700 §4.8.2: an attacker has removed the challenge from the authorization request.
            guard verifier == nil else {
                throw OAuthError(
                    .invalidGrant,
                    "A code_verifier was sent, but the authorization request had no code_challenge."
                )
            }
            return
        }
        guard let verifier else { throw OAuthError(.invalidGrant, "The code_verifier is missing.") }
        guard Self.isVerifier(verifier), Digest256(sha256: verifier).matches(challenge) else {
            throw OAuthError(.invalidGrant, "The code_verifier does not match the code_challenge.")
        }
    }

    /// Whether a text has 43 to 128 unreserved characters (RFC 7636 §4.1).
    private static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(isUnreserved)
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
