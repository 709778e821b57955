import Web

/// Passkeys, for both ways in which published clients identify a ceremony.
extension PublicAPI {
    var passkeyRoutes: [Route] {
        guard configuration.passkeys.isServed else { return [] }
        let passkeys = services.passkeys
        var routes: [Route] = []
        if let surface = surface("yapt") {
            routes +=
                CookiePasskeyAPI(
                    ceremonies: ceremonies(surface),
                    signIns: passkeySessions(surface),
                    cookies: server.webSessionCookie,
                    body: server.body,
                    environment: environment
                ).routes
        }
        if let surface = surface("passkeys") {
            routes +=
                PasskeyAPI(
                    ceremonies: ceremonies(surface),
                    owned: passkeys.owned,
                    signIns: passkeySessions(surface),
                    listsUsers: configuration.passkeys.listsUsers,
                    body: server.body,
                    environment: environment
                ).routes
            routes += site.routes
            routes += SiteSignInAPI(signIn: pageSignIn(.site), limits: addressGate, pages: SignInPages()).routes
        }
        let own = OwnPasskeysAPI(
            passkeys: passkeys.owned,
            changes: passkeys.changes,
            accounts: services.accounts.accounts,
            sessions: services.sessions.sessions,
            coolingOff: coolingOff,
            enrolmentPolicy: enrolmentPolicy,
            ownPages: server.ownPages,
            body: server.body
        )
        let webSessions = WebSessionAPI(
            signIn: services.sessions.browserSignIn,
            cookies: server.webSessionCookie,
            refreshCookies: refreshCookies,
            clients: configuration.clients.directory,
            environment: environment
        )
        return routes + own.routes + webSessions.routes + RelyingPartyAPI(party: configuration.passkeys).routes
    }

    /// The files of the site's pages, of the sign-in page and of the landing page, and the logos of any page.
    var assetRoutes: [Route] {
        let hasPages = surface("passkeys", "bbms") != nil || servesSignInPage
        let hasLogo = server.localization.current.brands.all.contains { $0.logo != nil }
        return hasPages || hasLogo ? AssetAPI().routes : []
    }

    /// The passkeys for logins to the wallet; `nil` without passkeys.
    func walletPasskeys(_ surface: SurfaceConfiguration) -> WalletPasskeys? {
        guard configuration.passkeys.isServed else { return nil }
        return WalletPasskeys(
            ceremonies: ceremonies(surface),
            signIn: services.passkeys.signIn,
            trust: passkeyTrust,
            environment: environment
        )
    }

    /// The passkey ceremonies of a surface, whose registration setting decides whether an unknown name opens an
    /// account.
    func ceremonies(_ surface: SurfaceConfiguration) -> PasskeyCeremonies {
        PasskeyCeremonies(
            service: services.passkeys.service,
            site: PasskeySite(party: configuration.passkeys, opensAccounts: surface.isRegistrationOpen),
            source: PasskeySource(
                limits: limits.passkeys,
                addresses: server.addresses,
                gate: addressGate,
                key: services.passkeys.sourceKey
            )
        )
    }

    func passkeySessions(_ surface: SurfaceConfiguration) -> PasskeySessions {
        PasskeySessions(
            service: services.passkeys.service,
            signIn: services.passkeys.signIn,
            replies: signInReplies,
            surface: accountSurface(surface, keepsCookies: true),
            browsers: services.sessions.browsers,
            cookies: server.webSessionCookie,
            trust: passkeyTrust,
            ownPages: server.ownPages
        )
    }

    private var passkeyTrust: PasskeyTrust {
        PasskeyTrust(enrolmentPolicy: enrolmentPolicy, environment: environment)
    }

    /// The site, whose pages call the routes by `challengeId`, and for faces those of the published face login app.
    private var site: SiteAPI {
        SiteAPI(
            SiteSettings(
                rpID: configuration.passkeys.rpID,
                listsUsers: configuration.passkeys.listsUsers,
                offersFace: surface("bbms") != nil,
                offersAccount: servesAccountCentre,
                showsSettings: configuration.passkeys.showsSettings
            )
        )
    }
}
