package import Devices
import Hummingbird
import Kernel
import Operations
import Sessions

/// What a browser proves of who is at it: by a session that began with a face or a passkey, or by the cookie of a device on
/// which the account has signed in with one.
///
/// A sign-in with less proves nothing here, be it by its session or by the cookie that it left: whoever learned the password
/// could else agree in the owner's name. Nor does a key before it has cooled off (``CoolingOff``): a password sets one up.
package struct AccountProofs: Sendable {
    private let browser: BrowserProof
    private let links: DeviceLinks
    private let clients: [String]
    private let coolingOff: CoolingOff

    /// `clients`: those of the operator, to any of which a device may have signed in.
    package init(browser: BrowserProof, links: DeviceLinks, clients: [String], coolingOff: CoolingOff) {
        self.browser = browser
        self.links = links
        self.clients = clients
        self.coolingOff = coolingOff
    }

    /// Whether the browser is signed in to the account by a key that is too young: signing in by it again would lead nowhere.
    ///
    /// At a decoy, as at an account of somebody else, it is not: the two pages must look the same.
    func hasYoungKey(_ request: Request, of account: AccountID?) async throws -> Bool {
        guard let session = try await browser.session(request), session.account == account,
            AuthenticationMethods.proveKey(session.methods)
        else { return false }
        return try await !coolingOff.provesPerson(session)
    }

    /// Tells of an account whether the browser proves it.
    func proof(of request: Request) async throws -> AccountProof {
        var signedIn: AccountID?
        if let session = try await browser.session(request), try await coolingOff.provesPerson(session) {
            signedIn = session.account
        }
        let cookies = SignInCookies.brought(request).digests
        return { [links, clients, signedIn] account in
            if signedIn == account { return true }
            return try await links.provesPerson(cookies, of: account, clients: clients)
        }
    }
}
