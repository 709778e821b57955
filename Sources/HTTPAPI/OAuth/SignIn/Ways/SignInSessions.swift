import Accounts
import Hummingbird
import Kernel
import OAuth
import Operations
import Sessions
import SignIn

/// Opens the browser's session of a sign-in by a mailed code or a password, for the site's own client.
struct SignInSessions: Sendable {
    let surface: AccountSurface
    let linked: LinkedDevices
    let browsers: BrowserSignIn
    let webCookies: CompanionCookies
    let deviceCookies: SignInCookies
    let environment: Environment

    /// A sign-in that is about to happen in a browser.
    struct Coming: Sendable {
        let policy: ClientPolicy
        let device: SignInOrigin
        /// The cookie that will present the session.
        let cookie: Secret
        /// Gives the session the cookie, and notes the proof on the interaction.
        let work: SessionWork

        func request(of account: AccountID, by proof: AuthenticationProof) -> SignInRequest {
            SignInRequest(account: account, proof: proof, policy: policy, device: device)
        }
    }

    /// Prepares a sign-in on the page of an interaction.
    func prepare(
        _ request: Request,
        in signIn: SignInContext,
        noting authorizations: AuthorizationService
    ) throws -> Coming {
        let policy = try surface.policy()
        let secret = environment.newSecret()
        let cookie = BrowserSignIn.Cookie(
            secret,
            replacing: webCookies.digest(in: request),
            until: environment.now() + policy.refreshTokenLifetime
        )
        return Coming(
            policy: policy,
            device: surface.origin(of: nil, for: policy, request, by: signIn.requester),
            cookie: secret
        ) { [browsers, id = signIn.id] opened, transaction in
            let (account, authentication) = (opened.claims.account, opened.claims.authentication)
            try browsers.open(
                cookie,
                for: Interaction.Proven(account: account, authentication: authentication),
                in: id,
                noting: authorizations,
                in: transaction
            )
        }
    }

    /// Sets the cookies of the opened session.
    func set(_ opened: OpenedSession, of coming: Coming, on response: inout Response, for request: Request) {
        webCookies.set(coming.cookie, on: &response)
        deviceCookies.setDevice(opened.deviceCookie, of: opened.claims.session, on: &response, for: request)
    }

    /// Returns a function that finds the account's linked device, if the request proves it.
    func recognition(_ request: Request, _ client: String) -> EmailCodeService.Recognition {
        let evidence = PresentedDevice(request)
        return { [linked] account, transaction in
            try linked.device(provedBy: evidence, of: account, client: client, in: transaction)
        }
    }
}
