package import Devices
import Kernel
import Operations

/// The devices that people sign in on: registered ones, and browsers that a cookie links.
package struct SignInDevices: Sendable {
    package let links: DeviceLinks
    package let registered: RegisteredDevices
    package let registrar: DeviceRegistrar
    package let cookies: DeviceCookieFactory

    package init(
        links: DeviceLinks,
        registered: RegisteredDevices,
        registrar: DeviceRegistrar,
        cookies: DeviceCookieFactory
    ) {
        self.links = links
        self.registered = registered
        self.registrar = registrar
        self.cookies = cookies
    }

    /// The registered device of a sign-in.
    struct Settled {
        let device: DeviceID?
        let isProven: Bool
        /// The device name that tokens carry.
        let name: String?
    }

    /// The device of a session, and the cookie that the answer sets.
    struct Linked {
        let device: DeviceID?
        let cookie: Delivery.DeviceCookie
    }

    /// Finds the registered device of a sign-in, and makes it the account's.
    ///
    /// A device of the account is proven by its credential, or by a code from the owner's mailbox. Its name is not
    /// enough, because an attacker who learned the password knows the name too. A passkey or a face does not suffice
    /// here, because a sign-in by password can set up either.
    func settle(
        _ request: SignInRequest,
        opening session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Settled {
        let origin = request.device
        guard origin.device == nil, let registration = origin.registration else {
            return Settled(device: origin.device, isProven: origin.device != nil, name: origin.name)
        }
        let device = try registrar.signIn(
            request.account,
            on: registration,
            requester: origin.requester,
            opening: session,
            in: transaction
        )
        // A token never names a device of another owner, or one without an owner.
        guard let device else { return Settled(device: nil, isProven: false, name: nil) }
        return Settled(device: device.id, isProven: device.isProven || request.proof == .mailedCode, name: origin.name)
    }

    /// Links the browser of a sign-in, if its app keeps cookies.
    func link(
        _ request: SignInRequest,
        on device: DeviceID?,
        opening session: SessionID,
        in transaction: borrowing Transaction
    ) throws -> Linked {
        guard let presented = request.device.cookies else { return Linked(device: device, cookie: .none) }
        let link = try links.signIn(
            request.account,
            client: request.policy.clientID,
            by: request.device.isKeyYoung ? [] : request.proof.methods,
            alsoFor: request.device.alsoKnownTo,
            presented: presented,
            newCookie: cookieDigest(for: session),
            registered: device,
            in: transaction
        )
        return Linked(device: device ?? link.device, cookie: link.isProlonged ? .prolonged : .issued)
    }

    /// Returns the digest of the device cookie that a session's sign-in sets.
    func cookieDigest(for session: SessionID) -> Digest256 { Digest256(sha256: cookies.cookie(for: session).expose()) }

    /// Whether the device may still act for the account, by its registration or by its cookie; a revocation ends both.
    func isLive(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws -> Bool {
        try registered.isLive(device, of: account, in: transaction)
            || links.isLive(device, of: account, in: transaction)
    }
}
