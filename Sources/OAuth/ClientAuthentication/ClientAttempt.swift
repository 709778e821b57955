extension ClientAuthenticator {
    /// The only method by which a request authenticates its client (RFC 6749 §2.3).
    enum Attempt: Sendable, Equatable {
        case named(String)
        case secret(id: String, secret: String, AuthenticatedClient.Method)
        /// An assertion. `id` is the `client_id` of the request, if it has one.
        case assertion(id: String?)

        init(_ form: ClientCredentials) throws(OAuthError) {
            let ways = [form.basic, form.clientSecret, form.assertion ?? form.assertionType].count { $0 != nil }
            guard ways <= 1 else {
                throw OAuthError(.invalidRequest, "The client authenticates in more than one way: use one.")
            }
            if let id = form.clientID, id.utf8.count > ClientAuthenticator.longestID {
                throw OAuthError(.invalidRequest, "client_id is too long.")
            }
            if let field = form.basic {
                self = try Self.basic(field, form.clientID)
            } else if let secret = form.clientSecret {
                guard let id = form.clientID else {
                    throw OAuthError(.invalidRequest, "client_secret needs client_id beside it.")
                }
                self = .secret(id: id, secret: secret, .secretPost)
            } else if form.assertion != nil || form.assertionType != nil {
                self = try Self.assertion(form)
            } else if let id = form.clientID {
                self = .named(id)
            } else {
                throw OAuthError(.invalidClient, "The request names no client: send client_id.")
            }
        }

        private static func basic(_ field: String, _ id: String?) throws(OAuthError) -> Attempt {
            guard let pair = BasicCredentials(field) else {
                throw OAuthError(.invalidClient, "The header Authorization holds no client_id and secret (Basic).")
            }
            guard id == nil || id == pair.id else {
                throw OAuthError(.invalidRequest, "client_id is not the client of the header Authorization.")
            }
            return .secret(id: pair.id, secret: pair.secret, .secretBasic)
        }

        private static func assertion(_ form: ClientCredentials) throws(OAuthError) -> Attempt {
            guard form.assertion != nil, let type = form.assertionType else {
                throw OAuthError(.invalidRequest, "client_assertion and client_assertion_type belong together.")
            }
            guard type == ClientAssertion.type else {
                throw OAuthError(.invalidClient, "client_assertion_type must be \(ClientAssertion.type).")
            }
            return .assertion(id: form.clientID)
        }
    }
}
