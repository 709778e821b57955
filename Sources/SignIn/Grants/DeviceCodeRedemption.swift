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

    /// How long a device waits between two polls.
    package var interval: Duration { deviceFlow.policy.interval }

    /// Checks that the code was approved: most polls end here, with a read.
    ///
    /// - Throws: ``OAuthError``; ``StoreFailure``.
    package func check(_ code: String, of client: AuthenticatedClient) async throws {
        try await deviceFlow.poll(code, by: client)
    }

    /// Opens the session of an approved code, once.
    ///
    /// - Throws: ``OAuthError``; what ``PresentedKey/use`` does; ``StoreFailure``.
    package func redeem(
        _ code: String,
        by client: AuthenticatedClient,
        key: PresentedKey?,
        limits: TokenLimitsRequest
    ) async throws -> OpenedGrant {
        try await unitOfWork.run { [deviceFlow, door] transaction in
            let grant = try deviceFlow.redeem(code, by: client, in: transaction)
            try grant.check(limits, of: client.client)
            return try door.open(grant, client: client.client, key: key, in: transaction)
        }
    }
}
