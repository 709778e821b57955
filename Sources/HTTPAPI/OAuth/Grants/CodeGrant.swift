package import Hummingbird
import Kernel
package import OAuth
package import SignIn

/// The authorization code grant (RFC 6749 §4.1.3, RFC 7636).
package struct CodeGrant: GrantHandler {
    package let type = OAuthClient.GrantType.authorizationCode
    private let codes: CodeRedemption
    private let gate: DPoPGate
    private let tokens: TokenSet

    package init(codes: CodeRedemption, gate: DPoPGate, tokens: TokenSet) {
        self.codes = codes
        self.gate = gate
        self.tokens = tokens
    }

    package func answer(_ form: OAuthForm, client: AuthenticatedClient, request: Request) async throws -> Response {
        let code = PresentedCode(
            code: try form.required("code"),
            redirectURI: form["redirect_uri"],
            verifier: try form.verifier()
        )
        let limits = TokenLimitsRequest(resourcesOf: form)
        let opened = try await codes.redeem(code, by: client, limits: limits) {
            try gate.tokenKey(request, of: client.client)
        }
        return OAuthReply.tokens(TokenMembers(try await tokens.first(opened, client.client, request: limits)))
    }
}
