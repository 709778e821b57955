import Hummingbird
import Kernel
import OAuth
import SignIn

/// The device authorization grant (RFC 8628 §3.4), which answers a device's polls.
struct DeviceCodeGrant: GrantHandler {
    let type = OAuthClient.GrantType.deviceCode
    let codes: DeviceCodeRedemption
    let gate: DPoPGate
    let tokens: TokenSet
    let limits: DeviceFlowLimits?

    func answer(_ form: OAuthForm, client authenticated: AuthenticatedClient, request: Request) async throws -> Response
    {
        let deviceCode = try form.required("device_code")
        try self.limits?.admitPoll(of: deviceCode, by: authenticated.client, every: codes.interval)
        let asked = TokenLimitsRequest(resourcesOf: form)
        let (opened, limits) = try await codes.redeem(deviceCode, by: authenticated, request: asked) {
            try gate.tokenKey(request, of: authenticated.client)
        }
        return OAuthReply.tokens(TokenMembers(try await tokens.first(opened, authenticated.client, limits: limits)))
    }
}
