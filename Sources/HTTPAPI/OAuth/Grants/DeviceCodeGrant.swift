package import Hummingbird
package import Kernel
package import OAuth

/// The device authorization grant (RFC 8628 §3.4): what a device's poll gets.
package struct DeviceCodeGrant: GrantHandler {
    package let type = OAuthClient.GrantType.deviceCode
    private let desk: DeviceFlowDesk
    private let sessions: OAuthSessions
    private let limits: DeviceFlowLimits?
    private let unitOfWork: any UnitOfWork

    /// `limits`: none where it is `nil`, for benches.
    package init(
        desk: DeviceFlowDesk,
        sessions: OAuthSessions,
        limits: DeviceFlowLimits?,
        unitOfWork: any UnitOfWork
    ) {
        self.desk = desk
        self.sessions = sessions
        self.limits = limits
        self.unitOfWork = unitOfWork
    }

    package func answer(
        _ form: OAuthForm,
        _ client: AuthenticatedClient,
        _ request: Request
    ) async throws -> Response {
        let deviceCode = try form.required("device_code")
        let limits = TokenLimitsRequest(resourcesOf: form)
        try self.limits?.admitPoll(of: deviceCode, by: client.client, every: desk.policy.interval)
        // Most polls end here, with a read.
        try await desk.poll(deviceCode, by: client)
        let proof = try sessions.proof(of: request, client: client.client)
        let opened = try await unitOfWork.run { [desk, sessions] transaction in
            let grant = try desk.redeem(deviceCode, by: client, in: transaction)
            try sessions.check(limits, of: grant, client: client.client)
            return try sessions.open(grant, client: client.client, proof: proof, in: transaction)
        }
        return try await sessions.answer(opened, client: client.client, request: limits)
    }
}
