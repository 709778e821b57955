package import Accounts
package import Devices
package import Kernel

/// Finds the account's own device that a caller is on, for every use.
///
/// Attempts at secrets are counted apart for each device, so that an attacker's attempts do not count against the
/// owner's device. A code that was requested on a device is valid on that device alone. A person who verifies an
/// address on such a device has set up the account. Neither a device's id nor a session's token proves a device: the id
/// is not secret, and the token can be anywhere.
package struct LinkedDevices: Sendable {
    private let links: DeviceLinks
    private let registered: RegisteredDevices
    private let clients: [String]

    /// `clients`: all configured clients.
    package init(links: DeviceLinks, registered: RegisteredDevices, clients: [String]) {
        self.links = links
        self.registered = registered
        self.clients = clients
    }

    /// Returns the account's device that the evidence proves; `nil` for none.
    package func device(
        provedBy evidence: PresentedDevice,
        of account: AccountID,
        client: String,
        in transaction: borrowing Transaction
    ) throws -> DeviceID? {
        if let credential = evidence.credential,
            let device = try registered.device(credential: credential, of: account, client: client, in: transaction)
        {
            return device
        }
        guard !evidence.cookies.isEmpty else { return nil }
        return try links.link(provedBy: evidence.cookies, of: account, client: client, in: transaction)?.device
    }

    /// Returns the account's device for a request without a client, such as one for a page.
    package func device(
        provedBy evidence: PresentedDevice,
        of account: AccountID,
        in transaction: borrowing Transaction
    ) throws -> DeviceID? {
        for client in clients {
            let found = try device(provedBy: evidence, of: account, client: client, in: transaction)
            if let found { return found }
        }
        return nil
    }
}
