import Devices
import Hummingbird
import Kernel
import Operations
import Sessions

/// Finds out which account a browser proves to belong to.
///
/// The proof is a session that began with a face or a passkey. The cookie of a device on which the account signed in
/// that way counts too.
///
/// Neither the session nor the cookie of a weaker sign-in proves an account. An attacker who learned the password could
/// otherwise agree in the owner's name. A new key proves no account before its cooling-off has ended (``CoolingOff``),
/// because a password is enough to add one.
struct AccountProofs: Sendable {
    let browser: BrowserProof
    let links: DeviceLinks
    /// The operator's own clients: a device that signed in to any of them counts.
    let clients: [String]
    let coolingOff: CoolingOff

    /// Returns whether the browser is signed in to the account by a key that is still cooling off.
    ///
    /// Another sign-in by that key would not help. Returns `false` for a decoy, as for another person's account: the
    /// two pages must look the same.
    func hasYoungKey(_ request: Request, of account: AccountID?) async throws -> Bool {
        guard let session = try await browser.session(request), session.account == account,
            AuthenticationMethods.proveKey(session.authentication.methods)
        else { return false }
        return try await !coolingOff.provesPerson(session)
    }

    /// Returns a function that tells whether the browser proves a given account.
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
