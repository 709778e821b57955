package import Kernel
package import OAuth

/// Turns approved device codes into sessions (RFC 8628 §3.4).
package struct DeviceCodeRedemption: Sendable {
    private let deviceFlow: DeviceFlowService
    private let door: Door
    private let unitOfWork: any UnitOfWork

    package init(deviceFlow: DeviceFlowService, door: Door, unitOfWork: any UnitOfWork) {
        self.deviceFlow = deviceFlow
        self.door = door
        self.unitOfWork = unitOfWork
    }

    /// The time that a device waits between two polls.
    package var interval: Duration { deviceFlow.policy.interval }

    /// Opens the session of an approved code once, and returns the limits that the request sets to its access token.
    ///
    /// Most polls end before that, after a read, because the code is not approved yet.
    ///
    /// `key`: returns the key that binds the tokens. It is called once the code is known to be approved.
    ///
    /// - Throws: ``OAuthError``; the errors of ``PresentedKey/use``; ``StoreError``.
    package func redeem(
        _ code: String,
        by authenticated: AuthenticatedClient,
        request: TokenLimitsRequest,
        key: () throws -> PresentedKey?
    ) async throws -> (opened: OpenedGrant, limits: TokenLimits) {
        try await deviceFlow.poll(code, by: authenticated)
        let key = try key()
        return try await unitOfWork.run { [deviceFlow, door] transaction in
            let grant = try deviceFlow.redeem(code, by: authenticated, in: transaction)
            let limits = try grant.limits(request, of: authenticated.client)
            return (try door.open(grant, client: authenticated.client, key: key, in: transaction), limits)
        }
    }
}
