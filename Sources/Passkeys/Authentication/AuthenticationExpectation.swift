/// The expectations of an authentication: the issued options, and the relying party's policy.
package struct AuthenticationExpectation: Sendable {
    package var challenge: [UInt8]
    package var relyingParty: RelyingParty
    /// The requested credentials; empty if the authenticator chooses.
    package var allowedCredentials: [CredentialID]
    /// The user handle of a user who is known from a name or a session; `nil` if the credential decides who signs in.
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

/// The reaction to a counter that has not grown (WebAuthn L3 §6.1.1), which suggests a copy but does not prove it.
package enum CounterPolicy: String, Sendable, CaseIterable {
    case refuse
    /// The sign-in continues, and ``CounterVerdict`` reports the counter.
    case flag
}

/// The result of the counter check (WebAuthn L3 §7.2 step 22).
package enum CounterVerdict: String, Sendable, Equatable, CaseIterable {
    /// The counter was and is zero: the authenticator has none, as is usual for synchronised passkeys.
    case unused
    case increased
    /// There may be a copy of the authenticator.
    case notIncreased = "not_increased"
}
