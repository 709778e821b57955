package import Kernel

/// Port: the accounts that passkeys sign in to.
package protocol PasskeyPeople: Sendable {
    /// Whose name that is: of one in the form of an address, whose address.
    func person(named name: String, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    /// Whose user name that is, whatever its form.
    func person(called username: String, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    func person(_ account: AccountID, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    /// Whether a new account can be called so.
    func canBeNamed(_ name: String) -> Bool

    /// Opens an account of that name, in the caller's unit of work.
    ///
    /// - Throws: ``PasskeyError/nameTaken`` if somebody has it by now; ``PasskeyError/badName``.
    func open(named name: String, in transaction: borrowing Transaction) throws -> AccountID

    /// The name as it is compared: one for all ways to write it.
    func normalised(_ name: String) -> String
}

/// Somebody who can have passkeys.
package struct PasskeyPerson: Sendable, Equatable {
    package let account: AccountID
    /// What the person signs in as.
    package let name: String
    package let displayName: String
    package let isActive: Bool
    /// Whether the person can sign in without any passkey: by an address that was proved.
    package let hasOtherWay: Bool

    package init(account: AccountID, name: String, displayName: String, isActive: Bool, hasOtherWay: Bool) {
        self.account = account
        self.name = name
        self.displayName = displayName
        self.isActive = isActive
        self.hasOtherWay = hasOtherWay
    }
}

/// What happens to passkeys that the audit is told.
package enum PasskeyAuditEvent: String, AuditEvent, CaseIterable {
    case added = "passkey.added"
    case removed = "passkey.removed"
    /// A good signature came with a counter that was used before: there may be two of the authenticator.
    case cloneSuspected = "passkey.clone-suspected"
    /// It is kept elsewhere as well from now on, or no longer.
    case backupChanged = "passkey.backup-changed"
}

/// Port: tells owners by mail that a passkey was added or removed, in the unit of work that does it.
package protocol PasskeyNotices: Sendable {
    func passkeyWasAdded(
        to account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws

    func passkeyWasRemoved(
        from account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws
}

/// Why something with a passkey was not done.
package enum PasskeyError: Error, Sendable, Equatable {
    /// The challenge was used, has expired, is another's, or never was.
    case challengeOver
    /// No account has a passkey of that credential id, or not the one that was named.
    case unknownPasskey
    /// Some account has a passkey of that credential id already, or a decoy has it.
    case registeredAlready
    /// The response breaks a rule of the standard, or of ours.
    case ceremony(CeremonyError)
    /// It is no answer of a passkey of whoever was named; at which step is not said, for it would tell of some names that
    /// nobody has them.
    case notAccepted
    /// No passkeys are made for that domain.
    case noRelyingParty
    case badName
    case nameTaken
    /// Accounts are not opened, whosever the name is.
    case registrationClosed
    /// It is the asker's own account, whose sign-in is too long ago.
    case signInTooOld
    case tooMany
    case notFound
    /// Without it nobody could sign in to the account.
    case last
}
