internal import Kernel

/// The argument of `navigator.credentials.get()` in its JSON form (WebAuthn L3 §5.1.9,
/// PublicKeyCredentialRequestOptionsJSON).
package struct RequestOptions: Sendable, Codable, Equatable {
    package let rpId: String
    package let challenge: String
    /// Empty or absent if the authenticator chooses.
    package let allowCredentials: [CredentialDescriptor]?
    /// Milliseconds.
    package let timeout: Int
    package let userVerification: UserVerificationRequirement

    package init(
        challenge: [UInt8],
        relyingParty: RelyingParty,
        allowed: [CredentialDescriptor]?,
        userVerification: UserVerificationRequirement = .preferred,
        timeout: Int = CeremonyTimeout.usual
    ) {
        rpId = relyingParty.id
        self.challenge = Base64URL.encode(challenge)
        allowCredentials = allowed
        self.timeout = timeout
        self.userVerification = userVerification
    }
}
