import Accounts
import HTTPAPI
import OAuth
import Operations
import Passkeys
import Settings
import Tokens

/// The sign-in page of authorization requests.
extension PublicAPI {
    func signInPage(
        _ settings: Settings,
        service: AuthorizationService,
        clients: OAuthClientDirectory
    ) -> SignInPageAPI {
        let secrets = SignInSecrets(key: composition.keyFolder.derivedKey(.signInPage))
        return SignInPageAPI(
            service: service,
            clients: clients,
            accounts: composition.accounts,
            cookies: .interaction(isSecure: settings.publicURL.hasPrefix("https://")),
            browser: browserProof(settings),
            secrets: secrets,
            limits: addressGate(settings),
            codes: codeIssuing(service),
            settings: pageSettings(settings),
            faces: signInFaces(settings, secrets),
            passkeys: signInPasskeys(settings)
        )
    }

    func pageSettings(_ settings: Settings) -> SitePageSettings {
        SitePageSettings(
            site: settings.relyingParty.name,
            publicURL: settings.publicURL,
            bodyLimit: settings.limits.bodyBytes
        )
    }

    /// The sign-in by which a browser proves its person before a page continues.
    func pageSignIn(_ page: PageSignIn.Page, _ settings: Settings, service: AuthorizationService) -> PageSignIn {
        PageSignIn(page, service: service, publicURL: settings.publicURL, environment: composition.environment)
    }

    /// The proof of the person that a browser's cookie signs in to the site.
    func browserProof(_ settings: Settings) -> BrowserProof {
        BrowserProof(
            accounts: composition.accounts,
            browsers: composition.passkeys.browsers,
            cookies: webCookies(settings)
        )
    }

    /// `nil` where the surface of the face login is off, and its landing page with it.
    private func signInFaces(_ settings: Settings, _ secrets: SignInSecrets) -> SignInFaces? {
        guard let surface = settings.surfaces["bbms"], surface.enabled else { return nil }
        return SignInFaces(
            service: composition.service,
            clients: settings.clientDirectory,
            surfaceClient: surface.client,
            secrets: secrets,
            cookies: signInCookies(settings),
            browsers: browserSignIn,
            webCookies: webCookies(settings),
            following: following(settings)
        )
    }

    /// The passkeys of the client of the site's pages; `nil` without passkeys.
    private func signInPasskeys(_ settings: Settings) -> SignInPasskeys? {
        guard settings.servesPasskeys else { return nil }
        let surface =
            ["passkeys", "yapt", "bbms"].compactMap { settings.surfaces[$0] }.first(where: \.enabled)
            ?? .unserved
        return SignInPasskeys(
            ceremonies: ceremonies(settings, surface),
            signIns: passkeySessions(settings, surface),
            links: composition.descents
        )
    }
}
