import Accounts
import HTTPTypes
import HummingbirdTesting
import Kernel
import OAuth
import Operations
import Passkeys
import Sessions
import Settings
import SignIn
import Testing

@testable import Assembly
@testable import HTTPAPI

/// A browser without scripts that is signed in to the account centre.
struct AccountBrowser: Sendable {
    let harness: Harness
    let cookie: String
    let session: SessionID
    let account: AccountID

    func load(_ path: String = "", _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await harness.send(.get, "/account" + path, headers.adding(.cookie, cookie))
    }

    /// The token of the forms of the overview.
    func token() async throws -> String {
        let page = try await load()
        return String(try #require(page.text.firstMatch(of: #/name="token" value="([^"]+)"/#), "\(page.text)").1)
    }

    /// Sends a form, with the token of the browser's own pages unless the fields have one.
    func press(
        _ page: String,
        _ fields: [(String, String)] = [],
        _ headers: HTTPFields = [.fetchSite: "same-origin"]
    ) async throws -> TestResponse {
        var fields = fields
        if !fields.contains(where: { $0.0 == "token" }) { fields.append(("token", try await token())) }
        let form = headers.adding(.cookie, cookie).adding(.contentType, "application/x-www-form-urlencoded")
        return try await harness.send(.post, "/account/\(page)", form, body: TokenFixture.encoded(fields))
    }

    /// Whether the browser is still signed in.
    func isSignedIn() async throws -> Bool { try await load().status == .ok }
}

extension Harness {
    /// Signs a browser in, by whatever proof.
    func accountBrowser(
        _ email: String = "ada@example.com",
        by proof: AuthenticationProof = .mailedCode
    ) async throws -> AccountBrowser {
        try await accountBrowser(of: try await composition.accounts.show(email).account.id, by: proof)
    }

    func accountBrowser(
        of account: AccountID,
        by proof: AuthenticationProof,
        from person: Requester? = nil,
        on device: DeviceID? = nil
    ) async throws -> AccountBrowser {
        let policy = try settings.clientDirectory.client(named: "bbms", surface: nil)
        let request = SignInRequest(
            account: account,
            proof: proof,
            policy: policy,
            device: SignInOrigin(device: device, person: person)
        )
        let opened = try await composition.unitOfWork.run { [door = composition.door] in
            try door.open(request, in: $0)
        }
        let session = try #require(opened).claims.session
        let secret = composition.environment.newSecret()
        let held = BrowserSignIn.Cookie(secret, replacing: nil, until: composition.environment.now() + .seconds(90_000))
        let isOpen = try await api.services.sessions.browserSignIn.open(held, for: session, of: account)
        try #require(isOpen)
        return AccountBrowser(
            harness: self,
            cookie: "\(CompanionCookies.webSessionName)=\(secret.expose())",
            session: session,
            account: account
        )
    }

    /// The browser of a person who opened an account with a passkey, and nothing else.
    func passkeyBrowser(_ name: String = "grace") async throws -> AccountBrowser {
        let browser = try await signUp(name)
        let account = try await composition.accounts.show(name).account.id
        let sessions = try await composition.sessions.list(of: account, limit: 1)
        return AccountBrowser(
            harness: self,
            cookie: browser.cookie,
            session: try #require(sessions.first).session.id,
            account: account
        )
    }

    /// Has the account's person consent to a client.
    func consent(_ account: AccountID, to client: String, scopes: Set<String> = ["openid", "email"]) async throws {
        let now = composition.environment.now()
        let consent = Consent(
            account: account,
            clientID: client,
            scopes: ScopeSet(scopes),
            resources: [],
            grantedAt: now,
            expiresAt: now + .seconds(86_400)
        )
        try await composition.unitOfWork.run { [consents = composition.stores.oauth.consents] in
            try consents.put(consent, in: $0)
        }
    }

    func giveAccountPassword(_ account: AccountID) async throws {
        let hash = try await composition.passwords.hash(Secret(Self.password))
        _ = try await composition.unitOfWork.run { [passwords = composition.passwords] in
            try passwords.set(hash, of: account, in: $0)
        }
    }
}

extension TestResponse {
    /// The address below this server to which a redirect leads.
    var target: String? { status == .seeOther ? headers[.location] : nil }
    /// Whether the browser is sent to the sign-in page; which addresses that takes is tested once.
    var isSentToSignIn: Bool { target?.trimmingPrefix("../").hasPrefix("oauth/sign-in/") == true }
}
