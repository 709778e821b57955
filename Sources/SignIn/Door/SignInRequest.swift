package import Accounts
package import Devices
package import Kernel
package import Operations

/// Somebody who has just proved who they are, by something else than an operation.
package struct SignInRequest: Sendable {
    package let account: AccountID
    package let proof: AuthenticationProof
    package let policy: ClientPolicy
    /// The device that the person is on.
    package var device: SignInOrigin
    /// The key that the session's tokens are to be bound to; `nil` for bearer tokens.
    package var key: PresentedKey?

    package init(
        account: AccountID,
        proof: AuthenticationProof,
        policy: ClientPolicy,
        device: SignInOrigin = SignInOrigin(),
        key: PresentedKey? = nil
    ) {
        self.account = account
        self.proof = proof
        self.policy = policy
        self.device = device
        self.key = key
    }
}

/// What a sign-in says and proves of the device that it comes from.
package struct SignInOrigin: Sendable {
    /// The registered device that it has proved to be on.
    package var device: DeviceID?
    /// What it says of its device: a sign-in on one without an owner makes it the account's.
    package var registration: DeviceRegistration?
    /// The client's own name for the device; tokens carry it, unless the device is registered and not the account's.
    package var name: String?
    /// The language in which the owner is told of a device that is theirs from now on; `nil` to tell nobody, since the
    /// account was opened just now.
    package var language: String?
    /// Whether the key that signed was set up so short a time ago that it links no device as the person's own.
    package var isKeyYoung: Bool
    /// SHA-256 of each device cookie that the request brought; `nil` for an app that keeps no cookies, which is left none.
    package var cookies: [Digest256]?
    /// Further clients whose logins the device may start from then on, where cookies are kept.
    package var alsoKnownTo: [String]

    package init(
        device: DeviceID? = nil,
        registration: DeviceRegistration? = nil,
        name: String? = nil,
        language: String? = nil,
        isKeyYoung: Bool = false,
        cookies: [Digest256]? = nil,
        alsoKnownTo: [String] = []
    ) {
        self.device = device
        self.registration = registration
        self.name = name
        self.language = language
        self.isKeyYoung = isKeyYoung
        self.cookies = cookies
        self.alsoKnownTo = alsoKnownTo
    }
}

/// A session that was opened, and for whom.
package struct OpenedSession: Sendable {
    package let person: AccountProfile
    package let policy: ClientPolicy
    package let claims: SessionClaims
    /// The device cookie that the answer sets.
    package let deviceCookie: Delivery.DeviceCookie
}
