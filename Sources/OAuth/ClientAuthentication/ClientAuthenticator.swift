package import Kernel
internal import TokenReading

/// Authenticates the clients that send requests (RFC 6749 §2.3 and §3.2.1, OpenID Connect Core §9).
package struct ClientAuthenticator: Sendable {
    private let directory: OAuthClientDirectory
    private let secrets: ClientSecrets
    private let assertions: AssertionMemory

    package init(directory: OAuthClientDirectory, secrets: ClientSecrets, assertions: AssertionMemory) {
        self.directory = directory
        self.secrets = secrets
        self.assertions = assertions
    }

    /// Returns the client that the credentials authenticate.
    /// - Throws: ``OAuthError`` `invalid_request` for several methods or inconsistent parameters; `invalid_client` for
    ///   a missing client or a failed authentication; `temporarily_unavailable` if no more assertions can be recorded.
    package func authenticate(_ form: ClientCredentials, at now: Instant) throws(OAuthError) -> AuthenticatedClient {
        switch try Attempt(form) {
        case .named(let id): try named(id)
        case .secret(let id, let secret, let method): try bySecret(secret, of: id, method: method, at: now)
        case .assertion(let id): try byAssertion(form.token, of: id, audiences: form.audiences, at: now)
        }
    }

    /// Returns whether there is an enabled client with that id.
    package func knows(_ id: String) -> Bool { client(id) != nil }

    /// Returns a public client that only names itself (RFC 6749 §2.1, §3.2.1).
    ///
    /// A confidential client is refused.
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
        // If there is no client with a secret, a decoy hash is compared, so that the time is the same.
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
        // RFC 7521 §4.2: the `client_id` of the request, if any, must be the subject of the assertion.
        guard id == nil || id == subject else {
            throw OAuthError(.invalidRequest, "client_id is not the client that the assertion is of.")
        }
        guard let client = client(subject), case .privateKeyJWT(let keys) = client.authentication,
            let claims = try? token.claims(signedBy: keys),
            let assertion = try? ClientAssertion(claims, of: client.id, for: audiences, at: now)
        else { throw Self.refusal }
        // This check is the last, so that only the client itself can use up its assertion or fill its stripe. What this
        // process does not remember, the mark in the database does.
        switch assertions.note(assertion.id, of: client.id, until: assertion.expiresAt, at: now) {
        case .new:
            return AuthenticatedClient(client: client, method: .privateKeyJWT, assertion: assertion.mark(of: client.id))
        case .used: throw Self.refusal
        case .full(let wait):
            throw OAuthError(
                .temporarilyUnavailable,
                "Too many assertions of this client are open. Make them shorter-lived, and try again later.",
                retryAfter: Int(wait.secondsRoundedUp)
            )
        }
    }

    private func client(_ id: String) -> OAuthClient? {
        guard let client = directory.client(id), client.isEnabled else { return nil }
        return client
    }

    /// The most characters of a `client_id`.
    static let longestID = 256

    /// The only error for all reasons: it does not reveal whether the client exists, or how it authenticates.
    package static let refusal = OAuthError(
        .invalidClient,
        "The client is unknown or disabled, or did not authenticate in its registered way."
    )
}

extension OAuthClient {
    /// The hashes of the client's secrets; `nil` if the client authenticates in another way.
    fileprivate var secretHashes: [SecretHash]? {
        switch authentication {
        case .secret(let hashes): hashes
        case .none, .privateKeyJWT: nil
        }
    }
}
