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
            following: following
        )
        let password = PasswordChangeAPI(passwords: accounts.passwordChange, gate: addressGate, body: server.body)
        let email = EmailChangeAPI(
            proofs: mail.addresses,
            gate: addressGate,
            coolingOff: coolingOff,
            body: server.body
        )
        let own = OwnSessionsAPI(
            accounts: accounts.accounts,
            sessions: services.sessions.sessions,
            environment: environment
        )
        return links.routes + password.routes + email.routes + signOut.routes + own.routes
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
