package import Kernel

/// Port: the accounts that passkeys sign in to.
package protocol PasskeyPeople: Sendable {
    /// Returns the account with that user name, or with that address if the name has the form of one.
    func person(named name: String, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    /// Returns the account with that user name, even if the name has the form of an address.
    func person(called username: String, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    func person(_ account: AccountID, in transaction: borrowing Transaction) throws -> PasskeyPerson?

    /// Whether a new account can have that user name.
    func canBeNamed(_ name: String) -> Bool

    /// Opens an account with that user name, in the caller's unit of work.
    ///
    /// - Throws: ``PasskeyError/nameTaken`` if another account has the name; ``PasskeyError/badName``.
    func open(named name: String, in transaction: borrowing Transaction) throws -> AccountID

    /// Returns the form in which names are compared, which is the same for all spellings of a name.
    func normalised(_ name: String) -> String
}

/// The owner of an account that can have passkeys.
package struct PasskeyPerson: Sendable, Equatable {
    package let account: AccountID
    /// The name that the person signs in with.
    package let name: String
    package let displayName: String
    package let isActive: Bool
    /// Whether the person can sign in without any passkey, with a proved address.
    package let hasOtherWay: Bool

    package init(account: AccountID, name: String, displayName: String, isActive: Bool, hasOtherWay: Bool) {
        self.account = account
        self.name = name
        self.displayName = displayName
        self.isActive = isActive
        self.hasOtherWay = hasOtherWay
    }
}

/// The audit events of passkeys, whose subject is the passkey.
package enum PasskeyAuditEvent: String, AuditEvent, CaseIterable {
    /// An account got a passkey.
    case added = "passkey.added"
    /// A passkey was removed from its account.
    case removed = "passkey.removed"
    /// A valid signature had a counter that has not grown: there may be a copy of the authenticator.
    case cloneSuspected = "passkey.clone-suspected"
    /// The passkey's backup state changed.
    case backupChanged = "passkey.backup-changed"
}

/// A change to an account's passkeys of which the owner is told.
package enum PasskeyNotice: Sendable {
    case added
    case removed
}

/// Port: tells owners by mail of a change to their passkeys, in the unit of work of the change.
package protocol PasskeyNotices: Sendable {
    func notify(
        _ notice: PasskeyNotice,
        of account: AccountID,
        client: String,
        requester: Requester,
        in transaction: borrowing Transaction
    ) throws
}

/// The reason for refusing a request about a passkey.
package enum PasskeyError: Error, Sendable, Equatable {
    /// The challenge was used, has expired, was issued to another client, or never existed.
    case challengeOver
    /// No passkey for that relying party has the credential id.
    case unknownPasskey
    /// An account or a decoy has that credential id already.
    case registeredAlready
    /// The response breaks a rule of WebAuthn or of this server.
    case ceremony(CeremonyError)
    /// The response to a sign-in with a name is refused.
    ///
    /// The failing step stays secret, because it would reveal whether the name is known.
    case notAccepted
    /// No relying party with that RP ID is configured.
    case noRelyingParty
    case badName
    case nameTaken
    /// New accounts are not opened here; the name may be free or taken.
    case registrationClosed
    /// The passkey is for the caller's own account, but the sign-in is too old.
    case signInTooOld
    case tooMany
    case notFound
    /// The passkey is the only way to sign in to the account.
    case last
}
