// CodeFlow: the client's side of the authorization code flow, for servers at which this one is a client.
// Owns the redirect to such a server, the check of the callback, the token request and the reading of its answer.
// Keeps no state and sends nothing: OAuth's broker and Wallet's banks keep the state, and Upstreams sends.
// Survives forged and mixed-up callbacks, and unreadable answers: no text of another server is passed on.
// The calling feature decides when a state is used up, and what an error means to a person.

package import Kernel

/// An external authorization server at which this server is a client.
package struct AuthorizationServer: Sendable, Equatable {
    /// The server's `iss`, which its callbacks must contain (RFC 9207); `nil` if the server sends none.
    package var issuer: String?
    package var authorizeURL: String
    package var tokenURL: String
    package var client: ClientRegistration
    /// The scopes of every authorization request.
    package var scopes: [String]

    package init(
        issuer: String? = nil,
        authorizeURL: String,
        tokenURL: String,
        client: ClientRegistration,
        scopes: [String] = []
    ) {
        self.issuer = issuer
        self.authorizeURL = authorizeURL
        self.tokenURL = tokenURL
        self.client = client
        self.scopes = scopes
    }

    /// Returns the parameters with which a browser is redirected to ``authorizeURL`` (RFC 6749 §4.1.1, RFC 7636 §4.3).
    ///
    /// `verifier` is the code verifier; `nil` for a server that does not support code challenges.
    package func authorizationParameters(
        redirectURI: String,
        state: String,
        verifier: Secret?
    ) -> [(name: String, value: String)] {
        var parameters = [
            ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirectURI), ("state", state),
        ]
        if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
        if let verifier {
            let challenge = Digest256(sha256: verifier.expose())
            parameters += [("code_challenge", Base64URL.encode(challenge.bytes)), ("code_challenge_method", "S256")]
        }
        return parameters
    }
}
