import HTTPAPI
import Kernel
import Sessions
import Settings
import Web

extension HTTPConfiguration {
    /// - Parameters:
    ///   - settings: The settings with the port that is actually bound.
    ///   - localization: The languages and brands of pages.
    init(_ settings: Settings, showing localization: Localization) {
        let party = settings.relyingParty
        self.init(
            server: ServerConfiguration(
                publicURL: settings.publicURL,
                issuer: settings.issuer,
                bodyLimit: settings.limits.bodyBytes,
                addresses: settings.clientAddresses,
                localization: localization
            ),
            clients: ClientConfiguration(
                directory: settings.clientDirectory,
                ids: settings.clients.map(\.id),
                audiences: settings.audiences,
                withRefreshCookie: Set(settings.clients.filter { $0.refresh.rotation == .cookieOnly }.map(\.id))
            ),
            limits: settings.limits.off ? .off : .on(passkeys: settings.limits.passkeyRates)
        )
        version = Version.number
        surfaces = settings.surfaces.filter(\.value.enabled).mapValues {
            SurfaceConfiguration(name: $0.name, client: $0.client, isRegistrationOpen: $0.registration)
        }
        faceLogin.provider = settings.faceLogin.provider
        faceLogin.pollInterval = Int(settings.faceLogin.pollInterval.secondsRoundedUp)
        faceLogin.scanOrigins = settings.scanOrigins
        faceLogin.requiresVerifiedEmail = settings.accounts.requireVerifiedEmail
        passkeys = PasskeyConfiguration(settings.passkeys, party)
        passkeys.isServed = settings.servesPasskeys
        // The published page lets people type an RP name. In production only the operator decides which name is shown.
        passkeys.takesAnyRPName = settings.mode == .laptop
        passkeys.showsSettings = settings.mode == .laptop
        // The published apps add a passkey or a face after any sign-in.
        addsMeansByOlderOnes = settings.mode == .production
        oauth.isEnabled = settings.oauth.enabled
        oauth.takesRegistrations = settings.oauth.registration
        oauth.backchannel = settings.oauth.backchannel
        oauth.dataClient = settings.sampleData.client
        wallet.banks = settings.banks
        wallet.deepLinks = settings.wallet.deepLinks
        wallet.client = settings.surfaces["mobile"]?.client ?? settings.defaultClient?.id
        wallet.needsConfirmation = settings.wallet.confirmEnrollment
        server.hasHome = surfaces["passkeys"] != nil && settings.servesPasskeys
        securityText = settings.securityText
        edge.corsOrigins = settings.listen.corsOrigins
        edge.writesAccessLog = settings.log.access
    }
}

extension PasskeyConfiguration {
    fileprivate init(_ settings: PasskeySettings, _ party: EffectiveRelyingParty) {
        self.init()
        rpID = party.id
        rpName = party.name
        customRPIDs = Set(settings.relyingParty.customIDs)
        customRPNames = Set(settings.relyingParty.customNames)
        requiresUserVerification = settings.requiresUserVerification
        listsUsers = settings.listUsers
        appleApps = settings.apps.apple
        androidApps = settings.apps.android.map {
            AndroidApp(packageName: $0.packageName, fingerprint: $0.fingerprintText)
        }
        relatedOrigins = settings.relyingParty.relatedOrigins
    }
}
