import Accounts
import Devices
package import Kernel
import OAuth
package import Operations
import Sessions
import Tokens

/// Opens sessions by a scanned face, in the unit of work in which the operation engine redeems the operation.
extension Door: SessionOpening {
    package func open(_ request: SessionRequest, in transaction: borrowing Transaction) throws -> SessionVerdict {
        let operation = request.operation
        guard let person = try active(request.account, in: transaction) else { return .refused }
        let registered = try registeredDevice(request, in: transaction)
        // A device without a live registration needs a live cookie. A revocation ends both.
        if let device = operation.request.device, registered == nil,
            try !devices.links.isLive(device, of: request.account, in: transaction)
        {
            return .refused
        }
        let linked = try link(request, on: registered, in: transaction)
        // A device that has used its key in this login needs the key from then on, whatever else proves the device.
        let isBound = operation.request.deviceProof == .key
        let device = isBound ? operation.request.device : linked.device
        let isProven = try isProven(device, request, in: transaction)
        let grant = request.grant
        let session = NewSession(
            grant.session,
            of: request.account,
            client: operation.request.policy.clientID,
            device: device.map { .init(id: $0, isProven: isProven) },
            authentication: .init(methods: AuthenticationProof.face.methods, at: grant.authenticatedAt),
            binding: isBound ? .deviceKey : .none,
            key: request.caller.proofKey,
            at: grant.issuedAt,
            refreshToken: (
                id: grant.refreshTokenID.description, lifetime: operation.request.policy.refreshTokenLifetime
            ),
            face: request.face,
            // Of the browser or app that started the login, and not of the collector, which may be a server. The start
            // by a server of a client (CIBA) leaves it empty.
            from: operation.binding.origin.flatMap { Session.Origin(ifKnown: $0.address, agent: $0.agent) }
        )
        // The operation's own row is its audit record.
        try sessions.open(session, in: transaction)
        return .allowed(
            Delivery(
                person: SignedInPerson(person),
                policy: operation.request.policy,
                deviceCookie: linked.cookie,
                proofKey: request.caller.proofKey
            )
        )
    }

    package func review(
        _ grant: Grant,
        of account: AccountID,
        under policy: ClientPolicy
    ) async throws -> SessionVerdict {
        guard let record = try await accounts.find(account), record.account.state == .active,
            let session = try await sessions.find(grant.session), session.revocation == nil
        else { return .refused }
        // A caller that presented the refresh token has received the delivery, which is then not repeated (at least
        // once, then no more).
        let key = refreshRowKey(grant.refreshTokenID.description)
        guard try await unitOfWork.run({ [sessions] in try sessions.isUnused(key, in: $0) }) else { return .collected }
        let cookie: Delivery.DeviceCookie
        if let device = session.linkedDevice?.id {
            guard try await unitOfWork.run({ [devices] in try devices.isLive(device, of: account, in: $0) }) else {
                return .refused
            }
            let isIssued = try await devices.links.isDevice(
                device,
                linkedBy: devices.cookieDigest(for: grant.session),
                account: account,
                client: session.client
            )
            cookie = isIssued ? .issued : .prolonged
        } else {
            cookie = .none
        }
        return .allowed(
            Delivery(
                person: SignedInPerson(record.profile),
                policy: policy,
                deviceCookie: cookie,
                proofKey: session.tokenBinding.key
            )
        )
    }

    private func link(
        _ request: SessionRequest,
        on registered: DeviceID?,
        in transaction: borrowing Transaction
    ) throws -> SignInDevices.Linked {
        guard request.caller.keepsCookies else { return .init(device: request.operation.request.device, cookie: .none) }
        let link = try devices.links.signIn(
            request.account,
            client: request.operation.request.policy.clientID,
            by: AuthenticationProof.face.methods,
            presented: request.caller.deviceCookies,
            newCookie: devices.cookieDigest(for: request.grant.session),
            registered: registered,
            in: transaction
        )
        return .init(device: link.device, cookie: link.isProlonged ? .prolonged : .issued)
    }

    /// Whether the login has proved to be on that device.
    private func isProven(
        _ device: DeviceID?,
        _ request: SessionRequest,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        guard let device, device == request.operation.request.device else { return false }
        return switch request.operation.request.deviceProof {
        case .key: true
        case .credential: try devices.registered.hasProvenCredential(device, of: request.account, in: transaction)
        case .cookie, nil: false
        }
    }

    /// Returns the device that started the operation, if its registration is live.
    private func registeredDevice(_ request: SessionRequest, in transaction: borrowing Transaction) throws -> DeviceID?
    {
        guard let device = request.operation.request.device else { return nil }
        return try devices.registered.isLive(device, of: request.account, in: transaction) ? device : nil
    }
}

extension SignedInPerson {
    fileprivate init(_ profile: AccountProfile) {
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
