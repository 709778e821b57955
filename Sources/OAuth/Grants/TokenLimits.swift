/// The limits of one token: at most what the person granted and what the client may still have.
package struct TokenLimits: Sendable, Equatable {
    /// `aud`: one of the grant's resources, or the client's own audience.
    package let audience: String
    package let scopes: ScopeSet

    /// - Parameters:
    ///   - granted: The scopes that the person granted.
    ///   - resources: The resources of the grant.
    ///   - client: The client of the grant.
    ///   - request: The limits that the token request asks for.
    /// - Throws: ``OAuthError`` `invalid_scope`, `invalid_target`.
    package init(
        of granted: ScopeSet,
        resources: [String],
        client: OAuthClient,
        request: TokenLimitsRequest
    ) throws(OAuthError) {
        audience = try Self.audience(request.resources, granted: resources, to: client)
        let left = client.leaves(of: granted)
        guard !left.isEmpty || granted.isEmpty else {
            throw OAuthError(.invalidScope, "The client may no longer have any of the scopes that were granted.")
        }
        guard let text = request.scope else {
            // RFC 6749 §6: without `scope`, the token gets the granted scopes.
            scopes = left
            return
        }
        // RFC 6749 §6: every scope must have been granted by the person.
        guard let asked = ScopeSet(parsing: text), !asked.isEmpty, asked.isSubset(of: left) else {
            throw OAuthError(.invalidScope, "The scope goes beyond what was granted, or can't be read.")
        }
        scopes = asked
    }

    /// Returns the only audience, so that one resource cannot use the token at another resource (RFC 8707 §2.2).
    private static func audience(
        _ asked: [String],
        granted: [String],
        to client: OAuthClient
    ) throws(OAuthError) -> String {
        guard asked.count <= 1 else {
            throw OAuthError(.invalidTarget, "A token is for one resource: ask for one token each.")
        }
        let left = client.leaves(of: granted)
        if let resource = asked.first {
            guard left.contains(resource) else {
                throw OAuthError(.invalidTarget, "This resource was not granted, or the client may no longer have it.")
            }
            return resource
        }
        guard !granted.isEmpty else { return client.access.audience }
        // A grant for one resource must not give a token for the client itself.
        guard let only = left.first else {
            throw OAuthError(.invalidTarget, "The client may no longer have any of the resources that were granted.")
        }
        guard left.count == 1 else {
            throw OAuthError(.invalidTarget, "Several resources were granted: say which of them the token is for.")
        }
        return only
    }
}

/// The limits that a token request asks for.
package struct TokenLimitsRequest: Sendable, Equatable {
    /// The value of `scope`; `nil` for the granted scopes.
    package let scope: String?
    /// The values of `resource`.
    package let resources: [String]

    package init(scope: String? = nil, resources: [String] = []) {
        self.scope = scope
        self.resources = resources
    }
}
