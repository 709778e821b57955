package import Accounts
import Hummingbird
import Kernel
import OAuth
package import Sessions
import SignIn

/// Finds the person of a browser's session, for an authorization request.
package struct BrowserProof: Sendable {
    private let accounts: AccountService
    private let browsers: WebSessionService
    private let cookies: CompanionCookies

    package init(accounts: AccountService, browsers: WebSessionService, cookies: CompanionCookies) {
        self.accounts = accounts
        self.browsers = browsers
        self.cookies = cookies
    }

    /// Returns the session of the request's cookie; `nil` without one, and for an account that can no longer sign in.
    func session(_ request: Request) async throws -> Session? {
        guard let cookie = cookies.digest(in: request), let session = try await browsers.session(of: cookie),
            try await accounts.active(session.account) != nil
        else { return nil }
        return session
    }

    /// Returns the person of the request's cookie and how they authenticated; `nil` as in ``session(_:)``.
    func proven(_ request: Request) async throws -> Interaction.Proven? {
        guard let session = try await session(request) else { return nil }
        return Interaction.Proven(account: session.account, authentication: AuthenticationContext(of: session))
    }
}
