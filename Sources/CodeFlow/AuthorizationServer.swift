// CodeFlow: the client's side of the authorization code flow, towards servers that this one is a client of.
// Owns the redirect there, the check of the callback, the request for tokens and the reading of the answer.
// Keeps no state and sends nothing: OAuth's broker and Wallet's banks keep states, and Upstreams sends.
// Survives forged and mixed-up callbacks, and answers that cannot be read: no text of theirs gets any further.
// When a state is used up, and what an error means to a person, is for the feature that asks.

package import Kernel

/// An authorization server elsewhere, as its client knows it.
package protocol AuthorizationServer: Sendable {
    /// Its `iss`, which its callbacks then have to have (RFC 9207); `nil` where it sends none.
    var issuer: String? { get }
    var authorizeURL: String { get }
    var tokenURL: String { get }
    var clientID: String { get }
    /// Where the client's secret goes (RFC 6749 §2.3.1).
    var secret: ClientSecretUse { get }
    var scopes: [String] { get }
    /// For one request to it.
    var timeout: Duration { get }
    /// Whether its token answers may lack a type, have spaces in tokens, and write lifetimes as text.
    var hasLooseAnswers: Bool { get }
}

/// The secret of a client, and where it goes (RFC 6749 §2.3.1); a public client has none.
package enum ClientSecretUse: Sendable {
    case none
    case form(Secret)
    case basic(Secret)
}

extension AuthorizationServer {
    /// The parameters that a browser is redirected to ``authorizeURL`` with (RFC 6749 §4.1.1, RFC 7636 §4.3).
    ///
    /// `verifier`: `nil` for a server that takes no code challenge.
    package func authorizationParameters(
        redirectURI: String,
        state: String,
        verifier: Secret?
    ) -> [(name: String, value: String)] {
        var parameters = [
            ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI), ("state", state),
        ]
        if !scopes.isEmpty { parameters.append(("scope", scopes.joined(separator: " "))) }
        if let verifier {
            let challenge = Digest256(sha256: verifier.expose())
            parameters += [
                ("code_challenge", Base64URL.encode(challenge.bytes)), ("code_challenge_method", "S256"),
            ]
        }
        return parameters
    }
}
