import Tokens

/// Accounts: the routes that open, sign in to, and change them.
extension PublicAPI {
    func registration(_ surface: SurfaceConfiguration, keepsCookies: Bool) -> RegistrationAPI {
        RegistrationAPI(
            service: services.accounts.registrations,
            opening: services.accounts.opening,
            replies: signInReplies,
            surface: accountSurface(surface, keepsCookies: keepsCookies),
            gate: addressGate,
            body: server.body
        )
    }

    func passwords(_ surface: SurfaceConfiguration, keepsCookies: Bool) -> PasswordAPI {
        PasswordAPI(
            service: services.accounts.passwords,
            signIn: services.accounts.passwordSignIn,
            replies: signInReplies,
            linked: services.accounts.linked,
            surface: accountSurface(surface, keepsCookies: keepsCookies),
            gate: addressGate,
            body: server.body
        )
    }

    func mailLogin(_ surface: SurfaceConfiguration, keepsCookies: Bool) -> MailLoginAPI {
        MailLoginAPI(
            codes: services.accounts.mail.codes,
            linked: services.accounts.linked,
            signIn: services.accounts.mail.signIn,
            replies: signInReplies,
            surface: accountSurface(surface, keepsCookies: keepsCookies),
            gate: addressGate,
            passkeys: keepsCookies ? nil : walletPasskeys(surface),
            body: server.body
        )
    }

    /// The routes of signed-in people about their accounts and sessions, and the pages behind links in mails.
    var accountRoutes: [Route] {
        let (accounts, mail) = (services.accounts, services.accounts.mail)
        let links = MailLinksAPI(
            codes: mail.codes,
            proofs: mail.addresses,
            linked: accounts.linked,
            following: following,
            pages: MailPages(root: server.root)
        )
        let own = OwnSessionsAPI(
            accounts: accounts.accounts,
            sessions: services.sessions.sessions,
            own: accounts.owner.sessions,
            environment: environment
        )
        return links.routes + passwordChange.routes + emailChange.routes + signOut.routes + own.routes
            + ownConsents.routes
    }

    var passwordChange: PasswordChangeAPI {
        PasswordChangeAPI(
            passwords: services.accounts.owner.passwordChange,
            gate: addressGate,
            body: server.body
        )
    }

    var emailChange: EmailChangeAPI {
        EmailChangeAPI(
            proofs: services.accounts.mail.addresses,
            gate: addressGate,
            coolingOff: coolingOff,
            body: server.body
        )
    }

    private var ownConsents: OwnConsentsAPI {
        OwnConsentsAPI(
            consents: services.accounts.owner.consents,
            clients: services.oauth.clients.directory
        )
    }

    var refreshes: RefreshAPI {
        RefreshAPI(
            refreshTokens: refreshTokens,
            limits: limits.refreshes,
            cookies: refreshCookies,
            server: server,
            environment: environment
        )
    }

    var signOut: SignOutAPI {
        SignOutAPI(
            signOut: services.sessions.signOut,
            browsers: services.sessions.browsers,
            refreshTokens: refreshTokens,
            cookies: refreshCookies,
            server: server,
            environment: environment
        )
    }

    private var refreshTokens: FirstPartyRefreshTokens {
        FirstPartyRefreshTokens(
            reader: RefreshTokenReader(
                verifier: verifier,
                limits: limits.refreshes,
                use: .app,
                environment: environment
            ),
            service: services.sessions.refreshes,
            tokens: services.sessions.tokens,
            accepted: acceptedClients,
            gate: dpop
        )
    }
}
