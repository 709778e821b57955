internal import Kernel

/// The answer to a client's registration (RFC 7591 §3.2.1): the metadata as registered, which may differ from the
/// request.
package enum ClientInformation {
    /// Returns the answer's JSON.
    ///
    /// The answer has no `registration_access_token`: a client can't read or change its registration (RFC 7592).
    /// `algorithm` is the default algorithm of id tokens.
    package static func json(
        _ issued: IssuedClient,
        _ metadata: ClientMetadata,
        algorithm: IdentityAlgorithm?
    ) -> String {
        let client = issued.client
        var members: [String: JSONValue] = [
            "client_id": .string(client.id),
            "client_id_issued_at": .number(String(issued.createdAt.seconds)),
            "client_name": .string(client.name),
            "token_endpoint_auth_method": .string(metadata.method.rawValue),
            "grant_types": texts(client.access.grants.map(\.rawValue).sorted()),
            "response_types": texts(client.access.grants.contains(.authorizationCode) ? ["code"] : []),
            "redirect_uris": texts(client.authorization.redirectURIs),
            "post_logout_redirect_uris": texts(client.authorization.postLogoutRedirectURIs),
            "scope": .string(client.access.scopes.text),
            "require_pushed_authorization_requests": .bool(client.authorization.requiresPushedRequests),
            "dpop_bound_access_tokens": .bool(client.tokens.requiresDPoP),
            "subject_type": .string("public"),
            "sign_in_ways": texts(
                SignInWay.allCases.filter(client.authorization.acceptedWays.contains).map(\.rawValue)
            ),
        ]
        let signed = (client.tokens.identityAlgorithm ?? algorithm)?.rawValue
        members["id_token_signed_response_alg"] = signed.map(JSONValue.string)
        if let secret = issued.secret {
            members["client_secret"] = .string(secret.expose())
            // The secret ends when it is rotated, which is not known in advance.
            members["client_secret_expires_at"] = .number("0")
        }
        switch client.authentication {
        case .none, .secret: break
        case .privateKeyJWT(let keys):
            members["jwks"] = try? JSONReader.read(Array(keys.document.utf8))
            for (name, algorithm) in metadata.signingAlgorithms { members[name] = .string(algorithm.rawValue) }
        }
        if let logout = client.tokens.logout {
            members["backchannel_logout_uri"] = .string(logout.uri)
            members["backchannel_logout_session_required"] = .bool(logout.isSessionRequired)
        }
        if let backchannel = client.authorization.backchannel {
            members["backchannel_token_delivery_mode"] = .string(backchannel.delivery.rawValue)
            members["backchannel_client_notification_endpoint"] = backchannel.notificationEndpoint.map(JSONValue.string)
        }
        return JSONValue.object(members).text
    }

    private static func texts(_ values: [String]) -> JSONValue { .array(values.map(JSONValue.string)) }
}
