package import Kernel

/// A credential that a person can sign in with, and whose it is.
package struct Passkey: Sendable, Equatable {
    package let id: PasskeyID
    package let account: AccountID
    /// The relying party that it was made for.
    package let rpID: String
    package var credential: OwnedCredential
    /// The owner's name for the passkey; empty until it is set.
    package var label: String
    package let createdAt: Instant
    package var lastUsedAt: Instant?
    /// The number of valid signatures with a counter that was used before.
    package var cloneSigns: Int64

    package init(
        id: PasskeyID,
        account: AccountID,
        rpID: String,
        credential: OwnedCredential,
        label: String = "",
        createdAt: Instant,
        lastUsedAt: Instant? = nil,
        cloneSigns: Int64 = 0
    ) {
        self.id = id
        self.account = account
        self.rpID = rpID
        self.credential = credential
        self.label = label
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.cloneSigns = cloneSigns
    }

    /// Whether a browser finds the passkey without its id (WebAuthn L3 §4, "discoverable credential").
    ///
    /// Apps often don't report it; a backed-up passkey can always be found.
    package var isFoundUnnamed: Bool { credential.record.isDiscoverable ?? credential.record.backup.isEligible }

    /// The name that clients in the field use for whether it can be in several places.
    package var deviceType: String { credential.record.backup.isEligible ? "multiDevice" : "singleDevice" }

    /// The passkey's descriptor in options.
    var descriptor: CredentialDescriptor {
        CredentialDescriptor(credential.record.id, transports: credential.record.authenticator.transports)
    }
}
