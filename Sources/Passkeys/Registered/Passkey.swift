package import Kernel

/// A credential with which a person signs in, and its account.
package struct Passkey: Sendable, Equatable {
    package let id: PasskeyID
    package let account: AccountID
    /// The id of the relying party that the passkey was made for.
    package let rpID: String
    package var credential: OwnedCredential
    /// The owner's name for the passkey; empty until it is set.
    package var label: String
    package let addition: Addition
    package var lastUsedAt: Instant?
    /// The number of valid signatures whose counter had not grown.
    package var cloneSigns: Int64

    package init(
        id: PasskeyID,
        account: AccountID,
        rpID: String,
        credential: OwnedCredential,
        label: String = "",
        createdAt: Instant,
        countsFrom: Instant? = nil,
        lastUsedAt: Instant? = nil,
        cloneSigns: Int64 = 0
    ) {
        self.id = id
        self.account = account
        self.rpID = rpID
        self.credential = credential
        self.label = label
        addition = Addition(at: createdAt, countsFrom: max(createdAt, countsFrom ?? createdAt))
        self.lastUsedAt = lastUsedAt
        self.cloneSigns = cloneSigns
    }

    /// When the passkey was added, and from when it counts for clients that require one.
    package struct Addition: Sendable, Equatable {
        package let at: Instant
        /// The time of the addition, or a later one if the proof that added the passkey was weaker than a passkey.
        package let countsFrom: Instant
    }

    package var createdAt: Instant { addition.at }
    package var countsFrom: Instant { addition.countsFrom }

    /// Whether a browser finds the passkey without its id (WebAuthn L3 §4, "discoverable credential").
    ///
    /// Apps often don't report it: then a passkey that can be backed up counts as discoverable.
    package var isFoundUnnamed: Bool { credential.record.isDiscoverable ?? credential.record.backup.isEligible }

    /// Whether the passkey can be on several devices, in the words that existing clients use.
    package var deviceType: String { credential.record.backup.isEligible ? "multiDevice" : "singleDevice" }

    /// The passkey's descriptor in options.
    var descriptor: CredentialDescriptor {
        CredentialDescriptor(credential.record.id, transports: credential.record.authenticator.transports)
    }
}
