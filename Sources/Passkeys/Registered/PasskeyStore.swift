package import Kernel

/// Port: where passkeys are kept.
package protocol PasskeyStore: Sendable {
    /// Adds a passkey; `false`, and nothing is done, if some account has one of that credential id already.
    func insert(_ passkey: Passkey, in transaction: borrowing Transaction) throws -> Bool

    /// The passkey of that credential id, whosever it is.
    func find(_ credential: CredentialID, in transaction: borrowing Transaction) throws -> Passkey?

    /// Does the same outside of a unit of work.
    func find(_ credential: CredentialID) async throws -> Passkey?

    func find(_ id: PasskeyID, in transaction: borrowing Transaction) throws -> Passkey?

    /// The account's passkeys, the oldest first.
    func list(of account: AccountID, limit: Int, in transaction: borrowing Transaction) throws -> [Passkey]

    /// Does the same outside of a unit of work.
    func list(of account: AccountID, limit: Int) async throws -> [Passkey]

    /// Notes a sign-in: its time, and the authenticator's new state.
    ///
    /// - Returns: `false`, and nothing is done, if the counter has changed since the signature was checked, or the
    ///   passkey is gone.
    func noteUse(_ use: PasskeyUse, in transaction: borrowing Transaction) throws -> Bool

    /// Counts a valid signature whose counter was used before.
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

    /// Accounts with their passkeys, the newest account first: for the debug list alone.
    func listAccounts(limit: Int) async throws -> [ListedPasskeys]
}

/// The changes of a passkey at a sign-in.
package struct PasskeyUse: Sendable, Equatable {
    package let id: PasskeyID
    /// The counter that the signature was judged against.
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
    /// A user name in the form of an address has its mark, `user:`.
    package let name: String
    package let passkeys: [Passkey]

    package init(name: String, passkeys: [Passkey]) {
        self.name = name
        self.passkeys = passkeys
    }
}
