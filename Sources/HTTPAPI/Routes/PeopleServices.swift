package import Accounts
package import Devices
package import Kernel
package import Passkeys
package import Sessions
package import SignIn

/// Accounts, and the sign-ins by what a person knows.
package struct AccountServices: Sendable {
    package var accounts: AccountService
    package var registrations: RegistrationService
    package var opening: AccountOpening
    package var passwords: PasswordService
    package var passwordSignIn: PasswordSignIn
    package var passwordChange: PasswordChange
    package var linked: LinkedDevices
    package var mail: MailProofServices

    package init(
        accounts: AccountService,
        registrations: RegistrationService,
        opening: AccountOpening,
        passwords: PasswordService,
        passwordSignIn: PasswordSignIn,
        passwordChange: PasswordChange,
        linked: LinkedDevices,
        mail: MailProofServices
    ) {
        self.accounts = accounts
        self.registrations = registrations
        self.opening = opening
        self.passwords = passwords
        self.passwordSignIn = passwordSignIn
        self.passwordChange = passwordChange
        self.linked = linked
        self.mail = mail
    }
}

/// The proofs by mail: sign-in codes, and the ownership of addresses.
package struct MailProofServices: Sendable {
    package var codes: EmailCodeService
    package var addresses: AddressProofService
    package var signIn: MailedCodeSignIn

    package init(
        codes: EmailCodeService,
        addresses: AddressProofService,
        signIn: MailedCodeSignIn
    ) {
        self.codes = codes
        self.addresses = addresses
        self.signIn = signIn
    }
}

/// Sessions: their tokens, their refreshes and their ends.
package struct SessionServices: Sendable {
    package var sessions: SessionService
    package var browsers: WebSessionService
    package var tokens: TokenSet
    /// The families of the config's clients.
    package var refreshes: RefreshService
    package var signOut: SignOut
    package var browserSignIn: BrowserSignIn
    package var deviceCookies: DeviceCookieFactory
    /// The devices that accounts have signed in on.
    package var links: DeviceLinks

    package init(
        sessions: SessionService,
        browsers: WebSessionService,
        tokens: TokenSet,
        refreshes: RefreshService,
        signOut: SignOut,
        browserSignIn: BrowserSignIn,
        deviceCookies: DeviceCookieFactory,
        links: DeviceLinks
    ) {
        self.sessions = sessions
        self.browsers = browsers
        self.tokens = tokens
        self.refreshes = refreshes
        self.signOut = signOut
        self.browserSignIn = browserSignIn
        self.deviceCookies = deviceCookies
        self.links = links
    }
}

/// Registered devices and their keys.
package struct DeviceServices: Sendable {
    package var registrar: DeviceRegistrar
    package var owned: OwnedDevices
    package var keys: DeviceKeyService
    package var signIn: DeviceKeySignIn

    package init(
        registrar: DeviceRegistrar,
        owned: OwnedDevices,
        keys: DeviceKeyService,
        signIn: DeviceKeySignIn
    ) {
        self.registrar = registrar
        self.owned = owned
        self.keys = keys
        self.signIn = signIn
    }
}

/// Passkeys: their ceremonies, their owners and their sign-ins.
package struct PasskeyServices: Sendable {
    package var service: PasskeyService
    package var owned: OwnedPasskeys
    package var changes: PasskeyChange
    package var signIn: PasskeySignIn
    package var descents: any DescentStore
    /// Hashes addresses for this process alone, so that no row reveals one.
    package var sourceKey: Secret

    package init(
        service: PasskeyService,
        owned: OwnedPasskeys,
        changes: PasskeyChange,
        signIn: PasskeySignIn,
        descents: any DescentStore,
        sourceKey: Secret
    ) {
        self.service = service
        self.owned = owned
        self.changes = changes
        self.signIn = signIn
        self.descents = descents
        self.sourceKey = sourceKey
    }
}
