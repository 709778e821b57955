package import Devices
import Hummingbird
package import Kernel
import OAuth
import Operations

/// What a browser proves of who is at it: by a session that began with a face or a passkey, or by the cookie of a device on
/// which the account has signed in with one.
///
/// A sign-in with less proves nothing here, be it by its session or by the cookie that it left: whoever learned the password
/// could else agree in the owner's name.
package struct AccountProofs: Sendable {
    private let browser: BrowserProof
    private let links: DeviceLinks
    private let clients: [String]
    private let unitOfWork: any UnitOfWork

    /// `clients`: those of the operator, to any of which a device may have signed in.
    package init(browser: BrowserProof, links: DeviceLinks, clients: [String], unitOfWork: any UnitOfWork) {
        self.browser = browser
        self.links = links
        self.clients = clients
        self.unitOfWork = unitOfWork
    }

    /// Tells of an account whether the browser proves it.
    func proof(of request: Request) async throws -> AccountProof {
        let session = try await browser.proven(request)
        let isProven = session.map { RequiredProof.faceOrPasskey.isMet(by: $0.authentication) } ?? false
        let signedIn = isProven ? session?.account : nil
        let cookies = SignInCookies.brought(request).digests
        return { [links, clients, unitOfWork] account in
            let isOwnDevice = try await unitOfWork.run { transaction in
                var isOwnDevice = false
                for client in clients where !isOwnDevice && !cookies.isEmpty {
                    let link = try links.link(provedBy: cookies, of: account, client: client, in: transaction)
                    isOwnDevice = link?.provesPerson ?? false
                }
                return isOwnDevice
            }
            return isOwnDevice || signedIn == account
        }
    }
}
