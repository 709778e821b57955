import HTTPAPI
import Operations
import Passkeys
import Settings
import SignIn

/// Passkeys, by the two ways that clients in the field speak.
extension PublicAPI {
    func passkeyRoutes(_ settings: Settings) -> [Route] {
        guard settings.servesPasskeys else { return [] }
        var routes: [Route] = []
        let feature = composition.passkeys
        let source = passkeySource(settings)
        let bodyLimit = settings.limits.bodyBytes
        if let surface = settings.surfaces["yapt"], surface.enabled {
            routes +=
                CookiePasskeyAPI(
                    service: feature.service,
                    signIns: passkeySignIns(settings, surface),
                    site: passkeySite(settings, surface),
                    source: source,
                    cookies: webCookies(settings),
                    bodyLimit: bodyLimit,
                    facts: composition.facts
                ).routes
        }
        if let surface = settings.surfaces["passkeys"], surface.enabled {
            routes +=
                PasskeyAPI(
                    service: feature.service,
                    owned: feature.owned,
                    signIns: passkeySignIns(settings, surface),
                    site: passkeySite(settings, surface),
                    source: source,
                    listsUsers: settings.passkeys.listUsers,
                    bodyLimit: bodyLimit,
                    facts: composition.facts
                ).routes
        }
        if settings.surfaces["passkeys"]?.enabled == true { routes += SiteAPI(site(settings)).routes }
        let own = OwnPasskeysAPI(
            passkeys: feature.owned,
            changes: PasskeyChange(
                passkeys: feature.owned,
                sessions: composition.sessions,
                unitOfWork: composition.unitOfWork
            ),
            accounts: composition.accounts,
            sessions: composition.sessions,
            coolingOff: coolingOff,
            bodyLimit: bodyLimit
        )
        return routes + own.routes + webSessions(settings).routes + relyingParty(settings).routes
    }

    /// What pages load: those of the site, the page of a face login that asks for a passkey, and the sign-in page of clients.
    func assetRoutes(_ settings: Settings) -> [Route] {
        let hasSite = settings.surfaces["passkeys"]?.enabled == true
        let asksForPasskeys = settings.servesPasskeys && settings.surfaces["bbms"]?.enabled == true
        return hasSite || asksForPasskeys || settings.oauth.enabled ? AssetAPI().routes : []
    }

    /// What the wallet's logins are by where an account has a passkey; `nil` where there are none.
    func walletPasskeys(_ settings: Settings, _ surface: SurfaceSettings) -> WalletPasskeys? {
        guard settings.servesPasskeys else { return nil }
        return WalletPasskeys(
            service: composition.passkeys.service,
            signIn: passkeySignIn,
            site: passkeySite(settings, surface),
            source: passkeySource(settings),
            facts: composition.facts
        )
    }

    /// What the page of a face login asks for a passkey by; `nil` where there are none.
    func landingPasskeys(_ settings: Settings) -> LandingPasskeys? {
        guard settings.servesPasskeys else { return nil }
        return LandingPasskeys(
            service: composition.passkeys.service,
            site: passkeySite(settings, .unserved),
            source: passkeySource(settings)
        )
    }

    func passkeySource(_ settings: Settings) -> PasskeySource {
        PasskeySource(
            limits: passkeyLimits,
            addresses: settings.clientAddresses,
            gate: addressGate(settings),
            key: composition.passkeys.sourceKey
        )
    }

    private func webSessions(_ settings: Settings) -> WebSessionAPI {
        WebSessionAPI(
            signIn: browserSignIn,
            cookies: webCookies(settings),
            refreshCookies: refreshCookies(settings),
            clients: settings.clientDirectory,
            facts: composition.facts
        )
    }

    var browserSignIn: BrowserSignIn {
        BrowserSignIn(
            sessions: composition.sessions,
            browsers: composition.passkeys.browsers,
            descents: composition.descents,
            unitOfWork: composition.unitOfWork
        )
    }

    func webCookies(_ settings: Settings) -> TwinCookies {
        .webSession(isSecure: settings.publicURL.hasPrefix("https://"))
    }

    func passkeySignIns(_ settings: Settings, _ surface: SurfaceSettings) -> PasskeySignIns {
        PasskeySignIns(
            service: composition.passkeys.service,
            signIn: passkeySignIn,
            replies: signInReplies(settings),
            surface: accountSurface(settings, surface, keepsCookies: true),
            browsers: composition.passkeys.browsers,
            cookies: webCookies(settings),
            facts: composition.facts
        )
    }

    private var passkeySignIn: PasskeySignIn {
        PasskeySignIn(
            passkeys: composition.passkeys.service,
            door: composition.door,
            sessions: composition.sessions,
            browsers: composition.passkeys.browsers,
            descents: composition.descents,
            unitOfWork: composition.unitOfWork
        )
    }

    /// The pages speak the surface by `challengeId`, and for faces that of the published face login app.
    private func site(_ settings: Settings) -> SiteSettings {
        SiteSettings(
            name: settings.relyingParty.name,
            rpID: settings.relyingParty.id,
            listsUsers: settings.passkeys.listUsers,
            offersFace: settings.surfaces["bbms"]?.enabled == true
        )
    }

    func passkeySite(_ settings: Settings, _ surface: SurfaceSettings) -> PasskeySite {
        let party = settings.relyingParty
        return PasskeySite(
            rpID: party.id,
            rpName: party.name,
            customRPIDs: settings.passkeys.customRPIDs,
            customRPNames: settings.passkeys.customRPNames,
            // The published page lets people type one. In production it is for the operator to say whose name is shown.
            takesAnyRPName: settings.mode == .laptop,
            requiresUserVerification: settings.passkeys.requiresUserVerification,
            opensAccounts: surface.registration
        )
    }

    private func relyingParty(_ settings: Settings) -> RelyingPartyAPI {
        RelyingPartyAPI(
            appleApps: settings.passkeys.appleApps,
            androidApps: settings.passkeys.androidApps.map {
                RelyingPartyAPI.AndroidApp(packageName: $0.packageName, fingerprint: $0.fingerprintText)
            },
            relatedOrigins: settings.passkeys.relatedOrigins
        )
    }
}
