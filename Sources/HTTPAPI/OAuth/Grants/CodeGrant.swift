package import Hummingbird
import Kernel
package import OAuth
package import SignIn

/// The authorization code grant (RFC 6749 §4.1.3, RFC 7636).
package struct CodeGrant: GrantHandler {
    package let type = OAuthClient.GrantType.authorizationCode
    private let codes: CodeRedemption
    private let replies: GrantReplies

    package init(codes: CodeRedemption, replies: GrantReplies) {
        self.codes = codes
        self.replies = replies
    }

    package func answer(_ form: OAuthForm, _ client: AuthenticatedClient, _ request: Request) async throws -> Response {
        let code = PresentedCode(
            code: try form.required("code"),
            redirectURI: form["redirect_uri"],
            verifier: try Self.verifier(form)
        )
        let limits = TokenLimitsRequest(resourcesOf: form)
        try await codes.check(code, of: client)
        let key = try replies.key(of: request, client: client.client)
        let opened = try await codes.redeem(code, by: client, key: key, limits: limits)
        return try await replies.answer(opened, client: client.client, request: limits)
    }

    /// A published document calls it `verifier`.
    private static func verifier(_ form: OAuthForm) throws(OAuthError) -> String? {
        guard let text = form["code_verifier"], let other = form["verifier"] else {
            return form["code_verifier"] ?? form["verifier"]
        }
        guard text == other else {
            throw OAuthError(.invalidRequest, "The code_verifier comes twice, and is not the same.")
        }
        return text
    }
}
