package import Kernel

/// The use cases of device links: recognising one at the start of a login, making or prolonging one at a sign-in.
package struct DeviceLinks: Sendable {
    /// The lifetime of a link after the device's last sign-in.
    package static let lifetime: Duration = .seconds(90 * 24 * 3600)

    private let environment: Environment
    private let unitOfWork: any UnitOfWork
    private let store: any DeviceLinkStore

    package init(environment: Environment, unitOfWork: any UnitOfWork, store: any DeviceLinkStore) {
        self.environment = environment
        self.unitOfWork = unitOfWork
        self.store = store
    }

    /// Whether that cookie links the device.
    package func isDevice(
        _ device: DeviceID,
        linkedBy cookie: Digest256,
        account: AccountID,
        client: String
    ) async throws -> Bool {
        try await unitOfWork.read { [store] transaction in
            try store.find(cookies: [cookie], account: account, client: client, in: transaction)?.device == device
        }
    }

    /// Whether one of the cookies links a device, for any of the clients, on which the account proved a face or a key.
    package func provesPerson(_ cookies: [Digest256], of account: AccountID, clients: [String]) async throws -> Bool {
        guard !cookies.isEmpty else { return false }
        return try await unitOfWork.read { transaction in
            for client in clients {
                let link = try link(provedBy: cookies, of: account, client: client, in: transaction)
                if link?.provesPerson == true { return true }
            }
            return false
        }
    }

    /// Returns the account's live link that one of these cookies proves, if there is one.
    package func link(
        provedBy cookies: [Digest256],
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        guard let link = try store.find(cookies: cookies, account: account, client: client, in: transaction),
            link.validity.isLive(at: environment.now())
        else { return nil }
        return link
    }

    /// Whether the device may still act for the account by its link.
    package func isLive(
        _ device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try store.find(device, account: account, in: transaction)?.validity.isLive(at: environment.now()) ?? false
    }

    /// Whether the account's device was unlinked, and not only its link expired or missing.
    package func isRevoked(
        _ device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> Bool {
        try store.find(device, account: account, in: transaction)?.validity.revokedAt != nil
    }

    /// Unlinks the account's device: none of its cookies proves the device from then on.
    package func revoke(_ device: DeviceID, of account: AccountID, in transaction: borrowing Transaction) throws {
        _ = try store.revoke(device, of: account, at: environment.now(), in: transaction)
    }

    /// Unlinks every device of the account but `kept`, whose cookies are forgotten except for those in `shown`.
    ///
    /// An attacker may have left a cookie on the kept device by signing in under its name.
    package func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        showing shown: [Digest256] = [],
        in transaction: borrowing Transaction
    ) throws {
        _ = try store.revokeAll(of: account, except: kept, at: environment.now(), in: transaction)
        guard let kept else { return }
        try store.forget(allBut: shown, on: kept, of: account, in: transaction)
    }

    /// Forgets those cookies of the account's device, which stays linked.
    package func forget(
        _ cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try store.forget(cookies, on: device, of: account, in: transaction)
    }

    /// The result of a sign-in on a device.
    package struct SignIn: Sendable, Equatable {
        package let device: DeviceID
        /// Whether a presented cookie stays in use, instead of the new one.
        package let isProlonged: Bool
    }

    /// Links the device at a sign-in.
    ///
    /// The account's own cookie stays in use. Any other cookie, set by an attacker or for another account, is never
    /// adopted. A holder of a copy would have a proof for this account too. A second account in one browser gets its
    /// own cookie and device beside those of the first.
    ///
    /// `methods`: the methods of the sign-in. If they prove the person and the account's own cookie does not, the new
    /// cookie replaces it on the same device. So a copy of a cookie from a sign-in by password gains nothing. `others`:
    /// further clients for which the same cookie links the device. `registered`: the registered device that the sign-in
    /// began on. A new link is to that device, so that both are revoked together.
    package func signIn(
        _ account: AccountID,
        client: String,
        by methods: [String],
        alsoFor others: [String] = [],
        presented: [Digest256],
        newCookie: Digest256,
        registered: DeviceID? = nil,
        in transaction: borrowing Transaction
    ) throws -> SignIn {
        let now = environment.now()
        if !presented.isEmpty,
            let own = try store.find(cookies: presented, account: account, client: client, in: transaction),
            own.validity.isLive(at: now)
        {
            return try renew(own, by: methods, alsoFor: others, newCookie: newCookie, in: transaction)
        }
        let device = registered ?? environment.newID(of: account)
        let link = link(device, of: account, for: client, by: newCookie, methods: methods, since: now)
        try store.insert(link, in: transaction)
        try extend(link, to: others, in: transaction)
        return SignIn(device: device, isProlonged: false)
    }

    /// Prolongs the account's own link, or replaces it if the sign-in proves more.
    private func renew(
        _ own: DeviceLink,
        by methods: [String],
        alsoFor others: [String],
        newCookie: Digest256,
        in transaction: borrowing Transaction
    ) throws -> SignIn {
        let isBetter = AuthenticationMethods.provePerson(methods) && !own.provesPerson
        let link = link(
            own.device,
            of: own.account,
            for: own.client,
            by: isBetter ? newCookie : own.cookie,
            methods: isBetter ? methods : own.methods,
            since: own.validity.createdAt
        )
        if isBetter {
            try store.replace(own.cookie, with: link, in: transaction)
        } else {
            try store.prolong(link, in: transaction)
        }
        try extend(link, to: others, in: transaction)
        return SignIn(device: own.device, isProlonged: !isBetter)
    }

    /// Links the device for those clients too, by the same cookie, and leaves a revoked link revoked.
    private func extend(_ link: DeviceLink, to clients: [String], in transaction: borrowing Transaction) throws {
        for client in clients where client != link.client {
            let found = try store.find(cookies: [link.cookie], account: link.account, client: client, in: transaction)
            let further = self.link(
                link.device,
                of: link.account,
                for: client,
                by: link.cookie,
                methods: found?.methods ?? link.methods,
                since: found?.validity.createdAt ?? link.lastSeenAt
            )
            if found == nil {
                try store.insert(further, in: transaction)
            } else {
                try store.prolong(further, in: transaction)
            }
        }
    }

    private func link(
        _ device: DeviceID,
        of account: AccountID,
        for client: String,
        by cookie: Digest256,
        methods: [String],
        since created: Instant
    ) -> DeviceLink {
        let now = environment.now()
        return DeviceLink(
            device: device,
            account: account,
            client: client,
            cookie: cookie,
            methods: methods,
            lastSeenAt: now,
            validity: DeviceValidity(createdAt: created, expiresAt: now + Self.lifetime)
        )
    }
}
