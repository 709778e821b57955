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
        let bodyLimit = settings.limits.bodyBytes
        if let surface = settings.surfaces["yapt"], surface.enabled {
            routes +=
                CookiePasskeyAPI(
                    ceremonies: ceremonies(settings, surface),
                    signIns: passkeySessions(settings, surface),
                    cookies: webCookies(settings),
                    bodyLimit: bodyLimit,
                    environment: composition.environment
                ).routes
        }
        if let surface = settings.surfaces["passkeys"], surface.enabled {
            routes +=
                PasskeyAPI(
                    ceremonies: ceremonies(settings, surface),
                    owned: feature.owned,
                    signIns: passkeySessions(settings, surface),
                    listsUsers: settings.passkeys.listUsers,
                    bodyLimit: bodyLimit,
                    environment: composition.environment
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

    /// The assets of the site's pages, of the landing page that asks for a passkey, and of the sign-in page.
    func assetRoutes(_ settings: Settings) -> [Route] {
        let hasSite = settings.surfaces["passkeys"]?.enabled == true
        let asksForPasskeys = settings.servesPasskeys && settings.surfaces["bbms"]?.enabled == true
        return hasSite || asksForPasskeys || settings.oauth.enabled ? AssetAPI().routes : []
    }

    /// The confirmation of the wallet's logins by a passkey; `nil` without passkeys.
    func walletPasskeys(_ settings: Settings, _ surface: SurfaceSettings) -> WalletPasskeys? {
        guard settings.servesPasskeys else { return nil }
        return WalletPasskeys(
            ceremonies: ceremonies(settings, surface),
            signIn: passkeySignIn,
            environment: composition.environment
        )
    }

    /// The beginning of ceremonies; `surface`: whether an unknown name opens an account there.
    func ceremonies(_ settings: Settings, _ surface: SurfaceSettings) -> PasskeyCeremonies {
        PasskeyCeremonies(
            service: composition.passkeys.service,
            site: passkeySite(settings, surface),
            source: PasskeySource(
                limits: passkeyLimits,
                addresses: settings.clientAddresses,
                gate: addressGate(settings),
                key: composition.passkeys.sourceKey
            )
        )
    }

    private func webSessions(_ settings: Settings) -> WebSessionAPI {
        WebSessionAPI(
            signIn: browserSignIn,
            cookies: webCookies(settings),
            refreshCookies: refreshCookies(settings),
            clients: settings.clientDirectory,
            environment: composition.environment
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

    func webCookies(_ settings: Settings) -> CompanionCookies {
        .webSession(isSecure: settings.publicURL.hasPrefix("https://"))
    }

    func passkeySessions(_ settings: Settings, _ surface: SurfaceSettings) -> PasskeySessions {
        PasskeySessions(
            service: composition.passkeys.service,
            signIn: passkeySignIn,
            replies: signInReplies(settings),
            surface: accountSurface(settings, surface, keepsCookies: true),
            browsers: composition.passkeys.browsers,
            cookies: webCookies(settings),
            environment: composition.environment
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

    private func passkeySite(_ settings: Settings, _ surface: SurfaceSettings) -> PasskeySite {
        let party = settings.relyingParty
        return PasskeySite(
            rpID: party.id,
            rpName: party.name,
            customRPIDs: settings.passkeys.relyingParty.customIDs,
            customRPNames: settings.passkeys.relyingParty.customNames,
            // The published page lets people type one. In production it is for the operator to say whose name is shown.
            takesAnyRPName: settings.mode == .laptop,
            requiresUserVerification: settings.passkeys.requiresUserVerification,
            opensAccounts: surface.registration
        )
    }

    private func relyingParty(_ settings: Settings) -> RelyingPartyAPI {
        RelyingPartyAPI(
            appleApps: settings.passkeys.apps.apple,
            androidApps: settings.passkeys.apps.android.map {
                RelyingPartyAPI.AndroidApp(packageName: $0.packageName, fingerprint: $0.fingerprintText)
            },
            relatedOrigins: settings.passkeys.relyingParty.relatedOrigins
        )
    }
}
