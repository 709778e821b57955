/// A credential and the user handle of its owner.
package struct OwnedCredential: Sendable, Equatable {
    package var record: CredentialRecord
    /// The authenticator's name for the account (WebAuthn L3 §5.4.3, §14.6.1): random, never a user name.
    package let userHandle: [UInt8]

    package init(_ record: CredentialRecord, userHandle: [UInt8]) {
        self.record = record
        self.userHandle = userHandle
    }
}

/// A verified authentication, and the values to be stored (WebAuthn L3 §7.2 step 24).
package struct VerifiedAuthentication: Sendable, Equatable {
    package let credentialID: CredentialID
    package let userHandle: [UInt8]
    package let isUserVerified: Bool
    package let counter: CounterVerdict
    /// The greater of the stored and the sent counter, to be stored: a copy with a lower one is detected again.
    package let signCount: UInt32
    /// The backup state to store.
    package let isBackedUp: Bool
    /// Whether ``isBackedUp`` differs from the stored state.
    package let hasBackupChanged: Bool
}
