/// A change of a client's metadata by the operator; what is `nil` stays.
package struct ClientChange: Sendable, Equatable {
    package var appearance = Appearance()
    package var uris = URIs()
    package var grants: Set<OAuthClient.GrantType>?
    package var scopes: ScopeSet?
    package var resources: [String]?
    package var demands = Demands()
    /// The endpoint of logout tokens.
    package var logout: Logout?
    /// What is wrong with the values that could not be read, told together with all other faults.
    package var unreadable: [String] = []

    /// What people are shown.
    package struct Appearance: Sendable, Equatable {
        package var name: String?
        /// A theme without values takes the client's theme away.
        package var theme: ClientTheme?

        package init() {}
    }

    package var name: String? {
        get { appearance.name }
        set { appearance.name = newValue }
    }

    /// The addresses to which browsers are sent.
    package struct URIs: Sendable, Equatable {
        package var redirect: [String]?
        package var postLogout: [String]?

        package init() {}
    }

    /// The requirements on requests, tokens and people.
    package struct Demands: Sendable, Equatable {
        package var pushedRequests: Bool?
        package var dpop: Bool?
        package var proof: RequiredProof?
        /// The ways to sign in that are good enough; if empty, those that ``proof`` takes.
        package var ways: Set<SignInWay>?

        package init() {}
    }

    /// A change of the endpoint of logout tokens.
    package enum Logout: Sendable, Equatable {
        case none
        /// The address, or whether a `sid` is required; what is `nil` stays.
        case endpoint(uri: String?, isSessionRequired: Bool?)
    }

    package init() {}

    /// The names of what changes, for the audit log.
    var names: [String] {
        let parts: [(String, Bool)] = [
            ("name", name != nil), ("theme", appearance.theme != nil), ("redirect_uris", uris.redirect != nil),
            ("post_logout_redirect_uris", uris.postLogout != nil), ("grants", grants != nil),
            ("scopes", scopes != nil), ("resources", resources != nil),
            ("pushed_requests", demands.pushedRequests != nil), ("dpop", demands.dpop != nil),
            ("requires", demands.proof != nil), ("ways", demands.ways != nil), ("backchannel_logout", logout != nil),
        ]
        return parts.filter(\.1).map(\.0)
    }

    /// Returns the metadata of the client with this change.
    func metadata(of client: OAuthClient) -> ClientMetadata {
        var metadata = ClientMetadata(client)
        metadata.name = name ?? metadata.name
        metadata.redirectURIs = uris.redirect ?? metadata.redirectURIs
        metadata.postLogoutRedirectURIs = uris.postLogout ?? metadata.postLogoutRedirectURIs
        metadata.grants = grants ?? metadata.grants
        metadata.scopes = scopes ?? metadata.scopes
        metadata.resources = resources ?? metadata.resources
        metadata.requiresPushedRequests = demands.pushedRequests ?? metadata.requiresPushedRequests
        metadata.requiresDPoP = demands.dpop ?? metadata.requiresDPoP
        metadata.requires = demands.proof ?? metadata.requires
        metadata.ways = demands.ways ?? metadata.ways
        switch logout {
        case nil: break
        case .some(.none): metadata.logout = nil
        case .endpoint(let uri, let isSessionRequired):
            metadata.logout = LogoutEndpoint(
                uri: uri ?? client.tokens.logout?.uri ?? "",
                isSessionRequired: isSessionRequired ?? client.tokens.logout?.isSessionRequired ?? false
            )
        }
        return metadata
    }
}

extension ClientMetadata {
    /// Creates the metadata that a client of the database has.
    init(_ client: OAuthClient) {
        self.init()
        name = client.name
        redirectURIs = client.authorization.redirectURIs
        postLogoutRedirectURIs = client.authorization.postLogoutRedirectURIs
        grants = client.access.grants
        scopes = client.access.scopes
        resources = client.access.resources
        switch client.authentication {
        case .none: method = .none
        case .secret: method = .secretBasic
        case .privateKeyJWT(let set): (method, keys) = (.privateKeyJWT, set.document)
        }
        requiresPushedRequests = client.authorization.requiresPushedRequests
        requiresDPoP = client.tokens.requiresDPoP
        requires = client.authorization.requires
        ways = client.authorization.ways
        backchannel = client.authorization.backchannel
        identityAlgorithm = client.tokens.identityAlgorithm
        identityClaims = client.tokens.identityClaims
        logout = client.tokens.logout
    }
}
