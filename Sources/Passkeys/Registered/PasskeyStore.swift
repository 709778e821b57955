package import Kernel

/// Port: where passkeys are kept.
package protocol PasskeyStore: Sendable {
    /// Adds a passkey; returns `false` and changes nothing if any account has that credential id already.
    func insert(_ passkey: Passkey, in transaction: borrowing Transaction) throws -> Bool

    /// Returns the passkey with that credential id, of any account.
    func find(_ credential: CredentialID, in transaction: borrowing Transaction) throws -> Passkey?

    /// Does the same outside of a unit of work.
    func find(_ credential: CredentialID) async throws -> Passkey?

    func find(_ id: PasskeyID, in transaction: borrowing Transaction) throws -> Passkey?

    /// Returns the account's passkeys, the oldest first.
    func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Passkey]

    /// Does the same outside of a unit of work.
    func list(of account: AccountID, limit: Int) async throws -> [Passkey]

    /// Records a sign-in: its time, and the authenticator's new state.
    ///
    /// - Returns: `false`, without a change, if the counter has changed since the signature was checked, or if the
    ///   passkey is gone.
    func noteUse(_ use: PasskeyUse, in transaction: borrowing Transaction) throws -> Bool

    /// Counts a valid signature whose counter has not grown.
    func noteCloneSign(of id: PasskeyID, in transaction: borrowing Transaction) throws

    /// Renames the account's passkey; returns `false` if the account has none of that id.
    func rename(
        _ id: PasskeyID,
        of account: AccountID,
        to label: String,
        in transaction: borrowing Transaction
    ) throws -> Bool

    /// Removes the account's passkey; returns `false` if the account has none of that id.
    func remove(_ id: PasskeyID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool

    /// Returns accounts with their passkeys, the newest account first, for the debug list only.
    func listAccounts(limit: Int) async throws -> [ListedPasskeys]
}

/// The changes to a passkey at a sign-in.
package struct PasskeyUse: Sendable, Equatable {
    package let id: PasskeyID
    /// The stored counter that the signature's counter was compared with.
    package let countBefore: UInt32
    package let count: UInt32
    package let isBackedUp: Bool
    package let at: Instant

    package init(id: PasskeyID, countBefore: UInt32, count: UInt32, isBackedUp: Bool, at: Instant) {
        self.id = id
        self.countBefore = countBefore
        self.count = count
        self.isBackedUp = isBackedUp
        self.at = at
    }
}

/// An account's name with its passkeys.
package struct ListedPasskeys: Sendable, Equatable {
    /// The user name, address or display name; a user name in the form of an address begins with `user:`.
    package let name: String
    package let passkeys: [Passkey]

    package init(name: String, passkeys: [Passkey]) {
        self.name = name
        self.passkeys = passkeys
    }
}
