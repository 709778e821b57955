package import Kernel

/// A client's wish that somebody be signed out, found good (OpenID Connect RP-Initiated Logout §2 and §3).
package struct CheckedLogout: Sendable, Equatable {
    /// Whose wish it is; `nil` where the request names nobody.
    package let client: OAuthClient?
    /// Where the browser goes afterwards: an address of the client's, character by character.
    package let redirectURI: String?
    package let state: String?
    /// What the id token says that came as a hint.
    package let hint: Hint?

    /// Whom an id token of ours was about.
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

    /// - Parameters:
    ///   - request: What came.
    ///   - hint: Of its `id_token_hint`, behind the signature; `nil` for none that is one.
    ///   - client: The client of an id.
    /// - Throws: ``OAuthError`` `invalid_request`: the person is told, and sent nowhere (§3).
    package init(
        _ request: LogoutRequest,
        hint: Hint?,
        client: (String) -> OAuthClient?
    ) throws(OAuthError) {
        // §2: the two have to be the same.
        if let hint, let id = request.clientID, id != hint.clientID {
            throw OAuthError(.invalidRequest, "The id_token_hint was issued to another client than client_id.")
        }
        let named = (hint?.clientID ?? request.clientID).flatMap(client)
        guard request.clientID == nil || named != nil else {
            throw OAuthError(.invalidRequest, "There is no such client.")
        }
        self.client = named
        self.hint = hint
        guard let address = request.redirectURI else {
            (redirectURI, state) = (nil, nil)
            return
        }
        // §3: no address that was not registered by the client, so that this is no open redirector (RFC 9700 §4.11).
        guard let named, named.isEnabled, named.postLogoutRedirectURIs.contains(where: { Self.same($0, address) })
        else {
            throw OAuthError(.invalidRequest, "The post_logout_redirect_uri is none that the client has registered.")
        }
        redirectURI = address
        state = request.state
    }

    /// Whether the person need not be asked: the client shows that it signed in whoever this browser is signed in as.
    ///
    /// `signedIn`: whose session the browser's cookie stands for; `nil` for nobody's.
    package func isCertain(signedIn: AccountID?) -> Bool {
        guard let hint else { return signedIn == nil }
        return signedIn == nil || signedIn == hint.account
    }

    /// Where the browser goes, with `state` as it came; `nil` if it stays.
    package var destination: String? {
        guard let redirectURI else { return nil }
        guard let state else { return redirectURI }
        return QueryText.add([("state", state)], to: redirectURI)
    }

    /// Byte by byte: of letters that look alike, or are written in two ways, none is the other.
    private static func same(_ left: String, _ right: String) -> Bool { Array(left.utf8) == Array(right.utf8) }
}

/// The parameters of a logout, as they came.
package struct LogoutRequest: Sendable, Equatable {
    package let clientID: String?
    package let redirectURI: String?
    package let state: String?

    package init(clientID: String?, redirectURI: String?, state: String?) {
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.state = state
    }

    /// As the query of an address, where a person is asked first.
    package var query: String {
        let given = [("client_id", clientID), ("post_logout_redirect_uri", redirectURI), ("state", state)]
        return QueryText.text(given.compactMap { name, value in value.map { (name, $0) } })
    }
}
