package import Kernel
internal import TokenReading

/// Who a request to one of our endpoints comes from (RFC 6749 §2.3 and §3.2.1, OpenID Connect Core §9).
package struct ClientAuthenticator: Sendable {
    private let directory: OAuthClientDirectory
    private let secrets: ClientSecrets
    private let assertions: AssertionMemory

    package init(directory: OAuthClientDirectory, secrets: ClientSecrets, assertions: AssertionMemory) {
        self.directory = directory
        self.secrets = secrets
        self.assertions = assertions
    }

    /// The client that these are the credentials of.
    /// - Throws: ``OAuthError`` `invalid_request` for a request that is no one attempt, `invalid_client` for one that does not
    ///   show who it comes from, whatever the reason, and `temporarily_unavailable` where assertions can't be remembered.
    package func authenticate(
        _ form: ClientCredentials,
        at now: Instant
    ) throws(OAuthError) -> AuthenticatedClient {
        switch try Attempt(form) {
        case .named(let id): try named(id)
        case .secret(let id, let secret, let method): try bySecret(secret, of: id, method: method, at: now)
        case .assertion(let id): try byAssertion(form.token, of: id, audiences: form.audiences, at: now)
        }
    }

    /// A public client names itself (RFC 6749 §2.1, §3.2.1); of one that can keep a secret, a name is not enough.
    private func named(_ id: String) throws(OAuthError) -> AuthenticatedClient {
        guard let client = client(id), client.authentication == .none else { throw Self.refusal }
        return AuthenticatedClient(client: client, method: .none)
    }

    private func bySecret(
        _ secret: String,
        of id: String,
        method: AuthenticatedClient.Method,
        at now: Instant
    ) throws(OAuthError) -> AuthenticatedClient {
        let client = client(id)
        // Whoever is unknown, disabled, or without a secret is compared with one that nobody has: the answer takes as long.
        guard secrets.matches(secret, client?.secretHashes ?? [], at: now), let client else { throw Self.refusal }
        return AuthenticatedClient(client: client, method: method)
    }

    private func byAssertion(
        _ token: ClientToken?,
        of id: String?,
        audiences: Set<String>,
        at now: Instant
    ) throws(OAuthError) -> AuthenticatedClient {
        guard let token, let subject = token.unverified("sub"), subject.utf8.count <= Self.longestID else {
            throw Self.refusal
        }
        // RFC 7521 §4.2: a client_id beside it has to be the same.
        guard id == nil || id == subject else {
            throw OAuthError(.invalidRequest, "client_id is not the client that the assertion is of.")
        }
        guard let client = client(subject), case .privateKeyJWT(let keys) = client.authentication,
            let claims = try? token.claims(signedBy: keys),
            let assertion = try? ClientAssertion(claims, of: client.id, for: audiences, at: now)
        else { throw Self.refusal }
        // Last, so that only the client itself can use one up, or take room.
        switch assertions.note(assertion.id, of: client.id, until: assertion.expiresAt, at: now) {
        case .new: return AuthenticatedClient(client: client, method: .privateKeyJWT)
        case .used: throw Self.refusal
        case .full(let wait):
            throw OAuthError(
                .temporarilyUnavailable,
                "Too many assertions of this client are open. Make them shorter-lived, and come back later.",
                retryAfter: Int(wait.secondsRoundedUp)
            )
        }
    }

    private func client(_ id: String) -> OAuthClient? {
        guard let client = directory.client(id), client.isEnabled else { return nil }
        return client
    }

    /// Characters of a `client_id`.
    static let longestID = 256

    /// One for all reasons: it tells nobody whether there is such a client, or how it shows itself.
    private static let refusal = OAuthError(
        .invalidClient,
        "The client is unknown or disabled, or did not show in its registered way that it is itself."
    )
}

extension OAuthClient {
    /// What is kept of its secrets; `nil` if it has no way with any.
    fileprivate var secretHashes: [SecretHash]? {
        switch authentication {
        case .secret(let hashes): hashes
        case .none, .privateKeyJWT: nil
        }
    }
}
