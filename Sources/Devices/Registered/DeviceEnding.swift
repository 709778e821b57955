package import Kernel

/// Port: ends everything that was started from a revoked device.
package protocol DeviceEnding: Sendable {
    /// Ends the account's sessions on the device, and everything that it and they have started, in the caller's unit of
    /// work.
    func end(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Ends the live state in memory, once that is durable.
    func settle(revokedDeviceOf account: AccountID) async throws
}
