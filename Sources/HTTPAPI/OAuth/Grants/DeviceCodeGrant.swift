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
        let limits = TokenLimitsRequest(resourcesOf: form)
        try self.limits?.admitPoll(of: deviceCode, by: authenticated.client, every: codes.interval)
        let opened = try await codes.redeem(deviceCode, by: authenticated, limits: limits) {
            try gate.tokenKey(request, of: authenticated.client)
        }
        return OAuthReply.tokens(TokenMembers(try await tokens.first(opened, authenticated.client, request: limits)))
    }
}
