package import Devices
package import Kernel

/// Signs people in by the key of their registered device.
package struct DeviceKeySignIn: Sendable {
    private let keys: DeviceKeyService
    private let door: Door
    private let unitOfWork: any UnitOfWork

    package init(keys: DeviceKeyService, door: Door, unitOfWork: any UnitOfWork) {
        self.keys = keys
        self.door = door
        self.unitOfWork = unitOfWork
    }

    /// Opens the session of a device that has signed its challenge.
    ///
    /// - Returns: `nil` if another answer was faster, or the account can't sign in.
    /// - Throws: The errors of ``PresentedKey/use``; ``StoreError``.
    package func open(_ request: SignInRequest, by device: ProvenDevice) async throws -> OpenedSession? {
        try await unitOfWork.run { [keys, door] transaction in
            guard try keys.redeem(device, in: transaction) else { return nil }
            return try door.open(request, in: transaction)
        }
    }
}
