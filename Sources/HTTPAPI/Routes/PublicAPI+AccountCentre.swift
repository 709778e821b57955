import OAuth
import SignIn

/// The pages on which people manage their own accounts.
extension PublicAPI {
    /// The routes, wherever the sign-in page is served, to which people are sent.
    var accountCentreRoutes: [Route] {
        guard configuration.oauth.isEnabled, !configuration.surfaces.isEmpty else { return [] }
        return AccountCentreAPI(
            reader: AccountReader(
                services: services,
                clients: configuration.clients.directory,
                hasWallet: surface("mobile") != nil
            ),
            changes: AccountChanges(
                email: emailChange,
                password: passwordChange,
                enrolment: surface("bbms") == nil ? nil : enrolment,
                coolingOff: coolingOff
            ),
            stepUp: AccountStepUp(
                signIn: pageSignIn(.account),
                means: services.accounts.owner.means,
                coolingOff: coolingOff,
                limits: addressGate
            ),
            offers: AccountOffers(
                passkeys: configuration.passkeys.isServed,
                passkeyPage: configuration.passkeys.isServed && surface("passkeys") != nil,
                faces: surface("bbms") != nil
            ),
            environment: environment,
            server: server,
            pages: AccountPages()
        ).routes
    }
}
