package import Accounts
package import Devices
package import Kernel
package import Operations

/// The sign-in of a person who has just authenticated, other than by an operation.
package struct SignInRequest: Sendable {
    package let account: AccountID
    package let proof: AuthenticationProof
    package let policy: ClientPolicy
    /// The device of the sign-in.
    package var device: SignInOrigin
    /// The key that binds the session's tokens; `nil` for bearer tokens.
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

/// The device of a sign-in, as the request names and proves it.
package struct SignInOrigin: Sendable {
    /// The registered device that the request has proved.
    package var device: DeviceID?
    /// The device as the request describes it: a sign-in on a device without an owner makes it the account's.
    package var registration: DeviceRegistration?
    /// The client's own name for the device.
    ///
    /// Tokens carry it unless the device is registered and not the account's.
    package var name: String?
    /// The person behind the sign-in, for the mail about a newly owned device.
    ///
    /// `nil` sends none, since the account was just opened.
    package var requester: Requester?
    /// The person behind the sign-in, as the account's owner sees the session; `nil` if unknown.
    package var person: Requester?
    /// Whether the signing key was set up so recently that it links no device as the person's own.
    package var isKeyYoung: Bool
    /// SHA-256 of each presented device cookie; `nil` for an app that keeps no cookies, and gets none.
    package var cookies: [Digest256]?
    /// Further clients whose logins the device may start from now on, if its app keeps cookies.
    package var alsoKnownTo: [String]

    package init(
        device: DeviceID? = nil,
        registration: DeviceRegistration? = nil,
        name: String? = nil,
        requester: Requester? = nil,
        person: Requester? = nil,
        isKeyYoung: Bool = false,
        cookies: [Digest256]? = nil,
        alsoKnownTo: [String] = []
    ) {
        self.device = device
        self.registration = registration
        self.name = name
        self.requester = requester
        self.person = person
        self.isKeyYoung = isKeyYoung
        self.cookies = cookies
        self.alsoKnownTo = alsoKnownTo
    }
}

/// Work in the unit of work that opens a session.
package typealias SessionWork = @Sendable (OpenedSession, borrowing Transaction) throws -> Void

/// An opened session with its person.
package struct OpenedSession: Sendable {
    package let person: AccountProfile
    package let policy: ClientPolicy
    package let claims: SessionClaims
    /// The device cookie that the answer sets.
    package let deviceCookie: Delivery.DeviceCookie
}
