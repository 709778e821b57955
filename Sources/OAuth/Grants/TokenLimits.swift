/// What one token of a grant is limited to: never more than the person has granted, and than the client may still have.
package struct TokenLimits: Sendable, Equatable {
    /// `aud`: one of the grant's resources, or the client's own audience.
    package let audience: String
    package let scopes: ScopeSet

    /// - Parameters:
    ///   - granted: What the person has granted.
    ///   - resources: Those that tokens of the grant may be for.
    ///   - client: Whose grant it is.
    ///   - request: What a token request asks for.
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
            // RFC 6749 §6: left out, it is what was granted.
            scopes = left
            return
        }
        // RFC 6749 §6: no scope that was not granted by the person.
        guard let asked = ScopeSet(parsing: text), !asked.isEmpty, asked.isSubset(of: left) else {
            throw OAuthError(.invalidScope, "The scope goes beyond what was granted, or can't be read.")
        }
        scopes = asked
    }

    /// RFC 8707 §2.2: a token is for one resource, so that what one of them receives is no good at another.
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
        guard !granted.isEmpty else { return client.audience }
        // A token for the one resource that was granted must not become one for the client itself.
        guard let only = left.first else {
            throw OAuthError(.invalidTarget, "The client may no longer have any of the resources that were granted.")
        }
        guard left.count == 1 else {
            throw OAuthError(.invalidTarget, "Several resources were granted: say which of them the token is for.")
        }
        return only
    }
}

/// What a token request says of the token that it asks for.
package struct TokenLimitsRequest: Sendable, Equatable {
    /// `scope`, as it came; `nil` for all that was granted.
    package let scope: String?
    /// `resource`, each time it came.
    package let resources: [String]

    package init(scope: String? = nil, resources: [String] = []) {
        self.scope = scope
        self.resources = resources
    }
}
