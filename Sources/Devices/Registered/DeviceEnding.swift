package import Kernel

/// Port: ends everything that was started from a revoked device.
package protocol DeviceEnding: Sendable {
    /// Ends the account's sessions on the device, and everything that the device and the sessions have started, in the
    /// caller's unit of work.
    func end(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws

    /// Ends the state in memory, once the revocation is durable.
    func settle(revokedDeviceOf account: AccountID) async throws
}
