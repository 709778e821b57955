/// The names of metadata in messages to the person who wrote the metadata.
enum ClientTerms {
    /// The members of RFC 7591 §2, for a client that registers itself.
    case members
    /// The options of `vestibule clients add`, for an operator.
    case options

    init(_ origin: OAuthClient.Origin) {
        self =
            switch origin {
            case .added: .options
            case .config, .registered: .members
            }
    }

    var name: String { term("client_name", "--name") }
    var redirectURIs: String { term("redirect_uris", "--redirect-uri") }
    var postLogoutRedirectURIs: String { term("post_logout_redirect_uris", "--post-logout-redirect-uri") }
    var grants: String { term("grant_types", "--grant") }
    var ciba: String { term("The grant urn:openid:params:grant-type:ciba", "--grant ciba") }
    var delivery: String { term("backchannel_token_delivery_mode", "--delivery") }
    var notificationEndpoint: String { term("backchannel_client_notification_endpoint", "--notification-endpoint") }
    var logoutEndpoint: String { term("backchannel_logout_uri", "--backchannel-logout-uri") }
    var scope: String { term("scope", "--scope") }
    var resource: String { term("A resource", "--resource") }
    /// The method of authentication.
    var method: String { term("token_endpoint_auth_method", "--auth") }
    var keys: String { term("jwks", "--keys") }
    /// The method of authentication that uses ``keys``.
    var privateKeyJWT: String { term("token_endpoint_auth_method private_key_jwt", "--auth private-key-jwt") }
    var identityAlgorithm: String { term("id_token_signed_response_alg", "--id-token-alg") }
    var ways: String { term("sign_in_ways", "--way") }
    var identityClaim: String { term("A claim of the id token,", "--id-token-claim") }

    private func term(_ member: String, _ option: String) -> String {
        switch self {
        case .members: member
        case .options: option
        }
    }
}
