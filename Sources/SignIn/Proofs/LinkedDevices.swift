package import Accounts
package import Devices
package import Kernel

/// Which of an account's own devices a caller is on: the one answer wherever that matters.
///
/// Tries of secrets are counted apart for each, so that a stranger's count against nobody who is on an own device; a code that
/// was asked for on one is good on it alone; and a person who proves an address on one is who set the account up. A device's id
/// and a session's token are no evidence of a device: the one is no secret, and the other can be on any.
package struct LinkedDevices: Sendable {
    private let links: DeviceLinks
    private let registered: RegisteredDevices
    private let clients: [String]

    /// `clients`: all there are.
    package init(links: DeviceLinks, registered: RegisteredDevices, clients: [String]) {
        self.links = links
        self.registered = registered
        self.clients = clients
    }

    /// The account's device that the evidence proves; `nil` for none.
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

    /// The same where a request is no client's, as one for a page is.
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
