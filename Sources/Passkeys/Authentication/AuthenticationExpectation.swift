/// The expectations of an authentication: the issued options, and the relying party's policy.
package struct AuthenticationExpectation: Sendable {
    package var challenge: [UInt8]
    package var relyingParty: RelyingParty
    /// The requested credentials; empty if the authenticator chooses.
    package var allowedCredentials: [CredentialID]
    /// The expected user, if a name or a session is known; `nil` if the credential decides.
    package var userHandle: [UInt8]?
    package var requiresUserVerification: Bool
    package var counterPolicy: CounterPolicy

    package init(
        challenge: [UInt8],
        relyingParty: RelyingParty,
        allowedCredentials: [CredentialID],
        userHandle: [UInt8]?,
        requiresUserVerification: Bool,
        counterPolicy: CounterPolicy
    ) {
        self.challenge = challenge
        self.relyingParty = relyingParty
        self.allowedCredentials = allowedCredentials
        self.userHandle = userHandle
        self.requiresUserVerification = requiresUserVerification
        self.counterPolicy = counterPolicy
    }
}

/// The reaction to a counter that has not grown (WebAuthn L3 §6.1.1): a signal of a copy, and not a proof.
package enum CounterPolicy: String, Sendable, CaseIterable {
    case refuse
    /// The sign-in continues, and the verdict reports it.
    case flag
}

/// The result of the counter check (WebAuthn L3 §7.2 step 22).
package enum CounterVerdict: String, Sendable, Equatable, CaseIterable {
    /// The authenticator has none: zero then and now, as with all that are synchronised.
    case unused
    case increased
    /// There may be a copy of the authenticator.
    case notIncreased = "not_increased"
}
