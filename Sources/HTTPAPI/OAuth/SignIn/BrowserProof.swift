import Accounts
import Hummingbird
import Kernel
import OAuth
import Sessions
import SignIn

/// Finds the person of a browser's session for the pages that need to know who is signed in.
struct BrowserProof: Sendable {
    private let accounts: AccountService
    private let browsers: WebSessionService
    let cookies: CompanionCookies

    init(accounts: AccountService, browsers: WebSessionService, cookies: CompanionCookies) {
        self.accounts = accounts
        self.browsers = browsers
        self.cookies = cookies
    }

    /// Returns the session of the request's cookie; `nil` without one, and for an account that can no longer sign in.
    func session(_ request: Request) async throws -> Session? {
        guard let session = try await anySession(request), try await accounts.active(session.account) != nil else {
            return nil
        }
        return session
    }

    /// Returns the session of the request's cookie, whether or not its account can still sign in.
    func anySession(_ request: Request) async throws -> Session? {
        guard let cookie = cookies.digest(in: request) else { return nil }
        return try await browsers.session(of: cookie)
    }

    /// Returns the person of the request's session and how they authenticated; `nil` where ``session(_:)`` returns
    /// `nil`.
    func proven(_ request: Request) async throws -> Interaction.Proven? {
        guard let session = try await session(request) else { return nil }
        return Interaction.Proven(account: session.account, authentication: AuthenticationContext(of: session))
    }

    /// Returns the account with its enrolments; `nil` if it can no longer sign in.
    func record(of account: AccountID) async throws -> AccountRecord? { try await accounts.active(account) }

    /// Returns the profile of the account; `nil` if the account can no longer sign in.
    func profile(of account: AccountID) async throws -> AccountProfile? { try await accounts.active(account)?.profile }
}
