package import Devices
package import Kernel

/// The device links of the in-memory store.
package struct MemoryDeviceLinkStore: DeviceLinkStore {
    package func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        let draft = try transaction.draft()
        guard !draft.tables.identity.deviceLinks.contains(where: { $0.isRow(of: link.cookie, link) }) else {
            throw StoreError.conflict(cause: "there is such a link")
        }
        draft.tables.identity.deviceLinks.append(link)
    }

    package func find(
        cookies: [Digest256],
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        best(
            try transaction.draft().tables.identity.deviceLinks.filter {
                cookies.contains($0.cookie) && $0.account == account && $0.client == client
            }
        )
    }

    package func find(
        _ device: DeviceID,
        account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink? {
        best(
            try transaction.draft().tables.identity.deviceLinks.filter { $0.account == account && $0.device == device }
        )
    }

    package func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws {
        try change(in: transaction) {
            $0.isRow(of: link.cookie, link)
        } by: {
            $0.with(lastSeenAt: link.lastSeenAt, expiresAt: link.validity.expiresAt)
        }
    }

    package func replace(_ old: Digest256, with link: DeviceLink, in transaction: borrowing Transaction) throws {
        try change(in: transaction) {
            $0.isRow(of: old, link)
        } by: {
            $0.with(
                cookie: link.cookie,
                methods: link.methods,
                lastSeenAt: link.lastSeenAt,
                expiresAt: link.validity.expiresAt
            )
        }
    }

    @discardableResult
    package func revoke(
        _ device: DeviceID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try change(in: transaction) {
            $0.account == account && $0.device == device
        } by: {
            $0.with(revokedAt: now)
        }
    }

    package func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int {
        try change(in: transaction) {
            $0.account == account && $0.device != kept
        } by: {
            $0.with(revokedAt: now)
        }
    }

    package func forget(
        _ cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.draft().tables.identity.deviceLinks.removeAll {
            $0.account == account && $0.device == device && cookies.contains($0.cookie)
        }
    }

    package func forget(
        allBut cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws {
        try transaction.draft().tables.identity.deviceLinks.removeAll {
            $0.account == account && $0.device == device && $0.validity.revokedAt == nil && !cookies.contains($0.cookie)
        }
    }

    /// The one that is in force for longest; a revoked one where there is no other.
    private func best(_ links: [DeviceLink]) -> DeviceLink? {
        links.max {
            ($0.validity.revokedAt == nil ? 1 : 0, $0.validity.expiresAt)
                < ($1.validity.revokedAt == nil ? 1 : 0, $1.validity.expiresAt)
        }
    }

    /// Changes those that are not revoked; returns how many.
    @discardableResult
    private func change(
        in transaction: borrowing Transaction,
        where isWanted: (DeviceLink) -> Bool,
        by body: (DeviceLink) -> DeviceLink
    ) throws -> Int {
        let draft = try transaction.draft()
        var count = 0
        for (index, link) in draft.tables.identity.deviceLinks.enumerated()
        where link.validity.revokedAt == nil && isWanted(link) {
            draft.tables.identity.deviceLinks[index] = body(link)
            count += 1
        }
        return count
    }
}

extension DeviceLink {
    /// Whether it is the link under that cookie of the account and client of another link.
    fileprivate func isRow(of cookie: Digest256, _ other: DeviceLink) -> Bool {
        self.cookie == cookie && account == other.account && client == other.client
    }

    fileprivate func with(
        cookie: Digest256? = nil,
        methods: [String]? = nil,
        lastSeenAt: Instant? = nil,
        expiresAt: Instant? = nil,
        revokedAt: Instant? = nil
    ) -> DeviceLink {
        DeviceLink(
            device: device,
            account: account,
            client: client,
            cookie: cookie ?? self.cookie,
            methods: methods ?? self.methods,
            lastSeenAt: lastSeenAt ?? self.lastSeenAt,
            validity: DeviceValidity(
                createdAt: validity.createdAt,
                expiresAt: expiresAt ?? validity.expiresAt,
                revokedAt: revokedAt ?? validity.revokedAt
            )
        )
    }
}
