internal import Kernel

extension ClientMetadata {
    /// The most bytes of a registration request.
    package static let maximumLength = 32_768

    /// Reads a registration request (RFC 7591 §2, OpenID Connect Registration §2, CIBA Core §4, RFC 9126 §6, RFC 9449
    /// §5.2).
    ///
    /// Unknown members are ignored (RFC 7591 §2). Known members that request an unsupported feature are refused.
    /// Otherwise the client would find out only when people sign in.
    package init(registration document: [UInt8]) throws(OAuthError) {
        guard document.count <= Self.maximumLength,
            case .object(let members)? = try? JSONReader.read(document, maximumDepth: 10)
        else { throw Self.fault("Send the metadata as one JSON object, in \(Self.maximumLength) bytes at most.") }
        let reader = MetadataReader(members: members)
        try reader.refuseUnsupportedMembers()
        self.init()
        name = try reader.text("client_name")
        redirectURIs = try reader.texts("redirect_uris") ?? []
        postLogoutRedirectURIs = try reader.texts("post_logout_redirect_uris") ?? []
        grants = try reader.grants() ?? [.authorizationCode]
        method = try reader.method() ?? .secretBasic
        scopes = try reader.scopes()
        signingAlgorithms = try reader.signingAlgorithms()
        keys = try reader.keys(for: signingAlgorithms.values.first)
        requiresPushedRequests = try reader.flag("require_pushed_authorization_requests")
        requiresDPoP = try reader.flag("dpop_bound_access_tokens")
        backchannel = try reader.backchannel()
        identityAlgorithm = try reader.identityAlgorithm()
        logout = try reader.logout()
        ways = try reader.ways()
    }
}

/// Reads the members of a registration request with their types.
private struct MetadataReader {
    let members: [String: JSONValue]

    func text(_ name: String) throws(OAuthError) -> String? {
        switch members[name] {
        case nil, .null?: return nil
        case .string(let text)?: return text
        case .bool?, .number?, .array?, .object?: throw ClientMetadata.fault("\(name) must be a text.")
        }
    }

