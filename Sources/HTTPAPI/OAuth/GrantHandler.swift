package import Hummingbird
package import OAuth

/// One grant of the token endpoint (RFC 6749 §4): each has a file of its own under `Grants/`.
package protocol GrantHandler: Sendable {
    /// The `grant_type` that it answers.
    var type: OAuthClient.GrantType { get }

    /// The answer to a client that has shown itself, and may use this grant.
    /// - Throws: ``OAuthError``, which ``OAuthReply`` makes an answer of; ``StoreFailure``.
    func answer(_ form: OAuthForm, _ client: AuthenticatedClient, _ request: Request) async throws -> Response
}
