/// The metadata of a new client, from the command line or from a client that registers itself (RFC 7591 §2).
package struct ClientMetadata: Sendable, Equatable {
    /// `client_name`.
    package var name: String?
    package var redirectURIs: [String] = []
    package var postLogoutRedirectURIs: [String] = []
    package var grants: Set<OAuthClient.GrantType> = [.authorizationCode]
    /// `token_endpoint_auth_method`.
    package var method: AuthenticatedClient.Method = .secretBasic
    /// The scopes; `nil` for the default ones, from ``usualScopes``.
    package var scopes: ScopeSet?
    /// The resources.
    ///
    /// Only the command line can set them: a client cannot choose the audience of its tokens.
    package var resources: [String] = []
    /// `jwks`, as JSON text.
    package var keys: String?
    /// The client's signing algorithms by the name of their metadata member.
    ///
    /// They become the `alg` of its keys.
    package var signingAlgorithms: [String: ClientAlgorithm] = [:]
    package var requiresPushedRequests = false
    package var requiresDPoP = false
    /// The proof of identity that people must have given.
    ///
    /// Only the command line can set it: RFC 7591 has no member for it.
    package var requires = RequiredProof.faceOrPasskey
    /// `sign_in_ways`: the ways to sign in that are good enough; if empty, those that ``requires`` admits.
    package var ways: Set<SignInWay> = []
    package var backchannel: OAuthClient.Backchannel?
    /// `id_token_signed_response_alg`; with `nil`, id tokens are signed like access tokens.
    package var identityAlgorithm: IdentityAlgorithm?
    /// The claims about the person in the client's id tokens.
    ///
    /// Only the command line can set them.
    package var identityClaims: Set<IdentityClaim> = []
    /// `backchannel_logout_uri` and `backchannel_logout_session_required`.
    package var logout: LogoutEndpoint?

    package init() {}

    /// The scopes that a client may register for by itself.
    ///
    /// They are also the default.
    package static let usualScopes: Set<String> = [
        ScopeSet.openID, ScopeSet.profile, ScopeSet.email, ScopeSet.offlineAccess,
    ]
    /// The most characters of a client's name.
    package static let longestName = 100
    private static let mostResources = 10

    /// Returns the client that this metadata describes, if the metadata is consistent.
    ///
    /// The client's audience is its own id: with another client's audience, its tokens would be accepted as that
    /// client's.
    /// - Parameters:
    ///   - id: `client_id`.
    ///   - origin: The way in which the client was added. A client that registers itself may have only ``usualScopes``.
    ///   - secrets: The hashes of its secrets, if it has any.
    ///   - notices: The rule for the endpoint of pings and pushes.
    ///   - algorithms: The available algorithms of id tokens.
    /// - Returns: The client, enabled.
    /// - Throws: ``OAuthError`` `invalid_redirect_uri` or `invalid_client_metadata` (RFC 7591 §3.2.2).
    package func client(
        id: String,
        origin: OAuthClient.Origin,
        secrets: [SecretHash],
        notices: NotificationEndpointRule = .secure,
        algorithms: [IdentityAlgorithm] = IdentityAlgorithm.allCases
    ) throws(OAuthError) -> OAuthClient {
        if let fault = faults(origin: origin, notices: notices, algorithms: algorithms).first { throw fault }
        return OAuthClient(
            id: id,
            name: name ?? id,
            origin: origin,
            authentication: try authentication(secrets, ClientTerms(origin)),
            access: OAuthClient.Access(grants: grants, scopes: grantedScopes, audience: id, resources: resources),
            authorization: OAuthClient.AuthorizationRules(
                redirectURIs: redirectURIs,
                postLogoutRedirectURIs: postLogoutRedirectURIs,
                requiresPushedRequests: requiresPushedRequests,
                requires: requires,
                ways: ways,
                backchannel: backchannel
            ),
            tokens: OAuthClient.TokenRules(
                requiresDPoP: requiresDPoP,
                identityAlgorithm: identityAlgorithm,
                identityClaims: identityClaims,
                logout: logout
            )
        )
    }

    /// Returns all that is wrong with the metadata; nothing if ``client(id:origin:secrets:notices:algorithms:)`` makes
    /// a client of it.
    package func faults(
        origin: OAuthClient.Origin,
        notices: NotificationEndpointRule,
        algorithms: [IdentityAlgorithm]
    ) -> [OAuthError] {
        let terms = ClientTerms(origin)
        return [
            Self.error { () throws(OAuthError) in try checkName(terms) },
            Self.error { () throws(OAuthError) in try checkURIs(terms) },
            Self.error { () throws(OAuthError) in try checkGrants(of: origin, notices: notices, in: terms) },
            Self.error { () throws(OAuthError) in try checkScopes(of: origin, in: terms) },
            Self.error { () throws(OAuthError) in
                try checkIdentity(signedBy: algorithms, scopes: grantedScopes, in: terms)
            },
            Self.error { () throws(OAuthError) in try checkLogout(notices, in: terms) },
            Self.error { () throws(OAuthError) in try checkAuthentication(terms) },
        ].compactMap(\.self)
    }

    private static func error(of check: () throws(OAuthError) -> Void) -> OAuthError? {
        do throws(OAuthError) { try check() } catch { return error }
        return nil
    }

    private func checkAuthentication(_ terms: ClientTerms) throws(OAuthError) { _ = try authentication([], terms) }

    private var grantedScopes: ScopeSet { scopes ?? ScopeSet(defaultScopes) }

    private func checkScopes(of origin: OAuthClient.Origin, in terms: ClientTerms) throws(OAuthError) {
        guard origin != .registered || grantedScopes.isSubset(of: ScopeSet(Self.usualScopes)) else {
            let most = ScopeSet(Self.usualScopes).text
            throw Self.fault("\(terms.scope) holds more than a client may register for: \(most).")
        }
    }

    /// Checks the endpoint of logout tokens (Back-Channel Logout §2.2).
    private func checkLogout(_ rule: NotificationEndpointRule, in terms: ClientTerms) throws(OAuthError) {
        guard let logout, !rule.allows(logout.uri) else { return }
        throw Self.fault("\(terms.logoutEndpoint) must be \(rule.demand).")
    }

    /// Refuses an unavailable algorithm at the registration instead of at sign-in (OpenID Connect Registration §2).
    private func checkIdentity(
        signedBy algorithms: [IdentityAlgorithm],
        scopes: ScopeSet,
        in terms: ClientTerms
    ) throws(OAuthError) {
        if let identityAlgorithm, !algorithms.contains(identityAlgorithm) {
            let names = algorithms.map(\.rawValue).joined(separator: ", ")
            throw Self.fault("\(terms.identityAlgorithm) is one of \(names).")
        }
        if let claim = identityClaims.first(where: { !scopes.contains($0.scope) }) {
            throw Self.fault("\(terms.identityClaim) \(claim.rawValue) needs the scope \(claim.scope).")
        }
    }

    /// Whether the client authenticates with a secret.
    package var hasSecret: Bool {
        switch method {
        case .secretBasic, .secretPost: true
        case .none, .privateKeyJWT: false
        }
    }

    private var defaultScopes: Set<String> {
        grants.contains(.refreshToken) ? Self.usualScopes : Self.usualScopes.subtracting([ScopeSet.offlineAccess])
    }

    /// Checks the name.
    ///
    /// People read it on the consent page, so it must not hide or reverse the text around it.
    private func checkName(_ terms: ClientTerms) throws(OAuthError) {
        guard let name else { return }
        let isPlain = name.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
        guard (1...Self.longestName).contains(name.count), name.utf8.count <= 4 * Self.longestName, isPlain,
            name.first?.isWhitespace == false, name.last?.isWhitespace == false
        else {
            throw Self.fault("\(terms.name) is one line of 1 to \(Self.longestName) visible characters.")
        }
    }

    private func checkURIs(_ terms: ClientTerms) throws(OAuthError) {
        for (name, uris) in [
            (terms.redirectURIs, redirectURIs), (terms.postLogoutRedirectURIs, postLogoutRedirectURIs),
        ] {
            guard uris.count <= RedirectURIRule.maximumCount, Set(uris).count == uris.count else {
                throw Self.fault("\(name) has at most \(RedirectURIRule.maximumCount) URIs, each once.")
            }
            for uri in uris {
                do throws(RedirectURIRule.ViolationError) { try RedirectURIRule.check(uri) } catch {
                    throw OAuthError(.invalidRedirectURI, error.text)
                }
            }
        }
        guard resources.count <= Self.mostResources, resources.allSatisfy(Self.isResource) else {
            throw Self.fault(
                "\(terms.resource) is an absolute https URI without fragment, and there are at most \(Self.mostResources)."
            )
        }
    }

    private func checkGrants(
        of origin: OAuthClient.Origin,
        notices: NotificationEndpointRule,
        in terms: ClientTerms
    ) throws(OAuthError) {
        guard !grants.subtracting([.refreshToken]).isEmpty else {
            throw Self.fault("\(terms.grants) needs one by which a person signs in, which refresh_token alone is not.")
        }
        // RFC 7591 §2: clients that use redirects must register their redirect URIs.
        guard grants.contains(.authorizationCode) == !redirectURIs.isEmpty else {
            throw OAuthError(
                .invalidRedirectURI,
                "\(terms.redirectURIs) is needed for authorization_code, and for that grant alone."
            )
        }
        guard grants.contains(.ciba) == (backchannel != nil) else {
            throw Self.fault("\(terms.ciba) needs \(terms.delivery), which is for it alone.")
        }
        guard !grants.contains(.ciba) || requires.isMetByFace else {
            throw Self.fault("\(terms.ciba) has people scan their face, which is less than \(requires.rawValue).")
        }
        try checkWays(terms)
        // With CIBA a client asks absent people under a name that it chose, and makes this server call an address.
        guard origin != .registered || !grants.contains(.ciba) else {
            throw Self.fault("\(terms.ciba) is for clients that the operator adds.")
        }
        if let backchannel { try check(backchannel, notices: notices, in: terms) }
    }

    /// Refuses ways that the required proof does not admit.
    private func checkWays(_ terms: ClientTerms) throws(OAuthError) {
        guard requires.allows(ways) else {
            throw Self.fault("\(terms.ways) \(ways.text) does not fit \(requires.rawValue): \(requires.ways.text).")
        }
        guard !grants.contains(.ciba) || ways.isEmpty || ways.contains(.face) else {
            throw Self.fault("\(terms.ciba) has people scan their face, so \(terms.ways) needs face.")
        }
    }

    /// Checks the backchannel, which is for confidential clients (CIBA Core §4).
    private func check(
        _ backchannel: OAuthClient.Backchannel,
        notices: NotificationEndpointRule,
        in terms: ClientTerms
    ) throws(OAuthError) {
        guard method != .none else {
            throw Self.fault("CIBA is for clients that authenticate themselves (\(terms.method)).")
        }
        switch backchannel.delivery {
        case .poll:
            guard backchannel.notificationEndpoint == nil else {
                throw Self.fault("\(terms.notificationEndpoint) belongs to ping and push.")
            }
        case .ping, .push:
            guard let endpoint = backchannel.notificationEndpoint, notices.allows(endpoint) else {
                throw Self.fault("\(terms.notificationEndpoint) must be \(notices.demand).")
            }
        }
        guard !backchannel.requiresSignedRequests || method == .privateKeyJWT else {
            throw Self.fault("Signed backchannel requests need the keys of private_key_jwt.")
        }
    }

    private func authentication(
        _ secrets: [SecretHash],
        _ terms: ClientTerms
    ) throws(OAuthError) -> OAuthClient.Authentication {
        guard (keys != nil) == (method == .privateKeyJWT) else {
            throw Self.fault("\(terms.keys) belongs to \(terms.privateKeyJWT), which needs it.")
        }
        switch method {
        case .none: return .none
        case .secretBasic, .secretPost: return .secret(secrets)
        case .privateKeyJWT:
            do throws(ClientKeySetError) { return .privateKeyJWT(try ClientKeySet(checking: keys ?? "")) } catch {
                throw Self.fault(error.text)
            }
        }
    }

    /// Whether a URI can be a resource (RFC 8707 §2).
    private static func isResource(_ uri: String) -> Bool {
        (try? RedirectURIRule.check(uri)) == .https && !uri.contains("?")
    }

    static func fault(_ text: String) -> OAuthError { OAuthError(.invalidClientMetadata, text) }
}
