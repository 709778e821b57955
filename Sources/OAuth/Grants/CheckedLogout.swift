package import Kernel

/// A client's valid request to sign a person out (OpenID Connect RP-Initiated Logout §2 and §3).
package struct CheckedLogout: Sendable, Equatable {
    /// The requesting client; `nil` if the request names none.
    package let client: OAuthClient?
    /// The registered address to which the browser is redirected afterwards.
    package let redirectURI: String?
    package let state: String?
    /// The contents of the id token that was sent as a hint.
    package let hint: Hint?

    /// The account, client and session that an id token of this server names.
    package struct Hint: Sendable, Equatable {
        package let account: AccountID
        package let clientID: String
        package let session: SessionID

        package init(account: AccountID, clientID: String, session: SessionID) {
            self.account = account
            self.clientID = clientID
            self.session = session
        }
    }

    /// Checks a logout request.
    /// - Parameters:
    ///   - request: The parameters of the request.
    ///   - hint: The contents of its verified `id_token_hint`; `nil` without a valid one.
    ///   - client: Returns the client with an id.
    /// - Throws: ``OAuthError`` `invalid_request`. The person is told, and the browser is not redirected (§3).
    package init(_ request: LogoutRequest, hint: Hint?, client: (String) -> OAuthClient?) throws(OAuthError) {
        // §2: the hint and `client_id` must name the same client.
        if let hint, let id = request.clientID, id != hint.clientID {
            throw OAuthError(.invalidRequest, "The id_token_hint was issued to another client than client_id.")
        }
        let named = (hint?.clientID ?? request.clientID).flatMap(client)
        guard request.clientID == nil || named != nil else {
            throw OAuthError(.invalidRequest, "The client_id is unknown.")
        }
        self.client = named
        self.hint = hint
        guard let address = request.redirectURI else {
            (redirectURI, state) = (nil, nil)
            return
        }
        // §3: only registered addresses are accepted, which prevents open redirection (RFC 9700 §4.11).
        guard let named, named.isEnabled,
            named.authorization.postLogoutRedirectURIs.contains(where: { Self.same($0, address) })
        else {
            throw OAuthError(.invalidRequest, "The post_logout_redirect_uri is not one that the client has registered.")
        }
        redirectURI = address
        state = request.state
    }

    /// Whether the person need not be asked: nobody is signed in, or the hint names the account that is signed in.
    ///
    /// `signedIn` is the account of the browser's session; `nil` without a session.
    package func isCertain(signedIn: AccountID?) -> Bool {
        guard let hint else { return signedIn == nil }
        return signedIn == nil || signedIn == hint.account
    }

    /// The address to which the browser is redirected, with `state` as received; `nil` if it is not redirected.
    package var destination: String? {
        guard let redirectURI else { return nil }
        guard let state else { return redirectURI }
        return QueryText.add([("state", state)], to: redirectURI)
    }

    /// Whether two addresses are equal byte by byte, without Unicode equivalence.
    private static func same(_ left: String, _ right: String) -> Bool { Array(left.utf8) == Array(right.utf8) }
}

/// The parameters of a logout request as received.
package struct LogoutRequest: Sendable, Equatable {
    package let clientID: String?
    package let redirectURI: String?
    package let state: String?

    package init(clientID: String?, redirectURI: String?, state: String?) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.state = state
    }

    /// The parameters as a query, for the page that asks the person first.
    package var query: String {
        let given = [("client_id", clientID), ("post_logout_redirect_uri", redirectURI), ("state", state)]
        return QueryText.text(given.compactMap { name, value in value.map { (name, $0) } })
    }
}
