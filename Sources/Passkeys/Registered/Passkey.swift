package import Kernel

/// A credential that a person can sign in with, and whose it is.
package struct Passkey: Sendable, Equatable {
    package let id: PasskeyID
    package let account: AccountID
    /// What the authenticator knows the account by (WebAuthn L3 §14.6.1): random, never a name.
    package let userHandle: [UInt8]
    /// The relying party that it was made for.
    package let rpID: String
    package var record: CredentialRecord
    /// What its owner calls it; empty before they did.
    package var label: String
    package let createdAt: Instant
    package var lastUsedAt: Instant?
    /// How many good signatures came with a counter that was used before.
    package var cloneSigns: Int64

    package init(
        id: PasskeyID,
        account: AccountID,
        userHandle: [UInt8],
        rpID: String,
        record: CredentialRecord,
        label: String = "",
        createdAt: Instant,
        lastUsedAt: Instant? = nil,
        cloneSigns: Int64 = 0
    ) {
        self.id = id
        self.account = account
        self.userHandle = userHandle
        self.rpID = rpID
        self.record = record
        self.label = label
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.cloneSigns = cloneSigns
    }

    /// Whether a browser finds it without being told of it (WebAuthn L3 §4, "discoverable credential").
    ///
    /// Apps often don't say; what is kept in several places can always be found.
    package var isFoundUnnamed: Bool { record.isDiscoverable ?? record.isBackupEligible }

    /// The name that clients in the field use for whether it can be in several places.
    package var deviceType: String { record.isBackupEligible ? "multiDevice" : "singleDevice" }

    /// As options name it to an authenticator.
    var descriptor: CredentialDescriptor { CredentialDescriptor(record.id, transports: record.transports) }
}
