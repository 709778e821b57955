import Hummingbird
import Kernel
import OAuth
import SignIn

/// The authorization code grant (RFC 6749 §4.1.3, RFC 7636).
struct CodeGrant: GrantHandler {
    let type = OAuthClient.GrantType.authorizationCode
    let codes: CodeRedemption
    let gate: DPoPGate
    let tokens: TokenSet

    func answer(_ form: OAuthForm, client authenticated: AuthenticatedClient, request: Request) async throws -> Response
    {
        let code = PresentedCode(
            code: try form.required("code"),
            redirectURI: form["redirect_uri"],
            verifier: try form.verifier()
        )
        let asked = TokenLimitsRequest(resourcesOf: form)
        let (opened, limits) = try await codes.redeem(code, by: authenticated, request: asked) {
            try gate.tokenKey(request, of: authenticated.client)
        }
        return OAuthReply.tokens(TokenMembers(try await tokens.first(opened, authenticated.client, limits: limits)))
    }
}
