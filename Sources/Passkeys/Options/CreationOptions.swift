internal import Kernel

/// The argument of `navigator.credentials.create()` in its JSON form (WebAuthn L3 §5.1.8,
/// PublicKeyCredentialCreationOptionsJSON).
package struct CreationOptions: Sendable, Codable, Equatable {
    package struct RelyingPartyEntity: Sendable, Codable, Equatable {
        package let name: String
        package let id: String
    }

    package struct UserEntity: Sendable, Codable, Equatable {
        /// The user handle, base64url: 1 to 64 bytes that tell nothing about the person (§14.6.1).
        package let id: String
        package let name: String
        package let displayName: String
    }

    package struct Parameters: Sendable, Codable, Equatable {
        package let alg: Int64
        package let type: String
    }

    package struct Selection: Sendable, Codable, Equatable {
        package let residentKey: ResidentKeyRequirement
        package let userVerification: UserVerificationRequirement
        /// For clients of WebAuthn L1: whether ``residentKey`` is `required` (§5.4.4).
        package let requireResidentKey: Bool
        package let authenticatorAttachment: AuthenticatorAttachment?
    }

    package struct Extensions: Sendable, Codable, Equatable {
        package let credProps: Bool
    }

    package let challenge: String
    package let rp: RelyingPartyEntity
    package let user: UserEntity
    package let pubKeyCredParams: [Parameters]
    /// Milliseconds.
    package let timeout: Int
    package let attestation: AttestationConveyance
    package let excludeCredentials: [CredentialDescriptor]
    package let authenticatorSelection: Selection
    package let extensions: Extensions
    package let hints: [AuthenticatorHint]

    package init(
        challenge: [UInt8],
        relyingParty: RelyingParty,
        user: RegisteringUser,
        preferences: RegistrationPreferences,
        excluded: [CredentialDescriptor]
    ) {
        self.challenge = Base64URL.encode(challenge)
        rp = RelyingPartyEntity(name: relyingParty.name, id: relyingParty.id)
        self.user = UserEntity(id: Base64URL.encode(user.handle), name: user.name, displayName: user.displayName)
        pubKeyCredParams = preferences.algorithms.map {
            Parameters(alg: $0.rawValue, type: CredentialDescriptor.publicKey)
        }
        timeout = preferences.timeout
        attestation = preferences.attestation
        excludeCredentials = excluded
        authenticatorSelection = Selection(
            residentKey: preferences.residentKey,
            userVerification: preferences.userVerification,
            requireResidentKey: preferences.residentKey == .required,
            authenticatorAttachment: preferences.attachment
        )
        extensions = Extensions(credProps: true)
        hints = preferences.hints
    }
}

/// The user of a new credential (WebAuthn L3 §5.4.3).
package struct RegisteringUser: Sendable, Equatable {
    package let handle: [UInt8]
    package let name: String
    package let displayName: String
}
