import Accounts
import Devices
import Kernel
import Operations
import Sessions
import SignIn
import Tokens

/// Turns a grant into a session: accounts, devices and sessions in one unit of work, none knowing the others.
struct SessionOpeningAdapter: SessionOpening {
    let accounts: any AccountStore
    let devices: DeviceLinks
    let registered: RegisteredDevices
    let sessions: SessionDesk
    let unitOfWork: any UnitOfWork
    let cookies: DeviceCookieMint
    let descents: any DescentStore

    func open(_ order: SessionOrder, in transaction: borrowing Transaction) throws -> SessionVerdict {
        guard let profile = try accounts.profile(order.account, in: transaction), profile.account.state == .active
        else {
            return .refused
        }
        if let device = order.device, try !isLive(device, of: order.account, in: transaction) { return .refused }
        let (linked, cookie) = try link(order, in: transaction)
        // Who has used the key uses it ever after, whatever else the device has to prove itself by.
        let isBound = order.deviceProof == .key
        let grant = order.grant
        try sessions.open(
            SessionOpeningOrder(
                session: Session(
                    id: grant.session,
                    account: order.account,
                    client: order.policy.clientID,
                    device: isBound ? order.device : linked,
                    isDeviceProven: try isProven(isBound ? order.device : linked, order, in: transaction),
                    createdAt: grant.issuedAt,
                    authenticatedAt: grant.authenticatedAt,
                    methods: ["face"],
                    binding: isBound ? .deviceKey : .none,
                    proofKey: order.proofKey,
                    revokedAt: nil
                ),
                refreshKey: refreshRowKey(grant.refreshTokenID.description),
                refreshExpiresAt: grant.issuedAt + order.policy.refreshTokenLifetime
            ),
            in: transaction
        )
        try descents.link(grant.session, toFaceAt: order.provider.text, of: order.account, in: transaction)
        return .allowed(
            Delivery(person: SignedInPerson(profile), deviceCookie: cookie, proofKey: order.proofKey)
        )
    }

    func review(_ grant: Grant, of account: AccountID) async throws -> SessionVerdict {
        guard let record = try await accounts.find(account), record.account.state == .active,
            let session = try await sessions.find(grant.session), session.revokedAt == nil
        else { return .refused }
        // Who has shown the refresh token has what was delivered (at least once, and then no more).
        let key = refreshRowKey(grant.refreshTokenID.description)
        guard try await unitOfWork.run({ [sessions] in try sessions.isUnused(key, in: $0) }) else { return .collected }
        let cookie: Delivery.DeviceCookie
        if let device = session.device {
            guard try await unitOfWork.run({ [self] in try isLive(device, of: account, in: $0) }) else {
                return .refused
            }
            let minted = Digest256(sha256: cookies.cookie(for: grant.session).expose())
            let isMinted = try await devices.isDevice(
                device,
                linkedBy: minted,
                account: account,
                client: session.client
            )
            cookie = isMinted ? .minted : .prolonged
        } else {
            cookie = .none
        }
        return .allowed(
            Delivery(person: SignedInPerson(record.profile), deviceCookie: cookie, proofKey: session.proofKey)
        )
    }

    /// Whether the device may still act for the account, be it by its registration or by its cookie; a revocation ends
    /// both.
    private func isLive(
        _ device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try registered.isLive(device, of: account, in: transaction)
            || devices.isLive(device, of: account, in: transaction)
    }

    private func link(
        _ order: SessionOrder,
        in transaction: borrowing Transaction
    ) throws -> (DeviceID?, Delivery.DeviceCookie) {
        guard order.keepsCookies else { return (order.device, .none) }
        let minted = Digest256(sha256: cookies.cookie(for: order.grant.session).expose())
        let signIn = try devices.signIn(
            order.account,
            client: order.policy.clientID,
            by: ["face"],
            brought: order.deviceCookies,
            minted: minted,
            registered: try registeredDevice(order, in: transaction),
            in: transaction
        )
        return (signIn.device, signIn.isProlonged ? .prolonged : .minted)
    }
}

extension SessionOpeningAdapter {
    /// Whether the login has proved to be on that device.
    private func isProven(
        _ device: DeviceID?,
        _ order: SessionOrder,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let device, device == order.device else { return false }
        return switch order.deviceProof {
        case .key: true
        case .credential: try registered.hasProvenCredential(device, of: order.account, in: transaction)
        case .cookie, nil: false
        }
    }

    /// The device that started the operation, if it is a registered one.
    private func registeredDevice(
        _ order: SessionOrder,
        in transaction: borrowing Transaction
    ) throws -> DeviceID? {
        guard let device = order.device else { return nil }
        return try registered.isLive(device, of: order.account, in: transaction) ? device : nil
    }
}

extension SignedInPerson {
    init(_ profile: AccountProfile) {
        self.init(
            account: profile.account.id,
            name: profile.account.displayName,
            email: profile.email?.text ?? "",
            department: profile.account.attributes.department,
            role: profile.account.attributes.role,
            accessLevel: profile.account.attributes.accessLevel
        )
    }
}
