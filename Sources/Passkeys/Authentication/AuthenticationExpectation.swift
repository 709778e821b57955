/// What an authentication must answer to: the options that were given out, and the relying party's policy.
package struct AuthenticationExpectation: Sendable {
    package var challenge: [UInt8]
    package var relyingParty: RelyingParty
    /// Those that were asked for; none where the authenticator was to choose.
    package var allowedCredentials: [CredentialID]
    /// Who it must be, where a name was given or a session is there; `nil` where the credential tells.
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

/// What happens when a counter has not grown (WebAuthn L3 §6.1.1): a signal, no proof, that there is a copy.
package enum CounterPolicy: String, Sendable, CaseIterable {
    case refuse
    /// The sign-in goes on, and the verdict says so.
    case flag
}

/// What the counter says (WebAuthn L3 §7.2 step 22).
package enum CounterVerdict: String, Sendable, Equatable, CaseIterable {
    /// The authenticator has none: zero then and now, as with all that are synchronised.
    case unused
    case increased
    /// There may be a copy of the authenticator.
    case notIncreased = "not_increased"
}
