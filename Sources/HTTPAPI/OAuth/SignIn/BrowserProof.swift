package import Accounts
import Hummingbird
import Kernel
import OAuth
package import Sessions
import SignIn

/// What a browser's session says of who is there, for an authorization request.
package struct BrowserProof: Sendable {
    private let accounts: AccountService
    private let browsers: WebSessionService
    private let cookies: CompanionCookies

    package init(accounts: AccountService, browsers: WebSessionService, cookies: CompanionCookies) {
        self.accounts = accounts
        self.browsers = browsers
        self.cookies = cookies
    }

    /// The session that the request's cookie stands for; `nil` for none, and for one of nobody who could still sign in.
    func session(_ request: Request) async throws -> Session? {
        guard let cookie = cookies.digest(in: request), let session = try await browsers.session(of: cookie),
            try await accounts.active(session.account) != nil
        else { return nil }
        return session
    }

    /// Who is signed in by the request's cookie, and how; `nil` for nobody who could still sign in.
    func proven(_ request: Request) async throws -> Interaction.Proven? {
        guard let session = try await session(request) else { return nil }
        return Interaction.Proven(account: session.account, authentication: AuthenticationContext(of: session))
    }
}
