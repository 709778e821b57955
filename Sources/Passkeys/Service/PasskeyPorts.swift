package import Kernel

/// Port: the accounts that passkeys sign in to.
package protocol PasskeyPeople: Sendable {
    /// Returns the account of that name, or of that address if the name has the form of one.
    func person(named name: String, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    /// Returns the account of that user name, in any form.
    func person(called username: String, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    func person(_ account: AccountID, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    /// Whether a new account can be called so.
    func canBeNamed(_ name: String) -> Bool

    /// Opens an account of that name, in the caller's unit of work.
    ///
    /// - Throws: ``PasskeyError/nameTaken`` if it is taken by now; ``PasskeyError/badName``.
    func open(named name: String, in transaction: borrowing Transaction) throws -> AccountID

    /// The name as it is compared: one for all ways to write it.
    func normalised(_ name: String) -> String
}

/// Somebody who can have passkeys.
package struct PasskeyPerson: Sendable, Equatable {
    package let account: AccountID
    /// The name that the person signs in with.
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

/// The audit events of passkeys; the subject is the passkey.
package enum PasskeyAuditEvent: String, AuditEvent, CaseIterable {
    /// An account got a passkey.
    case added = "passkey.added"
    /// A passkey was removed from its account.
    case removed = "passkey.removed"
    /// A valid signature came with a counter that was used before: the authenticator may have a copy.
    case cloneSuspected = "passkey.clone-suspected"
    /// The passkey's backup state changed.
    case backupChanged = "passkey.backup-changed"
}

/// A change to an account's passkeys, as its owner is told of it.
package enum PasskeyNotice: Sendable {
    case added
    case removed
}

/// Port: tells owners by mail of a change to their passkeys, in the unit of work that makes it.
package protocol PasskeyNotices: Sendable {
    func notify(
        _ notice: PasskeyNotice,
        of account: AccountID,
        client: String,
        language: String,
        in transaction: borrowing Transaction
    ) throws
}

/// The reason for refusing a request about a passkey.
package enum PasskeyError: Error, Sendable, Equatable {
    /// The challenge was used, has expired, is another's, or never was.
    case challengeOver
    /// No account has a passkey of that credential id, or not the one that was named.
    case unknownPasskey
    /// Some account has a passkey of that credential id already, or a decoy has it.
    case registeredAlready
    /// The response breaks a rule of the standard, or of this server.
    case ceremony(CeremonyError)
    /// The answer is not of a passkey of the named user.
    ///
    /// The failing step stays secret, because it would reveal unknown names.
    case notAccepted
    /// No passkeys are made for that domain.
    case noRelyingParty
    case badName
    case nameTaken
    /// Accounts are not opened, whosever the name is.
    case registrationClosed
    /// The account is the caller's own, but the sign-in is too old.
    case signInTooOld
    case tooMany
    case notFound
    /// Without this passkey the account could not be signed in to.
    case last
}
