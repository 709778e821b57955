package import Hummingbird
import Kernel
package import OAuth
package import SignIn

/// The device authorization grant (RFC 8628 §3.4): what a device's poll gets.
package struct DeviceCodeGrant: GrantHandler {
    package let type = OAuthClient.GrantType.deviceCode
    private let codes: DeviceCodeRedemption
    private let replies: GrantReplies
    private let limits: DeviceFlowLimits?

    /// `limits`: none where it is `nil`, for benches.
    package init(codes: DeviceCodeRedemption, replies: GrantReplies, limits: DeviceFlowLimits?) {
        self.codes = codes
        self.replies = replies
        self.limits = limits
    }

    package func answer(_ form: OAuthForm, _ client: AuthenticatedClient, _ request: Request) async throws -> Response {
        let deviceCode = try form.required("device_code")
        let limits = TokenLimitsRequest(resourcesOf: form)
        try self.limits?.admitPoll(of: deviceCode, by: client.client, every: codes.interval)
        try await codes.check(deviceCode, of: client)
        let key = try replies.key(of: request, client: client.client)
        let opened = try await codes.redeem(deviceCode, by: client, key: key, limits: limits)
        return try await replies.answer(opened, client: client.client, request: limits)
    }
}
