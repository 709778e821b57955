/// The stored part of a credential (WebAuthn L3 §4, credential record).
package struct CredentialRecord: Sendable, Equatable {
    package let id: CredentialID
    package let publicKey: COSEKey
    package var signCount: UInt32
    /// Whether the user was verified at the registration (`uvInitialized`).
    ///
    /// The value never changes: WebAuthn L3 §7.2 step 24.3 requires a second factor for a change.
    package let isUserVerified: Bool
    package var backup: BackupState
    package let authenticator: Authenticator
    package let attestation: AttestationRecord
    /// Whether the credential signs in without a user name; `nil` if the client didn't report it (`credProps`,
    /// §10.1.3).
    package let isDiscoverable: Bool?

    package init(
        id: CredentialID,
        publicKey: COSEKey,
        signCount: UInt32,
        isUserVerified: Bool,
        backup: BackupState,
        authenticator: Authenticator,
        attestation: AttestationRecord,
        isDiscoverable: Bool?
    ) {
        self.id = id
        self.publicKey = publicKey
        self.signCount = signCount
        self.isUserVerified = isUserVerified
        self.backup = backup
        self.authenticator = authenticator
        self.attestation = attestation
        self.isDiscoverable = isDiscoverable
    }

    /// Whether the credential can be copied, and whether copies exist (WebAuthn L3 §6.1.3).
    package struct BackupState: Sendable, Equatable {
        /// Whether the credential can be on several devices, which never changes.
        package let isEligible: Bool
        /// Whether the credential was backed up when it was last used.
        package var isBackedUp: Bool

        package init(isEligible: Bool, isBackedUp: Bool) {
            self.isEligible = isEligible
            self.isBackedUp = isBackedUp
        }

        init(_ flags: AuthenticatorData.Flags) {
            self.init(isEligible: flags.contains(.backupEligible), isBackedUp: flags.contains(.backedUp))
        }
    }

    /// The authenticator that holds the credential, as it and the browser describe it.
    package struct Authenticator: Sendable, Equatable {
        /// The AAGUID in the authenticator data; ``VerifiedRegistration/model`` tells whether it is proven.
        package let aaguid: AAGUID
        /// The authenticator's transports, for later options.
        package let transports: [String]

        package init(aaguid: AAGUID, transports: [String]) {
            self.aaguid = aaguid
            self.transports = transports
        }
    }
}

/// The stored part of a credential's attestation.
package struct AttestationRecord: Sendable, Equatable {
    /// The identifier of its format.
    package let format: String
    package let type: AttestationType
    /// Whether the certificates lead to a trust anchor.
    package let isTrusted: Bool
    /// The code of a ``TrustError``, if attestation was requested and the credential was accepted without trust.
    package let doubt: String?
    /// The serial number of the device, which only a requested enterprise attestation has.
    package let serialNumber: [UInt8]?

    package init(
        format: String,
        type: AttestationType,
        isTrusted: Bool,
        doubt: String? = nil,
        serialNumber: [UInt8]? = nil
    ) {
        self.format = format
        self.type = type
        self.isTrusted = isTrusted
        self.doubt = doubt
        self.serialNumber = serialNumber
    }
}
