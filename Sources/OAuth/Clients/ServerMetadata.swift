package import TokenReading

/// The metadata of the authorization server (OpenID Connect Discovery §3, RFC 8414 §2).
///
/// Both documents contain the same metadata.
///
/// It lists only features that are enabled.
package struct ServerMetadata: Sendable, Equatable, Encodable {
    private let issuer: String
    private let authorizationEndpoint: String
    private let tokenEndpoint: String
    private let userinfoEndpoint: String
    private let jwksUri: String
    private let revocationEndpoint: String
    private let introspectionEndpoint: String
    private let endSessionEndpoint: String
    private let pushedAuthorizationRequestEndpoint: String
    private let registrationEndpoint: String?
    private let deviceAuthorizationEndpoint: String?
    private let backchannelAuthenticationEndpoint: String?

    private let grantTypesSupported: [String]
    private let scopesSupported: [String]
    private let responseTypesSupported = ["code"]
    private let responseModesSupported = AuthorizationRequest.ResponseMode.allCases.map(\.rawValue)
    private let subjectTypesSupported = ["public"]
    private let codeChallengeMethodsSupported = ["S256"]
    private let promptValuesSupported = AuthorizationRequest.Prompt.allCases.map(\.rawValue)
    private let acrValuesSupported = ContextClassReference.allCases.map(\.rawValue)
    private let claimsSupported = [
        "iss", "sub", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "at_hash", "sid", "name",
        "preferred_username", "email", "email_verified",
    ]
    private let claimTypesSupported = ["normal"]
    private let uiLocalesSupported: [String]

    private let tokenEndpointAuthMethodsSupported = AuthenticatedClient.Method.allCases.map(\.rawValue)
    private let tokenEndpointAuthSigningAlgValuesSupported: [String]
    private let revocationEndpointAuthMethodsSupported = AuthenticatedClient.Method.allCases.map(\.rawValue)
    private let revocationEndpointAuthSigningAlgValuesSupported: [String]
    /// The methods except `none`: a public client cannot introspect tokens.
    private let introspectionEndpointAuthMethodsSupported = AuthenticatedClient.Method.allCases.filter { $0 != .none }
        .map(\.rawValue)
    private let introspectionEndpointAuthSigningAlgValuesSupported: [String]
    private let idTokenSigningAlgValuesSupported: [String]
    private let dpopSigningAlgValuesSupported = DPoPProof.algorithms.map(\.rawValue)
    private let requestObjectSigningAlgValuesSupported: [String]
    private let requestParameterSupported = true
    private let requestUriParameterSupported = false
    private let claimsParameterSupported: Bool
    private let requirePushedAuthorizationRequests = false
    /// Whether answers contain `iss` (RFC 9207 §3).
    private let authorizationResponseIssParameterSupported = true

    /// OpenID Connect Back-Channel Logout 1.0 §2.1.
    private let backchannelLogoutSupported = true
    private let backchannelLogoutSessionSupported = true

    private let backchannelTokenDeliveryModesSupported: [String]?
    private let backchannelAuthenticationRequestSigningAlgValuesSupported: [String]?
    private let backchannelUserCodeParameterSupported: Bool?

    package init(_ server: Description) {
        let (base, clientAlgorithms) = (server.publicURL, server.clientAlgorithms)
        issuer = server.issuer
        authorizationEndpoint = base + "/oauth/authorize"
        tokenEndpoint = base + "/oauth/token"
        userinfoEndpoint = base + "/oauth/userinfo"
        jwksUri = base + "/.well-known/jwks.json"
        revocationEndpoint = base + "/oauth/revoke"
        introspectionEndpoint = base + "/oauth/introspect"
        endSessionEndpoint = base + "/oauth/logout"
        pushedAuthorizationRequestEndpoint = base + "/oauth/par"
        let (hasDevices, hasBackchannel) = (server.grants.contains(.deviceCode), server.grants.contains(.ciba))
        registrationEndpoint = server.takesRegistrations ? base + "/oauth/register" : nil
        deviceAuthorizationEndpoint = hasDevices ? base + "/oauth/device_authorization" : nil
        backchannelAuthenticationEndpoint = hasBackchannel ? base + "/oauth/bc-authorize" : nil
        grantTypesSupported = server.grants.map(\.rawValue).sorted()
        scopesSupported = server.scopes.values.sorted()
        uiLocalesSupported = server.languages
        tokenEndpointAuthSigningAlgValuesSupported = clientAlgorithms
        revocationEndpointAuthSigningAlgValuesSupported = clientAlgorithms
        introspectionEndpointAuthSigningAlgValuesSupported = clientAlgorithms
        requestObjectSigningAlgValuesSupported = clientAlgorithms
        idTokenSigningAlgValuesSupported = server.signingAlgorithms.map(\.rawValue)
        claimsParameterSupported = server.readsClaimsParameter
        let modes = OAuthClient.Backchannel.Delivery.allCases.map(\.rawValue)
        backchannelTokenDeliveryModesSupported = hasBackchannel ? modes : nil
        backchannelAuthenticationRequestSigningAlgValuesSupported = hasBackchannel ? clientAlgorithms : nil
        backchannelUserCodeParameterSupported = hasBackchannel ? false : nil
    }

    /// The configuration of the server and of its routes.
    package struct Description: Sendable {
        package let issuer: String
        /// The base address, to which paths are appended.
        package let publicURL: String
        package let grants: Set<OAuthClient.GrantType>
        package let scopes: ScopeSet
        /// Whether clients can register themselves (RFC 7591).
        package let takesRegistrations: Bool
        /// Whether the parameter `claims` is supported (OpenID Connect Core §5.5).
        package let readsClaimsParameter: Bool
        /// The algorithms of id tokens: those of the current key and of the next one.
        package let signingAlgorithms: [SigningAlgorithm]
        /// The algorithms of clients' assertions and request objects.
        package let clientAlgorithms: [String]
        /// The language tags of the pages.
        package let languages: [String]

        package init(
            issuer: String,
            publicURL: String,
            grants: Set<OAuthClient.GrantType>,
            scopes: ScopeSet,
            takesRegistrations: Bool,
            readsClaimsParameter: Bool,
            signingAlgorithms: [SigningAlgorithm],
            clientAlgorithms: [String],
            languages: [String]
        ) {
            self.issuer = issuer
            self.publicURL = publicURL
            self.grants = grants
            self.scopes = scopes
            self.takesRegistrations = takesRegistrations
            self.readsClaimsParameter = readsClaimsParameter
            self.signingAlgorithms = signingAlgorithms
            self.clientAlgorithms = clientAlgorithms
            self.languages = languages
        }
    }

    enum CodingKeys: String, CodingKey {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case userinfoEndpoint = "userinfo_endpoint"
        case jwksUri = "jwks_uri"
        case revocationEndpoint = "revocation_endpoint"
        case introspectionEndpoint = "introspection_endpoint"
        case endSessionEndpoint = "end_session_endpoint"
        case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
        case registrationEndpoint = "registration_endpoint"
        case deviceAuthorizationEndpoint = "device_authorization_endpoint"
        case backchannelAuthenticationEndpoint = "backchannel_authentication_endpoint"
        case grantTypesSupported = "grant_types_supported"
        case scopesSupported = "scopes_supported"
        case responseTypesSupported = "response_types_supported"
        case responseModesSupported = "response_modes_supported"
        case subjectTypesSupported = "subject_types_supported"
        case codeChallengeMethodsSupported = "code_challenge_methods_supported"
        case promptValuesSupported = "prompt_values_supported"
        case acrValuesSupported = "acr_values_supported"
        case claimsSupported = "claims_supported"
        case claimTypesSupported = "claim_types_supported"
        case uiLocalesSupported = "ui_locales_supported"
        case tokenEndpointAuthMethodsSupported = "token_endpoint_auth_methods_supported"
        case tokenEndpointAuthSigningAlgValuesSupported = "token_endpoint_auth_signing_alg_values_supported"
        case revocationEndpointAuthMethodsSupported = "revocation_endpoint_auth_methods_supported"
        case revocationEndpointAuthSigningAlgValuesSupported =
            "revocation_endpoint_auth_signing_alg_values_supported"
        case introspectionEndpointAuthMethodsSupported = "introspection_endpoint_auth_methods_supported"
        case introspectionEndpointAuthSigningAlgValuesSupported =
            "introspection_endpoint_auth_signing_alg_values_supported"
        case idTokenSigningAlgValuesSupported = "id_token_signing_alg_values_supported"
        case dpopSigningAlgValuesSupported = "dpop_signing_alg_values_supported"
        case requestObjectSigningAlgValuesSupported = "request_object_signing_alg_values_supported"
        case requestParameterSupported = "request_parameter_supported"
        case requestUriParameterSupported = "request_uri_parameter_supported"
        case claimsParameterSupported = "claims_parameter_supported"
        case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
        case authorizationResponseIssParameterSupported = "authorization_response_iss_parameter_supported"
        case backchannelLogoutSupported = "backchannel_logout_supported"
        case backchannelLogoutSessionSupported = "backchannel_logout_session_supported"
        case backchannelTokenDeliveryModesSupported = "backchannel_token_delivery_modes_supported"
        case backchannelAuthenticationRequestSigningAlgValuesSupported =
            "backchannel_authentication_request_signing_alg_values_supported"
        case backchannelUserCodeParameterSupported = "backchannel_user_code_parameter_supported"
    }
}
