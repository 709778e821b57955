package import Devices
import HTTPTypes
import Hummingbird
import Kernel
import Operations

/// What a request shows of the device that it comes from, not yet looked at.
struct DeviceEvidence: Sendable {
    /// SHA-256 of each secret of the device cookie.
    let cookies: [Digest256]
    /// SHA-256 of the device credential.
    let credential: Digest256?

    init(_ request: Request) {
        cookies = SignInCookies.brought(request).digests
        credential = request.headers[our: .xDeviceCredential].map { Digest256(sha256: $0) }
    }
}

/// Which of an account's own devices a caller is on.
///
/// Tries of secrets are counted apart for each, so that a stranger's count against nobody who is on a device of his own.
package struct LinkedDevices: Sendable {
    private let links: DeviceLinks
    private let registered: RegisteredDevices

    package init(links: DeviceLinks, registered: RegisteredDevices) {
        self.links = links
        self.registered = registered
    }

    /// The account's device that the evidence proves; `nil` for none.
    func device(
        provedBy evidence: DeviceEvidence,
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
}
