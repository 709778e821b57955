/// The names of metadata in messages to their author.
///
/// A client that registers itself writes members of RFC 7591 §2; an operator writes options of `vestibule clients add`.
struct ClientTerms {
    let name: String
    let redirectURIs: String
    let postLogoutRedirectURIs: String
    let grants: String
    let ciba: String
    let delivery: String
    let notificationEndpoint: String
    let scope: String
    let resource: String
    /// The authentication method.
    let method: String
    let keys: String
    /// The authentication method that uses those keys.
    let privateKeyJWT: String
    let identityAlgorithm: String
    let identityClaim: String
}

extension ClientTerms {
    init(_ origin: OAuthClient.Origin) {
        self =
            switch origin {
            case .added: Self.options
            case .config, .registered: Self.members
            }
    }

    private static let members = ClientTerms(
        name: "client_name",
        redirectURIs: "redirect_uris",
        postLogoutRedirectURIs: "post_logout_redirect_uris",
        grants: "grant_types",
        ciba: "The grant urn:openid:params:grant-type:ciba",
        delivery: "backchannel_token_delivery_mode",
        notificationEndpoint: "backchannel_client_notification_endpoint",
        scope: "scope",
        resource: "A resource",
        method: "token_endpoint_auth_method",
        keys: "jwks",
        privateKeyJWT: "token_endpoint_auth_method private_key_jwt",
        identityAlgorithm: "id_token_signed_response_alg",
        identityClaim: "A claim of the id token,"
    )

    private static let options = ClientTerms(
        name: "--name",
        redirectURIs: "--redirect-uri",
        postLogoutRedirectURIs: "--post-logout-redirect-uri",
        grants: "--grant",
        ciba: "--grant ciba",
        delivery: "--delivery",
        notificationEndpoint: "--notification-endpoint",
        scope: "--scope",
        resource: "--resource",
        method: "--auth",
        keys: "--keys",
        privateKeyJWT: "--auth private-key-jwt",
        identityAlgorithm: "--id-token-alg",
        identityClaim: "--id-token-claim"
    )
}
