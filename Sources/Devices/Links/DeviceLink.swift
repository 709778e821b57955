package import Kernel

/// A device that an account signed in on: a request that proves it may start a login for the account.
package struct DeviceLink: Sendable, Equatable {
    package let device: DeviceID
    package let account: AccountID
    package let client: String
    /// SHA-256 of the account's secret in the device cookie (`vst_device`).
    package let cookie: Digest256
    /// The methods of the sign-in that made the link (RFC 8176 values).
    ///
    /// Empty for a link from an earlier version, and if the signing key had been set up just before. A later sign-in
    /// that proves less prolongs the link, and a sign-in that proves more replaces it.
    package let methods: [String]
    package let lastSeenAt: Instant
    package let validity: DeviceValidity

    package init(
        device: DeviceID,
        account: AccountID,
        client: String,
        cookie: Digest256,
        methods: [String],
        lastSeenAt: Instant,
        validity: DeviceValidity
    ) {
        self.device = device
        self.account = account
        self.client = client
        self.cookie = cookie
        self.methods = methods
        self.lastSeenAt = lastSeenAt
        self.validity = validity
    }

    /// Whether the browser with the cookie is the person's own: a face or a key was proved in it.
    ///
    /// A cookie from a sign-in by password or mailed code proves no more than that sign-in.
    package var provesPerson: Bool { AuthenticationMethods.provePerson(methods) }
}

/// Port: the store of device links.
package protocol DeviceLinkStore: Sendable {
    func insert(_ link: DeviceLink, in transaction: borrowing Transaction) throws

    /// Returns the account's link with one of those cookies, in one read for any number of cookies.
    ///
    /// Of several links that are not revoked, it is the one that lasts longest.
    func find(
        cookies: [Digest256],
        account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceLink?

    /// Returns the link of the account's device: of several that are not revoked, the one that lasts longest.
    func find(_ device: DeviceID, account: AccountID, in transaction: borrowing Transaction) throws -> DeviceLink?

    func prolong(_ link: DeviceLink, in transaction: borrowing Transaction) throws

    /// Replaces the link that the same account and client have under the cookie `old`.
    func replace(_ old: Digest256, with link: DeviceLink, in transaction: borrowing Transaction) throws

    /// Revokes every link of the account's device; returns their number.
    func revoke(
        _ device: DeviceID,
        of account: AccountID,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int

    /// Revokes the account's links of every device but `kept`; returns their number.
    func revokeAll(
        of account: AccountID,
        except kept: DeviceID?,
        at now: Instant,
        in transaction: borrowing Transaction
    ) throws -> Int

    /// Deletes the links of the account's device with one of those cookies.
    ///
    /// They are not revoked: a device whose links are all revoked was unlinked, and its sessions end. A device without
    /// links was not unlinked.
    func forget(
        _ cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws

    /// Deletes the links of the account's device that have other cookies than those and are not revoked.
    func forget(
        allBut cookies: [Digest256],
        on device: DeviceID,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws
}
