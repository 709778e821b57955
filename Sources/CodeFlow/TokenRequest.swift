import FoundationEssentials
package import Kernel

/// The grant that a token endpoint is asked to redeem.
///
/// It cannot contain any other parameter.
package enum TokenGrant: Sendable, Equatable {
    /// A code, with the redirect URI of its authorization request; `nil` if the app sends none.
    case code(Secret, redirectURI: String?, verifier: Secret?)
    case refreshToken(Secret, scope: String? = nil)

    /// The form fields of the grant (RFC 6749 §4.1.3 and §6, RFC 7636 §4.5).
    fileprivate var fields: [(String, String)] {
        let (kind, optional): ([(String, String)], [(String, String?)]) =
            switch self {
            case .code(let code, let redirectURI, let verifier):
                (
                    [("grant_type", "authorization_code"), ("code", code.expose())],
                    [("redirect_uri", redirectURI), ("code_verifier", verifier?.expose())]
                )
            case .refreshToken(let token, let scope):
                ([("grant_type", "refresh_token"), ("refresh_token", token.expose())], [("scope", scope)])
            }
        return kind + optional.compactMap { name, value in value.map { (name, $0) } }
    }
}

/// A request to a server's token endpoint (RFC 6749 §3.2), with the client's secret where the server expects it.
package struct TokenRequest: Sendable {
    package let form: String
    /// The value of the header field Authorization.
    package let authorization: String?

    package init(_ grant: TokenGrant, to server: AuthorizationServer) {
        var fields = grant.fields
        var authorization: String?
        let client = server.client
        switch (client.authentication, client.secret) {
        case (.none, _), (_, nil): fields.append(("client_id", client.id))
        case (.post, let secret?): fields += [("client_id", client.id), ("client_secret", secret.expose())]
        case (.basic, let secret?):
            // RFC 6749 §2.3.1: id and secret are form-encoded before they are joined.
            let pair = [client.id, secret.expose()].map(PercentEncoding.component).joined(separator: ":")
            authorization = "Basic " + Data(pair.utf8).base64EncodedString()
        }
        form = QueryText.text(fields)
        self.authorization = authorization
    }
}

/// The reason why a server gave no usable answer.
///
/// The cause is for the log.
package enum ExchangeError: Error, Equatable, Sendable {
    /// The server cannot be reached, is too slow, or closed the connection early.
    case unavailable(cause: String)
    /// The answer cannot be used, because it is too large or a redirect.
    case unusable(cause: String)
}
