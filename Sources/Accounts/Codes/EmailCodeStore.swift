package import Kernel

/// Port: the store of mailed codes.
package protocol EmailCodeStore: Sendable {
    /// Adds a code, and ends the device's previous code for the account, so that one is live at a time.
    func insert(_ code: EmailCode, in transaction: borrowing Transaction) throws

    func find(_ id: EmailCodeID, in transaction: borrowing Transaction) throws -> EmailCode?

    /// Returns the device's code for that address, if it has not ended.
    func find(address: Digest256, device: DeviceName, in transaction: borrowing Transaction) throws -> EmailCode?

    /// Returns the code of the link whose token has that digest.
    func find(link: Digest256) async throws -> EmailCode?

    /// Counts a wrong try.
    func noteWrongTry(of id: EmailCodeID, in transaction: borrowing Transaction) throws

    /// Ends a code; returns `false` if it has already ended.
    func end(_ id: EmailCodeID, at now: Instant, in transaction: borrowing Transaction) throws -> Bool

    /// Ends every code of the account that has not ended.
    func endAll(of account: AccountID, at now: Instant, in transaction: borrowing Transaction) throws

    /// Returns the codes sent since `codesSince` and the wrong tries since `triesSince`.
    ///
    /// They are those of the account's linked device, or without one, those of all its unlinked devices together.
    func use(
        of account: AccountID,
        on linkedDevice: DeviceID?,
        codesSince: Instant,
        triesSince: Instant,
        in transaction: borrowing Transaction
    ) throws -> EmailCodeUse
}
