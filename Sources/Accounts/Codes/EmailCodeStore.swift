package import Kernel

/// Port: where the codes are kept that were sent by mail.
package protocol EmailCodeStore: Sendable {
    /// Adds a code, and ends the one that the same device has for the account, if it has one: one is live at a time.
    func insert(_ code: EmailCode, in transaction: borrowing Transaction) throws

    func find(_ id: EmailCodeID, in transaction: borrowing Transaction) throws -> EmailCode?

    /// The device's code for that address that has not ended.
    func find(address: Digest256, device: DeviceName, in transaction: borrowing Transaction) throws -> EmailCode?

    /// The code whose link that is.
    func find(link: Digest256) async throws -> EmailCode?

    /// Counts a wrong try.
    func noteWrongTry(of id: EmailCodeID, in transaction: borrowing Transaction) throws

    /// Ends a code; `false` if it has ended already.
    func end(_ id: EmailCodeID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Ends every code of the account that has not ended.
    func endAll(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws

    /// Returns the codes sent since `codesSince` and the wrong tries since `triesSince`.
    ///
    /// They are those of the account's linked device, or without one, those of all its other devices.
    func use(
        of account: AccountID,
        on linkedDevice: DeviceID?,
        codesSince: Instant,
        triesSince: Instant,
        in transaction: borrowing Transaction
    ) throws -> EmailCodeUse
}
