package import Hummingbird
import Kernel
package import OAuth
package import SignIn

/// The device authorization grant (RFC 8628 §3.4), which answers a device's polls.
package struct DeviceCodeGrant: GrantHandler {
    package let type = OAuthClient.GrantType.deviceCode
    private let codes: DeviceCodeRedemption
    private let gate: DPoPGate
    private let tokens: TokenSet
    private let limits: DeviceFlowLimits?

    /// `limits` is `nil` if the config switches limits off.
    package init(codes: DeviceCodeRedemption, gate: DPoPGate, tokens: TokenSet, limits: DeviceFlowLimits?) {
        self.codes = codes
        self.gate = gate
        self.tokens = tokens
        self.limits = limits
    }

    package func answer(_ form: OAuthForm, client: AuthenticatedClient, request: Request) async throws -> Response {
        let deviceCode = try form.required("device_code")
        let limits = TokenLimitsRequest(resourcesOf: form)
        try self.limits?.admitPoll(of: deviceCode, by: client.client, every: codes.interval)
        let opened = try await codes.redeem(deviceCode, by: client, limits: limits) {
            try gate.tokenKey(request, of: client.client)
        }
        return OAuthReply.tokens(TokenMembers(try await tokens.first(opened, client.client, request: limits)))
    }
}
