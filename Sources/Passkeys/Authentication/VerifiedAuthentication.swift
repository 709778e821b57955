/// A credential, and whose it is.
package struct OwnedCredential: Sendable, Equatable {
    package let credential: CredentialRecord
    /// The user handle of its account (WebAuthn L3 §5.4.3).
    package let userHandle: [UInt8]

    package init(_ credential: CredentialRecord, userHandle: [UInt8]) {
        self.credential = credential
        self.userHandle = userHandle
    }
}

/// A verified authentication, and the values to be stored (WebAuthn L3 §7.2 step 24).
package struct VerifiedAuthentication: Sendable, Equatable {
    package let credentialID: CredentialID
    package let userHandle: [UInt8]
    package let isUserVerified: Bool
    package let counter: CounterVerdict
    /// The counter to store: the greater of the two, so that a copy that lags behind is detected again.
    package let signCount: UInt32
    /// The value to store.
    package let isBackedUp: Bool
    /// Whether that is news.
    package let hasBackupChanged: Bool
}
