import Devices
import Hummingbird
import Kernel
import Operations
import Sessions

/// Proof of the account that a browser belongs to.
///
/// It is a session that began with a face or a passkey, or the cookie of a device where the account signed in so.
///
/// A weaker sign-in proves nothing here, neither by its session nor by its cookie. Somebody who learned the password
/// could otherwise agree in the owner's name. A key proves nothing either before it has cooled off (``CoolingOff``): a
/// password sets one up.
struct AccountProofs: Sendable {
    let browser: BrowserProof
    let links: DeviceLinks
    /// The clients of the operator, to any of which a device may have signed in.
    let clients: [String]
    let coolingOff: CoolingOff

    /// Returns whether the browser is signed in to the account by a key that is too young: another sign-in by that key
    /// would not help.
    ///
    /// Returns `false` for a decoy, as for another person's account: the two pages must look the same.
    func hasYoungKey(_ request: Request, of account: AccountID?) async throws -> Bool {
        guard let session = try await browser.session(request), session.account == account,
            AuthenticationMethods.proveKey(session.authentication.methods)
        else { return false }
        return try await !coolingOff.provesPerson(session)
    }

    /// Returns a function that tells whether the browser proves an account.
    func proof(of request: Request) async throws -> AccountProof {
        var signedIn: AccountID?
        if let session = try await browser.session(request), try await coolingOff.provesPerson(session) {
            signedIn = session.account
        }
        let cookies = SignInCookies.deviceCookies(of: request).digests
        return { [links, clients, signedIn] account in
            if signedIn == account { return true }
            return try await links.provesPerson(cookies, of: account, clients: clients)
        }
    }
}