    func texts(_ name: String) throws(OAuthError) -> [String]? {
        guard let value = members[name], !value.isNull else { return nil }
        guard case .array(let values) = value else { throw ClientMetadata.fault("\(name) must be an array of texts.") }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else {
                throw ClientMetadata.fault("\(name) must be an array of texts.")
            }
            texts.append(text)
        }
        return texts
    }

    func flag(_ name: String) throws(OAuthError) -> Bool {
        switch members[name] {
        case nil, .null?: return false
        case .bool(let flag)?: return flag
        case .string?, .number?, .array?, .object?: throw ClientMetadata.fault("\(name) must be true or false.")
        }
    }

    func grants() throws(OAuthError) -> Set<OAuthClient.GrantType>? {
        guard let names = try texts("grant_types") else { return nil }
        var grants: Set<OAuthClient.GrantType> = []
        for name in names {
            guard let grant = OAuthClient.GrantType(rawValue: name) else {
                let known = OAuthClient.GrantType.allCases.map(\.rawValue).joined(separator: ", ")
                throw ClientMetadata.fault("grant_types may hold \(known).")
            }
            grants.insert(grant)
        }
        return grants
    }

    func method() throws(OAuthError) -> AuthenticatedClient.Method? {
        guard let name = try text("token_endpoint_auth_method") else { return nil }
        guard let method = AuthenticatedClient.Method(rawValue: name) else {
            let known = AuthenticatedClient.Method.allCases.map(\.rawValue).joined(separator: ", ")
            throw ClientMetadata.fault("token_endpoint_auth_method is one of \(known).")
        }
        return method
    }

    func scopes() throws(OAuthError) -> ScopeSet? {
        guard let text = try text("scope") else { return nil }
        guard let scopes = ScopeSet(parsing: text) else { throw ClientMetadata.fault("scope holds no list of scopes.") }
        return scopes
    }

    /// Returns the key set, in which each key is restricted to the algorithm if the client has registered one.
    ///
    /// Signatures with another algorithm must be refused (OpenID Connect Registration §2).
    func keys(for algorithm: ClientAlgorithm?) throws(OAuthError) -> String? {
        switch members["jwks"] {
        case nil, .null?: return nil
        case .object(var set)?:
            guard let algorithm, case .array(let keys)? = set["keys"] else { return JSONValue.object(set).text }
            var bound: [JSONValue] = []
            for key in keys { bound.append(try Self.bound(key, to: algorithm)) }
            set["keys"] = .array(bound)
            return JSONValue.object(set).text
        case .bool?, .number?, .string?, .array?: throw ClientMetadata.fault("jwks must be a JWK set.")
        }
    }

    private static func bound(_ key: JSONValue, to algorithm: ClientAlgorithm) throws(OAuthError) -> JSONValue {
        // A malformed key is refused later, when the key set is checked.
        guard case .object(var members) = key else { return key }
        guard members["alg"] == nil || members["alg"] == .string(algorithm.rawValue) else {
            throw ClientMetadata.fault("A key of jwks is for another algorithm than \(algorithm.rawValue).")
        }
        members["alg"] = .string(algorithm.rawValue)
        return .object(members)
    }

    /// Returns the client's signing algorithms by their metadata member.
    ///
    /// They must be equal: one set of keys signs everything.
    func signingAlgorithms() throws(OAuthError) -> [String: ClientAlgorithm] {
        var algorithms: [String: ClientAlgorithm] = [:]
        for name in Self.algorithms {
            guard let value = try text(name) else { continue }
            guard let algorithm = ClientAlgorithm(rawValue: value) else {
                throw ClientMetadata.fault("\(name) is one of \(ClientAlgorithm.names).")
            }
            algorithms[name] = algorithm
        }
        guard Set(algorithms.values).count <= 1 else {
            throw ClientMetadata.fault("A client signs by one algorithm: \(Self.algorithms.joined(separator: ", ")).")
        }
        return algorithms
    }

    /// Returns the algorithm of id tokens.
    ///
    /// `none` is refused: this server signs all id tokens (OpenID Connect Registration §2).
    func identityAlgorithm() throws(OAuthError) -> IdentityAlgorithm? {
        guard let name = try text("id_token_signed_response_alg") else { return nil }
        guard let algorithm = IdentityAlgorithm(rawValue: name) else {
            throw ClientMetadata.fault("id_token_signed_response_alg is none that this server signs with.")
        }
        return algorithm
    }

    /// Returns the endpoint of logout tokens (Back-Channel Logout §2.2).
    func logout() throws(OAuthError) -> LogoutEndpoint? {
        let isSessionRequired = try flag("backchannel_logout_session_required")
        return try text("backchannel_logout_uri").map {
            LogoutEndpoint(uri: $0, isSessionRequired: isSessionRequired)
        }
    }

    /// Returns the ways to sign in, an extension of this server's own.
    func ways() throws(OAuthError) -> Set<SignInWay> {
        guard let ways = Set(parsing: try texts("sign_in_ways")?.joined(separator: " ") ?? "") else {
            throw ClientMetadata.fault("sign_in_ways may hold \(SignInWay.names).")
        }
        return ways
    }

    func backchannel() throws(OAuthError) -> OAuthClient.Backchannel? {
        let endpoint = try text("backchannel_client_notification_endpoint")
        guard let name = try text("backchannel_token_delivery_mode") else { return nil }
        guard let delivery = OAuthClient.Backchannel.Delivery(rawValue: name) else {
            throw ClientMetadata.fault("backchannel_token_delivery_mode is one of poll, ping, push.")
        }
        return OAuthClient.Backchannel(
            delivery: delivery,
            notificationEndpoint: endpoint,
            requiresSignedRequests: try text("backchannel_authentication_request_signing_alg") != nil
        )
    }

    /// Refuses members that request unsupported features.
    func refuseUnsupportedMembers() throws(OAuthError) {
        if members["jwks_uri"].map({ !$0.isNull }) ?? false {
            // Fetching it would let unauthenticated callers make this server send requests inside its own network.
            throw ClientMetadata.fault("jwks_uri is not fetched: send the key set itself, in jwks.")
        }
        if let types = try texts("response_types"), !types.allSatisfy({ $0 == "code" }) {
            throw ClientMetadata.fault("response_types may hold code alone.")
        }
        if let type = try text("subject_type"), type != "public" {
            throw ClientMetadata.fault("subject_type can be public alone.")
        }
        for name in Self.impossible where try flag(name) {
            throw ClientMetadata.fault("\(name) can't be true here.")
        }
        for name in Self.unsupported where try text(name) != nil {
            throw ClientMetadata.fault("\(name) is not supported.")
        }
        // OpenID Connect Registration §2: if it were ignored, an old sign-in would be accepted for a client that asked
        // for a new one.
        if let age = members["default_max_age"], !age.isNull {
            throw ClientMetadata.fault("default_max_age is not kept: send max_age in each request.")
        }
    }

    /// The flags that cannot be true, from RFC 8705 §3.4, CIBA Core §4, and RFC 9101 §10.5.
    ///
    /// The last one promises that unsigned requests are refused. This server accepts them, so they could be forged.
    private static let impossible = [
        "tls_client_certificate_bound_access_tokens", "backchannel_user_code_parameter",
        "require_signed_request_object",
    ]

    /// The unsupported members of OpenID Connect Registration §2, JARM §3, and RFC 9701 §6.
    private static let unsupported = [
        "id_token_encrypted_response_alg", "userinfo_signed_response_alg", "userinfo_encrypted_response_alg",
        "request_object_encryption_alg", "authorization_signed_response_alg", "authorization_encrypted_response_alg",
        "introspection_signed_response_alg", "introspection_encrypted_response_alg",
    ]

    private static let algorithms = [
        "token_endpoint_auth_signing_alg", "request_object_signing_alg",
        "backchannel_authentication_request_signing_alg",
    ]
}
