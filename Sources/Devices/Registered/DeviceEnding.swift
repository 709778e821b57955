package import Kernel

/// Port: ends what came of a device that is revoked.
package protocol DeviceEnding: Sendable {
    /// Ends the account's sessions on the device, and what it and they have started, in the caller's unit of work.
    func end(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Ends what is live in memory of it, once that is durable.
    func settle(revokedDeviceOf account: AccountID) async throws
}
