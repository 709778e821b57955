package import Kernel

/// A registered passkey, as lists and commands name it; the authenticator's own name for it is a ``CredentialID``.
package struct PasskeyID: EntityID {
    package let bits: UUIDBits
    package init(_ bits: UUIDBits) { self.bits = bits }
}

/// A credential that a person can sign in with: the credential record of WebAuthn L3 §4, and whose it is.
package struct Passkey: Sendable, Equatable {
    package let id: PasskeyID
    package let credential: CredentialID
    package let account: AccountID
    /// What the authenticator knows the account by (WebAuthn L3 §14.6.1): random, never a name.
    package let userHandle: [UInt8]
    /// The relying party that it was made for.
    package let rpID: String
    /// The COSE_Key, as it was sent.
    package let publicKey: [UInt8]
    /// The last counter that was taken; zero for an authenticator that has none.
    package var signCount: UInt32
    /// Whether it may be in several places (`BE`); never changes.
    package let isBackupEligible: Bool
    /// Whether it is now (`BS`).
    package var isBackedUp: Bool
    /// Whether a sign-in with it has asked for face, finger or PIN before.
    package var wasUserVerified: Bool
    /// As the client named them at the registration.
    package let transports: [String]
    package let aaguid: AAGUID
    package let attestation: KnownAttestation
    /// Whether it can be found without a name (`credProps.rk`); `nil` where the client did not say.
    package let isDiscoverable: Bool?
    /// What its owner calls it.
    package var label: String
    package let createdAt: Instant
    package var lastUsedAt: Instant?
    /// How many good signatures came with a counter that was used before.
    package var cloneSigns: Int64

    package init(
        id: PasskeyID,
        credential: CredentialID,
        account: AccountID,
        userHandle: [UInt8],
        rpID: String,
        publicKey: [UInt8],
        signCount: UInt32,
        isBackupEligible: Bool,
        isBackedUp: Bool,
        wasUserVerified: Bool,
        transports: [String],
        aaguid: AAGUID,
        attestation: KnownAttestation,
        isDiscoverable: Bool?,
        label: String,
        createdAt: Instant,
        lastUsedAt: Instant? = nil,
        cloneSigns: Int64 = 0
    ) {
        self.id = id
        self.credential = credential
        self.account = account
        self.userHandle = userHandle
        self.rpID = rpID
        self.publicKey = publicKey
        self.signCount = signCount
        self.isBackupEligible = isBackupEligible
        self.isBackedUp = isBackedUp
        self.wasUserVerified = wasUserVerified
        self.transports = transports
        self.aaguid = aaguid
        self.attestation = attestation
        self.isDiscoverable = isDiscoverable
        self.label = label
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.cloneSigns = cloneSigns
    }
}

/// What was known of the authenticator when the passkey was registered.
package struct KnownAttestation: Sendable, Equatable {
    /// The format's registered identifier (WebAuthn L3 §8).
    package let format: String
    package let type: AttestationType
    /// Whether its certificates ended at an anchor of ours.
    package let isTrusted: Bool

    package init(format: String, type: AttestationType, isTrusted: Bool) {
        self.format = format
        self.type = type
        self.isTrusted = isTrusted
    }
}
