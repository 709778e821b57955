import OAuth
import SignIn

/// The pages on which people manage their own accounts.
extension PublicAPI {
    /// Whether people have an account centre: wherever the sign-in page is served, to which it sends them.
    var servesAccountCentre: Bool { servesSignInPage && !configuration.surfaces.isEmpty }

    /// The routes, wherever the sign-in page is served, to which people are sent.
    var accountCentreRoutes: [Route] {
        guard servesAccountCentre else { return [] }
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
                enrolmentPolicy: enrolmentPolicy,
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
